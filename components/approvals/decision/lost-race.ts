import { answerLine, type DisplayResolution, type InboxApproval } from "@/components/approvals/types";

/**
 * What to tell an owner who did not decide it.
 * @param sent whether they answered, and came second
 * @param when it was decided, in words
 */
export function lostRaceMessage(
  approval: InboxApproval,
  decided: DisplayResolution,
  sent: boolean,
  when: string,
): string {
  const { name } = approval.app;
  const answer = `“${answerLine(approval, decided)}”`;
  const byDefault = approval.byDefault ?? decided.byDefault;
  if (sent) {
    const said = byDefault
      ? `${name} had already recorded ${answer}, because nobody had answered`
      : decided.resolvedBy === "owner"
        ? `You had already answered ${answer} elsewhere`
        : `${name} had already answered ${answer}`;
    return `${said}. Your answer wasn't used.`;
  }
  if (byDefault) return `Too late: ${name} recorded ${answer} ${when}, because nobody answered.`;
  return decided.resolvedBy === "owner"
    ? `You answered this elsewhere: ${answer}, ${when}.`
    : `${name} answered this itself: ${answer}, ${when}.`;
}
