/** The types of events that apps are told of. Apart from what they hold, for who only has to name them. */
export const appEventTypes = [
  "approval.submitted",
  "approval.resolved",
  "approval.deadline_passed",
  "approval.question_asked",
  "notification.pushed",
  "integration.status_changed",
  "grant.changed",
] as const;

export type AppEventType = (typeof appEventTypes)[number];
