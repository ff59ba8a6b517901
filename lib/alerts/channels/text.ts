import type { HowEnded } from "@/lib/approvals/sql";
import type { ChannelWithdrawal } from "./schema";

/** Nothing in an app's words is a link, a mention or a command: neither in Slack nor in Mattermost, which takes these too. */
export const escapeMarkup = (words: string): string =>
  words.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/@/g, "@\u200b");

/** What a message says in place of an alert that is over. */
export function minutesLeft({ app, about, replaced, ending }: Omit<ChannelWithdrawal, "receipt">): string {
  if (replaced) return `${app}: see the newer message`;
  if (ending) return `${app}: ${outcomeText(ending)}`;
  return `${app}: ${about === "questions" ? "nothing to answer here any more" : "nothing new here any more"}`;
}

/** Who decided what. */
export function outcomeText({ by, label }: HowEnded): string {
  const what = label === undefined ? "in your own words" : `“${label}”`;
  return by === "owner"
    ? `you answered ${what}`
    : `${label === undefined ? "an answer" : what} was recorded without you`;
}
