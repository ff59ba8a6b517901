/**
 * The names of the event types for apps. They are in a separate module, because some code needs the
 * names without the definitions.
 */
export const appEventTypes = [
  ...(["approval.submitted", "approval.resolved", "approval.deadline_passed", "approval.question_asked"] as const),
  ...(["approval.withdrawn"] as const),
  ...(["notification.pushed", "integration.status_changed", "grant.changed"] as const),
  ...(["owner.frozen", "owner.unfrozen", "owner.keys_changed"] as const),
] as const;

export type AppEventType = (typeof appEventTypes)[number];
