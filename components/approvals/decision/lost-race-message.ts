import { answerLine, type DisplayResolution, type InboxApproval } from "@/components/approvals/inbox-approval";

/**
 * Returns the message for an owner when another answer was recorded first.
 * @param sent whether the owner had sent an answer, which then had no effect
 * @param when the time of the recorded answer, as text
 */
export function lostRaceMessage(
  approval: InboxApproval,
  decided: DisplayResolution,
  sent: boolean,
  when: string,
): string {
  const { name } = approval.app;
  const label = answerLine(approval, decided);
  const byDefault = approval.byDefault ?? decided.byDefault;
  if (sent && byDefault) return `Your answer was late. Countersign already used the default, “${label}”.`;
  if (byDefault) return `Time ran out ${when}. Countersign used the default, “${label}”.`;
  const mine = decided.resolvedBy === "owner";
  if (sent)
    return `${mine ? "You" : name} already answered “${label}”${mine ? " elsewhere" : ""}. The answer you just sent wasn’t used.`;
  return mine ? `You answered “${label}” elsewhere ${when}.` : `${name} answered its own question ${when}: “${label}”.`;
}
