import type { EventKind } from "@/components/webhooks/endpoint-fields";
import { appEvents } from "@/lib/event-feed/event-types";
import { appEventTypes } from "@/lib/event-feed/type-names";

/** Every type of event that apps are told of, with what it holds and needs, as forms show them. */
export const eventKinds: readonly EventKind[] = appEventTypes.map((type) => {
  const { holds, scope } = appEvents[type];
  return { type, holds: `Holds ${holds.replaceAll("`", "")}.${scope ? ` Sent where the owner allows ${scope}.` : ""}` };
});
