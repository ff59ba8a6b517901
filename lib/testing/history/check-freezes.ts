import { frozenPeriods } from "./frozen-periods";
import { entriesOf, type Freeze, groupBy, type History } from "./history";

/*
 * From the acknowledgement of a freeze until its end, the owner's apps can do nothing, and no
 * question of the owner is answered.
 */

/** How far the database's clock and ours may differ, in milliseconds. */
const clockMargin = 100;

export function checkFreezes(history: History): string[] {
  const problems: string[] = [];
  const freezes = groupBy<Freeze>(entriesOf(history, "freeze", "unfreeze"), ({ owner }) => owner);
  const byApp = entriesOf(history, "ask", "resolve", "add", "use", "push", "read").filter(
    ({ outcome }) => outcome === "ok",
  );
  const byOwner = entriesOf(history, "answer").filter(({ outcome }) => outcome === "ok");
  const reads = entriesOf(history, "read");
  for (const [owner, changes] of freezes) {
    for (const { certain } of frozenPeriods(changes)) {
      if (!certain) continue;
      for (const done of [...byApp, ...byOwner])
        if (done.owner === owner && done.began.at > certain.from && done.ended.at < certain.to)
          problems.push(`The operation "${done.op}" succeeded while ${owner} was frozen.`);
      for (const read of reads) {
        const { resolvedAt = 0 } = read.seen ?? {};
        if (read.owner === owner && resolvedAt > certain.from + clockMargin && resolvedAt < certain.to - clockMargin)
          problems.push(`The question ${read.id} was answered while ${owner} was frozen.`);
      }
    }
  }
  return [...new Set(problems)];
}
