import { expect, test } from "vitest";
import { disconnect, pool } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { pushNotification } from "@/lib/notifications/notifications";
import { triage } from "@/lib/notifications/triage";
import { changeSettings } from "@/lib/owners/settings";
import { answerApproval, answerTogether } from "@/lib/testing/answer-approval";
import { alertOwners, recordPassedDeadlines, sendDueAnswers } from "@/lib/testing/chores";
import { anAppWith } from "@/lib/testing/factories";
import { query } from "@/lib/testing/temporary-postgres";
import { submitApproval } from "./approvals";
import { sendAnswersNow, undoAnswers } from "./held-answers";
import { addToApproval } from "./thread/additions";
import { askClarification } from "./thread/clarifications";
import {
  markSeen,
  markUnexpected,
  returnDueClarifications,
  returnDueSnoozed,
  snoozeApprovals,
  unsnoozeApprovals,
} from "./triage";

const url = process.env.DATABASE_URL ?? "";
const rounds = 25;

const shuffled = <T>(all: readonly T[]): T[] =>
  all
    .map((it) => ({ it, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ it }) => it);

/**
 * Returns the database's count of deadlocks. Closes all connections first, because some report
 * their deadlocks only when they close.
 */
async function deadlocks(): Promise<number> {
  await disconnect();
  const { rows } = await pool().query<{ n: number }>(
    "SELECT sum(deadlocks)::int AS n FROM pg_stat_database WHERE datname LIKE current_database() || '%'",
  );
  return rows[0]?.n ?? -1;
}

test("runs owner actions, chores and app requests without deadlocks", async () => {
  // The short deadlock timeout ensures that a deadlock delays the other statements only briefly.
  await query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET deadlock_timeout = '20ms'`);
  await disconnect();
  const { owner, app } = await anAppWith("approvals:write", "approvals:read", "notifications:write");
  await changeSettings(owner, { undoSeconds: 5 });
  const options = [{ id: "yes", label: "Yes" }];
  const expiresAt = Date.now() + 3_600_000;
  const asked = (nth: number) =>
    submitApproval(
      { ...app, needs: "approvals:write" },
      { question: `Ship ${nth}?`, options, ...(nth % 3 === 0 && { expiresAt }) },
    );
  const approvals: string[] = [];
  for (let nth = 0; nth < 24; nth++) approvals.push((await asked(nth)).id);
  const notifications: string[] = [];
  for (let nth = 0; nth < 24; nth++)
    notifications.push(
      (
        await pushNotification(
          { ...app, needs: "notifications:write" },
          { title: `Done ${nth}`, body: "", type: "info", data: {} },
        )
      ).id,
    );
  const some = (all: readonly string[]) => shuffled(all).slice(0, 12);
  const one = () => shuffled(approvals)[0] as string;
  const yes = { kind: "option", optionId: "yes" } as const;
  const snooze = { choice: "hour", timeZone: "UTC" } as const;
  const acts: (() => Promise<unknown>)[] = [
    () => markSeen(owner, some(approvals), true),
    () => markSeen(owner, some(approvals), false),
    () => unsnoozeApprovals(owner, some(approvals)),
    () => snoozeApprovals(owner, some(approvals), snooze),
    () => undoAnswers(owner, some(approvals)),
    () => answerTogether(owner, some(approvals).slice(0, 3), yes),
    () => answerApproval(owner, one(), yes),
    () => sendAnswersNow(owner, [one()]),
    () => askClarification(owner, one(), "Why?"),
    () => markUnexpected(owner, one(), "mute"),
    () => addToApproval({ ...app, needs: "approvals:write" }, one(), { text: "Because." }),
    ...["done", "back", "read", "unread", "snooze-60", "surface"].map(
      (act) => () => triage(owner, { act: act as "done", ids: some(notifications), at: [] }),
    ),
    () => triage(owner, { act: "read-all", ids: notifications.slice(-1) }),
    ...[
      sendDueAnswers,
      returnDueSnoozed,
      returnDueClarifications,
      () => recordPassedDeadlines({ ownerId: owner.ownerId }),
      () => alertOwners([owner.ownerId]),
    ],
  ];
  const before = await deadlocks();
  const unexpected: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const done = await Promise.allSettled(shuffled([...acts, ...acts]).map((act) => act()));
    for (const each of done)
      if (each.status === "rejected" && !(each.reason instanceof AppError)) unexpected.push(String(each.reason));
  }
  expect(unexpected).toEqual([]);
  expect(await deadlocks()).toBe(before);
});
