import type { HowEnded } from "@/lib/approvals/approval-sql-for-other-domains";
import type { ChannelWithdrawal } from "./channel-interface";

/** Returns the text that replaces a closed alert. */
export function closedAlertText({ app, about, replaced, ending }: Omit<ChannelWithdrawal, "receipt">): string {
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
