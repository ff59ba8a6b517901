import { emailOwners } from "@/lib/alerts/email";
import { deadlinesDue, settleDueDeadlines } from "@/lib/approvals/deadlines";
import { heldAnswersDue, sendDueAnswers } from "@/lib/approvals/held-answers";
import { returnDueClarifications, returnDueSnoozed, snoozedDue } from "@/lib/approvals/triage";
import { applyRetention } from "@/lib/archive/apply-retention";
import { clock } from "@/lib/clock";
import { list, type Sql, sql } from "@/lib/database/sql";
import { logBlockingTransaction } from "@/lib/events/blocking-transaction";
import { createPartition } from "@/lib/events/partition-bounds";
import { hasIdleToSkip, skipIdleTransactions } from "@/lib/events/skip-idle-transactions";
import { lateQuestionsDue, stopLateQuestions } from "@/lib/freeze/stop-late-questions";
import { accountsDue, keepAlive } from "@/lib/integrations/account-check-worker";
import { eraseRemoved, hasRemovedToErase } from "@/lib/integrations/disconnect-account";
import { markExpiredDone } from "@/lib/notifications/mark-expired-done";
import { failedSignInsDue, flushFailedSignIns } from "@/lib/owners/failed-sign-ins";
import { mailRefusals } from "@/lib/owners/security-mail";
import { type BackgroundStart, currentStart } from "@/lib/request-context";
import type { Gauge } from "@/lib/telemetry/declare-metrics";
import { loop } from "@/lib/work/loop";
import { sweep } from "./delete-expired-rows";
import { finishAcrossShards } from "./finish-across-shards";

/**
 * A piece of background work. Must be safe to run on several instances at the same time, and a long
 * chore must end early when `stopping` aborts. `chore-query-plans.more.test.ts` checks each chore's
 * query plan on a filled database.
 */
type Chore = { name: string; run: (stopping: AbortSignal) => Promise<unknown> };

/**
 * Chores that must run on time but nearly always have nothing to do. Once a second, one statement
 * evaluates every chore's `due` condition, and only due chores run.
 */
export const onDueChores: readonly (Chore & { due: Sql })[] = [
  { name: "held answers", due: heldAnswersDue, run: sendDueAnswers },
  { name: "deadlines", due: deadlinesDue, run: settleDueDeadlines },
  { name: "late questions of frozen apps", due: lateQuestionsDue, run: stopLateQuestions },
  { name: "snoozed approvals", due: snoozedDue, run: returnDueSnoozed },
  { name: "removed accounts", due: hasRemovedToErase, run: (stopping) => eraseRemoved({ stopping }) },
  { name: "linked accounts", due: accountsDue, run: (stopping) => keepAlive({ stopping }) },
  { name: "open transactions", due: hasIdleToSkip, run: () => skipIdleTransactions() },
  { name: "refused sign-ins", due: failedSignInsDue, run: flushFailedSignIns },
];
const lookMs = 1000;

/** Chores that every instance runs at a fixed interval. */
export const intervalChores: readonly (Chore & { intervalMs: number })[] = [
  { name: "sweep", intervalMs: 300_000, run: sweep },
  { name: "retention", intervalMs: 600_000, run: applyRetention },
  { name: "create log partitions", intervalMs: 3_600_000, run: () => createPartition() },
  { name: "email owners about refused sign-ins", intervalMs: 60_000, run: mailRefusals },
  { name: "file expired notifications", intervalMs: 60_000, run: () => markExpiredDone() },
  { name: "email owners", intervalMs: 30_000, run: emailOwners },
  { name: "log blocking transactions", intervalMs: 5_000, run: () => logBlockingTransaction() },
  { name: "return expired clarifications", intervalMs: 10_000, run: returnDueClarifications },
  { name: "finish deletions on several shards", intervalMs: 600_000, run: finishAcrossShards },
];

/** Returns whether each chore of `onDueChores` is due, in that order. */
export async function dueChores(): Promise<boolean[]> {
  const look = sql<{ due: boolean[] }>`
    SELECT ARRAY[${list(onDueChores.map(({ due }) => due))}] AS due`;
  return (await look.row())?.due ?? [];
}

/** When a chore last succeeded or had nothing to do, in epoch seconds. */
type LastSuccess = { chore: string; start: BackgroundStart | undefined; at: number };
const done = new Map<string, LastSuccess>();
const isDone = (chore: string, start: BackgroundStart | undefined) =>
  void done.set(`${chore} ${JSON.stringify(start?.destination)}`, { chore, start, at: clock.now() / 1000 });

export const choreTimestamps: Gauge = {
  name: "countersign_chore_last_success_timestamp_seconds",
  help: "Unix time when the chore last succeeded or had nothing to do. Before the first run, the time is the start of the process.",
  labels: ["chore", "shard"],
  read: () => [...done.values()].map(({ chore, start, at }) => [chore, ...Object.values(start?.about() ?? {}), at]),
};

/**
 * Starts all chores, on the shard of the background work that calls this. A chore with an interval
 * waits that long after each run.
 * @returns a stop function, which resolves once no chore is running
 */
export function startChores(): () => Promise<void> {
  const failureMessage = "a chore failed; the service will retry";
  const start = currentStart();
  const noted = ({ name, run }: Chore) => {
    isDone(name, start);
    return {
      failureMessage,
      about: { chore: name },
      run: (stopping: AbortSignal) => run(stopping).then(() => isDone(name, start)),
    };
  };
  const timed = intervalChores.map((chore) => loop({ intervalMs: chore.intervalMs, ...noted(chore) }));
  const woken = onDueChores.map((chore) => loop(noted(chore)));
  const looking = loop({
    intervalMs: lookMs,
    failureMessage: "could not check for due chores; the service will retry",
    run: async () => {
      for (const [index, due] of (await dueChores()).entries()) {
        if (due) woken[index]?.wake();
        else isDone(onDueChores[index]?.name ?? "", start);
      }
    },
  });
  return async () => {
    await Promise.all([looking, ...timed, ...woken].map(({ stop }) => stop()));
  };
}
