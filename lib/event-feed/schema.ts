import { z } from "zod";
import { limitParam } from "@/lib/requests/pagination";
import { extensibleEnum } from "@/lib/text/extensible-enum";
import { epochMillis } from "@/lib/timestamp-schema";
import { waitParam } from "@/lib/wait-param";
import { appEventTypes } from "./event-type-names";
import { appEvents } from "./event-types";

export const Event = z
  .object({
    id: z.string().describe("The event's ID, which never changes. Send the ID as `after`, or in Last-Event-ID."),
    type: extensibleEnum(appEventTypes).describe("The type of the event."),
    createdAt: epochMillis(),
    data: z
      .record(z.string(), z.unknown())
      .describe(
        `The event's data, with these fields for each event type. ${appEventTypes.map((type) => `${type}: ${appEvents[type].holds}.`).join(" ")}`,
      ),
  })
  .meta({ id: "Event" });
export type Event = z.infer<typeof Event>;

/** The query that selects the events to read. Its values arrive as text. */
export const EventsInput = z.strictObject({
  after: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      "Returns events after this event `id` or `nextCursor`. By default, the list starts with the oldest event.",
    ),
  limit: limitParam(100, 50),
  wait: waitParam.optional().describe("Seconds to wait if no events are available."),
});
