import { answerLine, type DisplayResolution, type InboxApproval } from "@/components/approvals/types";

/**
 * The message for an owner whose answer was not the one recorded.
 * @param sent whether the owner's answer lost the race
 * @param when the time of the recorded answer, in words
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
    const message = byDefault
      ? `Time ran out before you answered, so the default ${answer} was recorded`
      : decided.resolvedBy === "owner"
        ? `You had already answered ${answer} elsewhere`
        : `${name} had already answered ${answer}`;
    return `${message}. Your answer wasn't used.`;
  }
  if (byDefault) return `Too late: the default ${answer} was recorded ${when}, because no one answered in time.`;
  return decided.resolvedBy === "owner"
    ? `You answered this elsewhere: ${answer}, ${when}.`
    : `${name} answered this itself: ${answer}, ${when}.`;
}
