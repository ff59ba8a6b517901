import type { EventKind } from "@/components/webhooks/endpoint-fields";
import { appEventTypes } from "@/lib/event-feed/event-type-names";
import { appEvents } from "@/lib/event-feed/event-types";

/**
 * The event types for apps, with descriptions of their data and required scopes, as forms show
 * them.
 */
export const eventKinds: readonly EventKind[] = appEventTypes.map((type) => {
  const { holds, scope } = appEvents[type];
  return { type, holds: `Contains ${holds}.${scope ? ` Requires the scope \`${scope}\`.` : ""}` };
});
