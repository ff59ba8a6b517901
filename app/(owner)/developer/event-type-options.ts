import type { EventKind } from "@/components/webhooks/endpoint-fields";
import { appEventTypes } from "@/lib/event-feed/event-type-names";
import { appEvents } from "@/lib/event-feed/event-types";

/**
 * The event types that apps can receive, described for forms: what each event contains, and the
 * scope it requires.
 */
export const eventKinds: readonly EventKind[] = appEventTypes.map((type) => {
  const { holds, scope } = appEvents[type];
  return { type, holds: `Contains ${holds}.${scope ? ` Requires the scope \`${scope}\`.` : ""}` };
});
