/**
 * The names of the event types for apps, in a module without their definitions for code that only
 * needs the names.
 */
export const appEventTypes = [
  ...(["approval.submitted", "approval.resolved", "approval.deadline_passed", "approval.question_asked"] as const),
  ...(["notification.pushed", "integration.status_changed", "grant.changed"] as const),
] as const;

export type AppEventType = (typeof appEventTypes)[number];
