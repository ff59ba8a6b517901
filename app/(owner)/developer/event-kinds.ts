import type { EventKind } from "@/components/webhooks/endpoint-fields";
import { told, toldTypes } from "@/lib/event-feed/told";

/** Every type of event that apps are told of, with what it holds and needs, as forms show them. */
export const eventKinds: readonly EventKind[] = toldTypes.map((type) => {
  const { holds, scope } = told[type];
  return { type, holds: `Holds ${holds.replaceAll("`", "")}.${scope ? ` Sent where the owner allows ${scope}.` : ""}` };
});
