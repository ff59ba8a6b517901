import { z } from "zod";
import { operation } from "@/lib/api-operation";
import { listEvents as list } from "./event-feed";
import { Event, EventsInput } from "./schema";
import { streamEvents } from "./stream";

const eventId = "evt_30q5n8v1c6m2t7k4b9d0g3rjpf";

export const listEvents = operation({
  id: "listEvents",
  method: "GET",
  path: "/api/events",
  scope: null,
  summary: "Read events",
  description:
    "List this app's events for the owner, oldest first. Events about records that the token may not read are omitted. To read every event exactly once, pass `nextCursor` as the next `after`. With `Accept: text/event-stream`, the response is a stream of server-sent events. The stream starts after the event in `after` or `Last-Event-ID`. Without `after` and `Last-Event-ID`, the stream starts with new events.",
  input: EventsInput,
  output: z
    .object({
      owner: z.string().describe("The owner's ID. Webhook payloads carry the same ID in `sub`."),
      data: z.array(Event).describe("The events, oldest first."),
      nextCursor: z.string().describe("The cursor for the next page, always present. Send the value as `after`."),
    })
    .meta({ id: "EventPage" }),
  failures: [400, 410],
  run: list,
  streams: { run: streamEvents },
  example: {
    query: { limit: "20", wait: "30" },
    response: {
      owner: "own_4t1n9b6d0m3cq8v5k2h7g0rjpf8s2l7e",
      data: [
        {
          id: eventId,
          type: "approval.submitted",
          createdAt: 1795000000000,
          data: { id: "apr_0m3cq8v5k2h7t1n9b6d4g0rjpf8s2l7e" },
        },
      ],
      nextCursor: eventId,
    },
  },
  tool: {
    name: "list_events",
    title: "Read events",
    description:
      "List this app's events for the owner, oldest first. To read every event exactly once, pass `nextCursor` as the next `after`.",
    waitsFor: "events",
  },
});
