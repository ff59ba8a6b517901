import { type ApprovalRecord, goodReads, lastRead } from "./approval-record";
import { winnerOf } from "./check-answers";
import { isBefore } from "./history";

/*
 * Additions only grow while a question is pending. An owner's answer counts only for the question
 * with exactly those additions that the owner's page showed.
 */

export function checkAdditions(record: ApprovalRecord): string[] {
  return [...new Set([...checkKept(record), ...checkAccepted(record), ...checkAnswered(record)])];
}

function checkKept(record: ApprovalRecord): string[] {
  const { name, adds } = record;
  const known = new Map(adds.map((add) => [add.text, add]));
  return goodReads(record).flatMap((read) => {
    const { additions } = read.seen;
    const problems: string[] = [];
    for (const text of additions) {
      const add = known.get(text);
      if (!add) problems.push(`The addition "${text}" to ${name} is one that nobody made.`);
      else if (add.outcome === "refused") problems.push(`The addition "${text}" to ${name} was refused, but counts.`);
    }
    if (new Set(additions).size < additions.length) problems.push(`${name} has an addition twice.`);
    for (const add of adds)
      if (add.outcome === "ok" && isBefore(add, read) && !additions.includes(add.text))
        problems.push(`The acknowledged addition "${add.text}" to ${name} is missing.`);
    const made = additions.flatMap((text) => known.get(text) ?? []);
    if (made.some((add, nth) => made.slice(nth + 1).some((later) => isBefore(later, add))))
      problems.push(`The additions to ${name} are in the wrong order.`);
    return problems;
  });
}

/** No addition may be accepted once anyone has seen the answer. */
function checkAccepted(record: ApprovalRecord): string[] {
  const resolved = goodReads(record).filter(({ seen }) => seen.status === "resolved");
  return record.adds.flatMap((add) =>
    add.outcome === "ok" && resolved.some((read) => isBefore(read, add))
      ? [`The addition "${add.text}" to ${record.name} was accepted after the answer.`]
      : [],
  );
}

function checkAnswered(record: ApprovalRecord): string[] {
  const winner = winnerOf(record);
  const final = lastRead(record);
  if (winner?.op !== "answer" || final?.seen.status !== "resolved") return [];
  const unseen = final.seen.additions.filter((text) => !winner.seen.includes(text));
  return unseen.map(
    (text) => `The owner's answer to ${record.name} counts, although the owner's page lacked the addition "${text}".`,
  );
}
