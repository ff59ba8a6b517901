import type { HowEnded } from "@/lib/approvals/approval-sql-for-other-domains";
import type { ChannelWithdrawal } from "./schema";

/**
 * Escapes an app's words, so that they never become a link, a mention or a command in Slack or
 * Mattermost.
 */
export const escapeMarkup = (words: string): string =>
  words.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/@/g, "@\u200b");

/** Returns the text that replaces a closed alert. */
export function minutesLeft({ app, about, replaced, ending }: Omit<ChannelWithdrawal, "receipt">): string {
  if (replaced) return `${app}: see the newer message`;
  if (ending) return `${app}: ${outcomeText(ending)}`;
  return `${app}: ${about === "questions" ? "no answer needed" : "nothing new"}`;
}

/** Returns the decision and who made it, as text. */
export function outcomeText({ resolvedBy, label }: HowEnded): string {
  const what = label === undefined ? "in your own words" : `“${label}”`;
  return resolvedBy === "owner"
    ? `you answered ${what}`
    : `answered ${label === undefined ? "" : `“${label}” `}automatically`;
}
