import { z } from "zod";
import { operation } from "@/lib/operation";
import { listEvents as list } from "./event-feed";
import { Event, EventsInput } from "./schema";
import { streamEvents } from "./stream";

export const listEvents = operation({
  id: "listEvents",
  method: "GET",
  path: "/api/events",
  scope: null,
  summary: "Read events",
  description:
    "What happened between this app and the owner, oldest first; each event only with the permission to read what it tells of. Go on with `nextCursor` as `after`: nothing is passed over and nothing comes twice. With `Accept: text/event-stream` the same as a stream of server-sent events, from now on unless `after` or `Last-Event-ID` says where to begin.",
  input: EventsInput,
  output: z.object({
    data: z.array(Event).describe("What happened, oldest first."),
    nextCursor: z.string().describe("What to send as `after` next; always there."),
  }),
  failures: [400],
  run: list,
  streams: { run: streamEvents },
  example: { query: { limit: "20", wait: "30" } },
  tool: {
    name: "list_events",
    title: "Read events",
    description:
      "What happened between this app and the owner, oldest first. Go on with `nextCursor` as `after`: nothing is passed over and nothing comes twice.",
    waitsFor: "events",
  },
});
