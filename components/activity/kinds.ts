import type { ActivityKind } from "@/lib/events/schema";

/** What each kind is called, in the order of the choice. */
export const kindNames: Record<ActivityKind, string> = {
  permissions: "Permissions",
  tokens: "Tokens",
  trouble: "Trouble",
  answers: "Questions and answers",
  notifications: "Notifications",
  "sign-ins": "Sign-ins and account",
  apps: "Registered apps",
  accounts: "Linked accounts",
};
