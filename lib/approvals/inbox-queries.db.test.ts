import { expect, test } from "vitest";
import { pool } from "@/lib/database/db";
import { freeze } from "@/lib/freeze/freeze";
import { updateAppPreferences } from "@/lib/grants/app-preferences";
import { revokeGrant } from "@/lib/grants/grants";
import { newId } from "@/lib/ids";
import { readLiveCounts } from "@/lib/live-counts/live-counts";
import { changeSettings } from "@/lib/owners/settings";
import { answerApproval } from "@/lib/testing/answer-approval";
import { anApp, anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { resolveApproval, submitApproval } from "./approvals";
import { countInbox, latestRound, readApproval, recentEndings } from "./inbox-queries";
import { searchApprovals, waitingFromApp } from "./search";
import { askClarification } from "./thread/clarifications";
import { reportOutcome } from "./thread/report-outcome";
import { markSeen, snoozeApprovals } from "./triage";

const ask = (question: string) => ({ question, options: [{ id: "yes", label: "Yes" }] });
const inbox = async () => {
  const made = await anAppWith("approvals:write", "approvals:resolve");
  return { ...made, submit: async (question: string) => (await submitApproval(made.app, ask(question))).id };
};

test("pages through pending questions from the oldest without gaps or duplicates", async () => {
  const { owner, submit } = await inbox();
  const ids = [];
  for (let at = 0; at < 53; at++) ids.push(await submit(`Question ${at}?`));
  const first = await searchApprovals(owner, { list: "waiting" });
  expect(first.approvals.map(({ _id }) => _id)).toEqual(ids.slice(0, 50));
  // A cursor remains valid after its own approval is answered.
  await answerApproval(owner, ids[49] as string, { kind: "option", optionId: "yes" });
  const second = await searchApprovals(owner, { list: "waiting", after: first.next as string });
  expect(second.approvals.map(({ _id }) => _id)).toEqual(ids.slice(50));
  expect(second.next).toBeUndefined();
  expect((await countInbox(owner)).waiting).toBe(52);
});

test("counts pending questions in total and per app", async () => {
  const { owner, app, clientId, submit } = await inbox();
  const [quiet, loud] = [await anApp(owner), await anApp(owner)];
  const asks = async (by: typeof quiet, count: number) => {
    const { app: asking } = await aTokenFor(owner, by.clientId, ["approvals:write"]);
    for (let at = 0; at < count; at++) await submitApproval(asking, ask(`Question ${at}?`));
  };
  const ids: string[] = [];
  for (let at = 0; at < 104; at++) ids.push(await submit(`Question ${at}?`));
  ids.push((await submitApproval(app, { ...ask("Long?"), backgroundContext: "The soak test ended" })).id);
  await asks(quiet, 3);
  await asks(loud, 2);
  await updateAppPreferences(owner, loud.clientId, { questionsMuted: true });
  const [asked = "", away = "", held = "", ...waiting] = ids;
  await askClarification(owner, asked, "Why?");
  await snoozeApprovals(owner, [away], { choice: "hour", timeZone: "UTC" });
  await changeSettings(owner, { undoSeconds: 30 });
  await answerApproval(owner, held, { kind: "option", optionId: "yes" });
  expect(await countInbox(owner)).toEqual({
    waiting: 105,
    snoozed: 1,
    passed: 0,
    folds: { [clientId]: 102, [quiet.clientId]: 3, muted: 2, asked: 1, snoozed: 1, late: 0 },
    isCapped: false,
  });
  expect(await countInbox(owner, { appId: quiet.clientId })).toMatchObject({ waiting: 3, snoozed: 0 });
  // Frozen questions stay in the list and its groups, but none of them can be answered.
  await freeze(owner, { appId: quiet.clientId, by: "owner" });
  expect(await countInbox(owner)).toMatchObject({ waiting: 102, folds: { [quiet.clientId]: 3 } });

  // `waitingFromApp` returns all pending questions from one app, even if they exceed one page,
  // without the app's longer texts.
  const all = await waitingFromApp(owner, clientId);
  expect(all.slice(-2).map(({ hasBackground }) => hasBackground)).toEqual([false, true]);
  expect(all.map(({ _id }) => _id)).toEqual(waiting);
  const { backgroundContext: _, ...first } = await readApproval(owner, waiting[0] ?? "");
  expect(all[0]).toEqual({ ...first, hasBackground: false });
  expect(await waitingFromApp(await anOwner(), clientId)).toEqual([]);
});

test("lists the latest answers first", async () => {
  const { owner, submit } = await inbox();
  const [one, two] = [await submit("One?"), await submit("Two?")];
  await answerApproval(owner, two, { kind: "option", optionId: "yes" });
  await answerApproval(owner, one, { kind: "other", otherText: "No", note: "Why" });
  const { approvals } = await searchApprovals(owner, { list: "answered" });
  expect(approvals.map(({ _id }) => _id)).toEqual([one, two]);
  expect(approvals[0]?.resolution).toMatchObject({ kind: "other", otherText: "No", note: "Why", resolvedBy: "owner" });
  expect((await searchApprovals(owner, { list: "answered", after: one })).approvals.map(({ _id }) => _id)).toEqual([
    two,
  ]);
});

test("returns the recorded answer to an owner who answers again", async () => {
  const { owner, submit } = await inbox();
  const id = await submit("One?");
  const first = await answerApproval(owner, id, { kind: "option", optionId: "yes" });
  expect(first.won).toBe(true);
  const second = await answerApproval(owner, id, { kind: "other", otherText: "No" });
  expect(second).toEqual({ won: false, resolution: first.resolution });
  await expect(answerApproval(owner, newId("apr"), { kind: "other", otherText: "No" })).rejects.toThrow("Not found");
});

test("lists only the owner's own questions", async () => {
  const { owner, submit, clientId, name } = await inbox();
  const id = await submit("Mine?");
  const other = await anOwner();
  const { app } = await aTokenFor(other, clientId, ["approvals:write"]);
  const theirs = (await submitApproval(app, ask("Theirs?"))).id;
  expect((await searchApprovals(owner, { list: "waiting" })).approvals.map(({ _id }) => _id)).toEqual([id]);
  expect((await searchApprovals(other, { list: "waiting", appId: clientId })).approvals.map(({ _id }) => _id)).toEqual([
    theirs,
  ]);
  expect((await readApproval(owner, id)).app).toEqual({
    name,
    hue: 0,
    host: "app.example",
    revoked: false,
    muted: false,
    alwaysConfirm: false,
  });
  for (const wrong of [theirs, "apr_", "x'; --"]) await expect(readApproval(owner, wrong)).rejects.toThrow("Not found");
  // Another owner's cursor returns nothing.
  expect((await searchApprovals(owner, { list: "waiting", after: theirs })).approvals).toEqual([]);
});

test("keeps a revoked app's questions in the inbox", async () => {
  const { owner, submit, clientId } = await inbox();
  const id = await submit("Still there?");
  await revokeGrant(owner, clientId);
  expect((await readApproval(owner, id)).app.revoked).toBe(true);
  expect((await countInbox(owner)).waiting).toBe(1);
  // The badge and the list show the same number.
  expect((await readLiveCounts({ ...owner, session: "none" })).pending).toBe(1);
  expect((await answerApproval(owner, id, { kind: "option", optionId: "yes" })).won).toBe(true);
  expect((await countInbox(owner)).waiting).toBe(0);
});

test("reports how each recent approval ended", async () => {
  const { owner, app, submit } = await inbox();
  const [mine, theirs] = [await submit("Mine?"), await submit("Theirs?")];
  await submit("Open?");
  await answerApproval(owner, mine, { kind: "option", optionId: "yes" });
  await changeSettings(owner, { undoSeconds: 30 });
  await answerApproval(owner, theirs, { kind: "other", otherText: "No" });
  await resolveApproval(app, theirs, { kind: "option", optionId: "yes" });
  expect(await recentEndings(owner)).toEqual([
    {
      id: theirs,
      missed: true,
      byDefault: false,
      own: false,
      resolution: expect.objectContaining({ kind: "option", resolvedBy: "api" }),
    },
    {
      id: mine,
      missed: false,
      byDefault: false,
      own: false,
      resolution: expect.objectContaining({ optionId: "yes", resolvedBy: "owner" }),
    },
  ]);
  await markSeen(owner, [theirs], true);
  expect((await recentEndings(owner)).map(({ missed }) => missed)).toEqual([false, false]);
});

/**
 * Changes the time of an answer. Turns off the triggers that keep recorded answers from changing.
 */
async function answeredAt(id: string, at: number) {
  const client = await pool().connect();
  try {
    await client.query("BEGIN; SET LOCAL session_replication_role = replica");
    await client.query("UPDATE approval SET resolved_at = $2 WHERE id = $1", [id, new Date(at)]);
    await client.query("COMMIT");
  } finally {
    client.release();
  }
}

test("summarizes the owner's latest uninterrupted series of answers", async () => {
  const { owner, app, submit } = await inbox();
  expect(await latestRound(owner)).toBeUndefined();
  const ids: string[] = [];
  for (let at = 0; at < 5; at++) ids.push(await submit(`Question ${at}?`));
  const [before = "", one = "", two = "", own = "", byApp = ""] = ids;
  for (const id of [before, one, two]) await answerApproval(owner, id, { kind: "option", optionId: "yes" });
  await answerApproval(owner, own, { kind: "other", otherText: "Yes" });
  await resolveApproval(app, byApp, { kind: "option", optionId: "yes" });
  // The first answer is half an hour before the second, and the last is two minutes after the
  // second.
  const began = Date.now() - 600_000;
  const minutes = [-30, 0, 1, 2];
  for (const [nth, id] of [before, one, two, own].entries()) await answeredAt(id, began + (minutes[nth] ?? 0) * 60_000);
  for (const id of [before, one]) await reportOutcome(app, id, { status: "done" });
  for (const status of ["done", "failed"] as const) await reportOutcome(app, two, { status });
  await reportOutcome(app, own, { status: "started" });
  expect(await latestRound(owner)).toEqual({
    count: 3,
    tookMs: 120_000,
    endedAt: began + 120_000,
    done: 1,
    failed: 1,
  });
  expect(await latestRound(await anOwner())).toBeUndefined();
  // The summary disappears after an hour.
  for (const id of [one, two, own]) await answeredAt(id, began - 7_200_000);
  expect(await latestRound(owner)).toMatchObject({ count: 1, done: 1 });
  await answeredAt(before, began - 7_200_000);
  expect(await latestRound(owner)).toBeUndefined();
});
