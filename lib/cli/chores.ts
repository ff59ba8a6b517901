import { emailOwners } from "@/lib/alerts/email";
import { deadlinesDue, settleDueDeadlines } from "@/lib/approvals/deadlines";
import { heldAnswersDue, sendDueAnswers } from "@/lib/approvals/held-answers";
import { returnDueClarifications, returnDueSnoozed, snoozedDue } from "@/lib/approvals/triage";
import { applyRetention } from "@/lib/archive/retention";
import { list, type Sql, sql } from "@/lib/database/sql";
import { logBlockingTransaction } from "@/lib/events/blocking-transaction";
import { createPartition } from "@/lib/events/partitions";
import { hasIdleToSkip, skipIdleTransactions } from "@/lib/events/skip-idle";
import { eraseRemoved, hasRemovedToErase } from "@/lib/integrations/disconnect";
import { accountsDue, keepAlive } from "@/lib/integrations/keep-alive";
import { markExpiredDone } from "@/lib/notifications/auto-done";
import { failedSignInsDue, flushFailedSignIns } from "@/lib/owners/failed-sign-ins";
import { mailRefusals } from "@/lib/owners/security-mail";
import type { Gauge } from "@/lib/telemetry/metrics";
import { loop } from "@/lib/work/loop";
import { sweep } from "./sweep";

/**
 * Each must be safe to run on several copies at once, and is planned by `chores.db.test.ts` on a filled database. `stopping` tells
 * one that goes on for long that the copy is to end.
 */
type Chore = { name: string; run: (stopping: AbortSignal) => Promise<unknown> };

/**
 * What has to be on time. Nearly always there is nothing to do: one statement a second asks for all of them whether there is
 * (`due`), and each is done where it says so.
 */
export const onDueChores: readonly (Chore & { due: Sql })[] = [
  { name: "held answers", due: heldAnswersDue, run: sendDueAnswers },
  { name: "deadlines", due: deadlinesDue, run: settleDueDeadlines },
  { name: "snoozed approvals", due: snoozedDue, run: returnDueSnoozed },
  { name: "removed accounts", due: hasRemovedToErase, run: (stopping) => eraseRemoved({ stopping }) },
  { name: "linked accounts", due: accountsDue, run: (stopping) => keepAlive({ stopping }) },
  { name: "open transactions", due: hasIdleToSkip, run: () => skipIdleTransactions() },
  { name: "refused sign-ins", due: failedSignInsDue, run: flushFailedSignIns },
];
const lookMs = 1000;

/** What every running copy does from time to time: as often as docs/operations.md says. */
export const intervalChores: readonly (Chore & { everyMs: number })[] = [
  { name: "sweep", everyMs: 300_000, run: sweep },
  { name: "retention", everyMs: 600_000, run: applyRetention },
  { name: "partitions of the log", everyMs: 3_600_000, run: () => createPartition() },
  { name: "e-mail about refused sign-ins", everyMs: 60_000, run: mailRefusals },
  { name: "file expired notifications", everyMs: 60_000, run: () => markExpiredDone() },
  { name: "e-mail", everyMs: 30_000, run: emailOwners },
  { name: "who holds up events", everyMs: 5_000, run: () => logBlockingTransaction() },
  { name: "approvals that wait for their apps", everyMs: 10_000, run: returnDueClarifications },
];

/** Which of what has to be on time has something to do, in order. */
export async function dueChores(): Promise<boolean[]> {
  const seen = await sql<{ due: boolean[] }>`SELECT ARRAY[${list(onDueChores.map(({ due }) => due))}] AS due`.row();
  return seen?.due ?? [];
}

/** When each was last done, or looked at and found to have nothing to do; in epoch seconds. */
const done = new Map<string, number>();
const isDone = (name: string) => void done.set(name, Date.now() / 1000);

export const choreTimestamps: Gauge = {
  name: "countersign_chore_last_success_timestamp_seconds",
  help: "When a chore was last done well or had nothing to do; at first, when the process began.",
  labels: ["chore"],
  read: () => [...done],
};

/** Do the chores, each again some time after its last turn ended. @returns how to stop; resolves when none is at work */
export function startChores(): () => Promise<void> {
  const failureMessage = "a chore failed; will retry";
  const noted = ({ name, run }: Chore) => {
    isDone(name);
    return {
      failureMessage,
      about: { chore: name },
      run: (stopping: AbortSignal) => run(stopping).then(() => isDone(name)),
    };
  };
  const timed = intervalChores.map((chore) => loop({ intervalMs: chore.everyMs, ...noted(chore) }));
  const woken = onDueChores.map((chore) => loop(noted(chore)));
  const looking = loop({
    intervalMs: lookMs,
    failureMessage: "could not check what is due; will retry",
    run: async () => {
      for (const [at, due] of (await dueChores()).entries()) {
        if (due) woken[at]?.wake();
        else isDone(onDueChores[at]?.name ?? "");
      }
    },
  });
  return async () => {
    await Promise.all([looking, ...timed, ...woken].map(({ stop }) => stop()));
  };
}
