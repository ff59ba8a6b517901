import type { Triage } from "./schema";

const words: Record<Triage["act"], string> = {
  done: "Marked as done",
  back: "Back in the inbox",
  read: "Marked as read",
  unread: "Marked as unread",
  "read-all": "Marked as read",
  "unread-all": "Marked as unread",
  wake: "Back in the inbox",
  surface: "Snooze change undone",
  "mute-app": "App muted. The app’s notifications are under Muted.",
  "unmute-app": "App unmuted",
  "mute-type": "Notification type muted for this app. Notifications of this type are under Muted.",
  "unmute-type": "Notification type unmuted for this app",
  "snooze-60": "Snoozed for an hour",
  "snooze-240": "Snoozed for 4 hours",
  "snooze-1440": "Snoozed until this time tomorrow",
  "snooze-10080": "Snoozed for a week",
};

/** Returns the confirmation of an action. */
export const triageMessage = (act: Triage["act"], count: number): string =>
  count > 1 ? `${words[act]}: ${count} notifications` : words[act];
