import { type ApprovalRecord, goodReads } from "./approval-record";
import { winnerOf } from "./check-answers";
import { isBefore } from "./history";

/*
 * An owner's answer permits one action: it is used at most once, and never after a withdrawal.
 */

export function checkUses(record: ApprovalRecord): string[] {
  const { name, uses, withdrawals } = record;
  const problems: string[] = [];
  const used = uses.filter(({ outcome }) => outcome === "ok");
  const withdrawn = withdrawals.filter(({ outcome }) => outcome === "ok");
  const keys = new Set(used.map(({ key }) => key));
  if (keys.size > 1) problems.push(`The answer to ${name} was used several times.`);
  else if (new Set(used.map(({ receipt }) => receipt)).size > 1)
    problems.push(`One use of the answer to ${name} has several receipts.`);
  if (used.length > 0 && withdrawn.length > 0) problems.push(`The answer to ${name} was used and withdrawn.`);
  if (used.length > 0 && winnerOf(record)?.op !== "answer")
    problems.push(`The answer to ${name} was used, although the owner did not give it.`);
  return [...problems, ...checkShown(record), ...checkRefusals(record)];
}

/** Reads show a use or a withdrawal if there was one, and only then. */
function checkShown(record: ApprovalRecord): string[] {
  const { name, uses, withdrawals } = record;
  const problems = goodReads(record).flatMap((read) => {
    const { usedAt, withdrawnAt } = read.seen;
    const missing = (done: typeof uses | typeof withdrawals) =>
      done.some((it) => it.outcome === "ok" && isBefore(it, read));
    const possible = (done: typeof uses | typeof withdrawals) =>
      done.some((it) => it.outcome !== "refused" && it.began.at < read.ended.at);
    return [
      ...(usedAt === undefined && missing(uses) ? [`A reader saw the used answer to ${name} as unused.`] : []),
      ...(usedAt !== undefined && !possible(uses)
        ? [`A reader saw a use of the answer to ${name} that nobody made.`]
        : []),
      ...(withdrawnAt === undefined && missing(withdrawals)
        ? [`A reader saw the withdrawn answer to ${name} as not withdrawn.`]
        : []),
      ...(withdrawnAt !== undefined && !possible(withdrawals)
        ? [`A reader saw a withdrawal of the answer to ${name} that nobody made.`]
        : []),
    ];
  });
  return [...new Set(problems)];
}

/** "Used" and "withdrawn" are only true if another use or a withdrawal can have come first. */
function checkRefusals({ name, uses, withdrawals }: ApprovalRecord): string[] {
  return uses.flatMap((use) => {
    if (use.outcome !== "refused") return [];
    const others = uses.filter(({ key, outcome }) => key !== use.key && outcome !== "refused");
    const causes = { used: others, withdrawn: withdrawals.filter(({ outcome }) => outcome !== "refused") };
    const cause = causes[use.reason as keyof typeof causes];
    if (!cause || cause.some((it) => it.began.at < use.ended.at)) return [];
    return [`A use of the answer to ${name} was refused as ${use.reason}, although nothing came first.`];
  });
}
