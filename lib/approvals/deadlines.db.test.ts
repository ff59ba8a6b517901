import { afterEach, expect, test, vi } from "vitest";
import { db, pool } from "@/lib/database/db";
import { listEvents } from "@/lib/event-feed/event-feed";
import { revokeScope } from "@/lib/grants/revoke-scope";
import { readLiveCounts } from "@/lib/live-counts/live-counts";
import { changeSettings } from "@/lib/owners/settings";
import { answerApproval } from "@/lib/testing/answer-approval";
import { configure } from "@/lib/testing/change-settings";
import { recordPassedDeadlines, sendDueAnswers, settleDueDeadlines } from "@/lib/testing/chores";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { getApproval, listApprovals, resolveApproval, submitApproval } from "./approvals";
import { countInbox, readApproval, recentEndings, searchWaiting } from "./inbox-queries";
import type { Approval, NewApproval } from "./schema";
import { searchApprovals } from "./search";
import { snoozeApprovals } from "./triage";
import { waitForApproval } from "./wait-for-approval";

const ship = { kind: "option", optionId: "ship" } as const;
const hour = 3_600_000;

async function asker() {
  const made = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  const ask = async (more: Partial<NewApproval> = {}) =>
    (await submitApproval(made.app, { ...aQuestion, expiresAt: Date.now() + hour, ...more })).id;
  const read = async (id: string) => JSON.parse((await getApproval(made.app, id)).text) as Approval;
  return { ...made, ask, read };
}

/**
 * Moves an approval's creation and deadline into the past, and updates the approval's content hash.
 */
async function pass(id: string, ms = hour + 1000) {
  const client = await pool().connect();
  try {
    await client.query("BEGIN; SET LOCAL session_replication_role = replica");
    const back = `- make_interval(secs => ${ms / 1000})`;
    await client.query(
      `UPDATE approval a SET created_at = created_at ${back}, expires_at = expires_at ${back} WHERE id = $1`,
      [id],
    );
    await client.query("UPDATE approval a SET content_hash = approval_current_hash(a) WHERE id = $1", [id]);
    await client.query("COMMIT");
  } finally {
    client.release();
  }
}
const eventsOf = async (id: string) =>
  (await db.event.findMany({ where: { subject: id }, orderBy: { id: "asc" } })).map(({ type }) => type);

test("accepts deadlines from ten seconds to 366 days ahead", async () => {
  const { ask, read } = await asker();
  const day = 24 * hour;
  for (const expiresAt of [0, 1, Date.now() - 1000, Date.now() + 8000, Date.now() + 367 * day, Number.MAX_SAFE_INTEGER])
    await expect(ask({ expiresAt }), String(expiresAt)).rejects.toMatchObject({
      status: 400,
      details: [{ path: "expiresAt", message: "Must be 10 seconds to 366 days from now" }],
    });
  for (const expiresAt of [Date.now() + 20_000, Date.now() + 365 * day])
    expect(await read(await ask({ expiresAt }))).toMatchObject({ expiresAt, status: "pending" });
  expect(await read(await ask({ expiresAt: undefined }))).not.toHaveProperty("expiresAt");
});

test("requires approvals:resolve for a question with a default", async () => {
  const { app, clientId } = await anAppWith("approvals:write", "approvals:read");
  const ask = { ...aQuestion, expiresAt: Date.now() + hour, defaultOptionId: "wait" };
  await expect(submitApproval(app, ask)).rejects.toMatchObject({ status: 403, scope: "approvals:resolve" });
  expect(await db.approval.count({ where: { appId: clientId } })).toBe(0);
});

test("rejects answers after the deadline", async () => {
  const { app, owner, ask, read } = await asker();
  for (const settles of [false, true]) {
    const id = await ask();
    await pass(id);
    if (settles) await recordPassedDeadlines();
    for (const actor of [app, owner])
      await expect(resolveApproval(actor, id, ship)).rejects.toMatchObject({ status: 409, message: "Deadline passed" });
    await expect(answerApproval(owner, id, ship)).rejects.toMatchObject({ status: 409, message: "Deadline passed" });
    expect(await read(id)).toMatchObject({ status: "pending", deadlinePassed: true });
    await changeSettings(owner, { undoSeconds: 30 });
    await expect(answerApproval(owner, id, ship)).rejects.toMatchObject({ status: 409, message: "Deadline passed" });
    await changeSettings(owner, { undoSeconds: 0 });
  }
});

afterEach(() => void vi.useRealTimers());

test("compares deadlines with the database's clock", async () => {
  const { app, owner, ask, read } = await asker();
  for (const skew of [-600_000, 600_000]) {
    vi.useRealTimers();
    const real = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: real + skew });
    const [open, over] = [await ask({ expiresAt: real + 60_000 }), await ask({ expiresAt: real + 60_000 })];
    await expect(ask({ expiresAt: real + 5000 })).rejects.toMatchObject({ status: 400 });
    await pass(over, 61_000);
    await expect(resolveApproval(app, over, ship)).rejects.toMatchObject({ message: "Deadline passed" });
    expect(await read(over)).toMatchObject({ deadlinePassed: true });
    expect(await read(open)).not.toHaveProperty("deadlinePassed");
    await answerApproval(owner, open, ship);
    const { resolution, _creationTime } = await read(open);
    expect(resolution?.resolvedBy).toBe("owner");
    expect(resolution?.resolvedAt).toBeGreaterThanOrEqual(_creationTime);
    expect(Math.abs((resolution?.resolvedAt ?? 0) - real)).toBeLessThan(60_000);
  }
});

test("records a passed deadline only once during concurrent reads", async () => {
  const { ask, read, owner } = await asker();
  const id = await ask();
  expect(await recordPassedDeadlines({ ownerId: owner.ownerId })).toBe(0);
  await pass(id);
  await Promise.all([
    ...Array.from({ length: 10 }, () => read(id)),
    ...Array.from({ length: 10 }, () => settleDueDeadlines()),
  ]);
  expect(await eventsOf(id)).toEqual(["approval.submitted", "approval.deadline_passed"]);
  expect(await read(id)).toMatchObject({ status: "pending", deadlinePassed: true });
});

test("records a default only once and as the app's answer", async () => {
  const { ask, read, owner, app } = await asker();
  for (let round = 0; round < 10; round++) {
    const id = await ask({ defaultOptionId: "wait" });
    await pass(id);
    const answers = await Promise.allSettled([
      ...Array.from({ length: 10 }, () => settleDueDeadlines()),
      ...Array.from({ length: 5 }, () => read(id)),
      ...Array.from({ length: 5 }, (_, n) => resolveApproval(n % 2 ? owner : app, id, ship)),
    ]);
    expect(answers.map(({ status }) => status).slice(15)).toEqual(Array(5).fill("rejected"));
    const { status, resolution, ...rest } = await read(id);
    expect(status).toBe("resolved");
    expect(resolution).toEqual({
      kind: "option",
      optionId: "wait",
      note: "Deadline passed",
      resolvedBy: "api",
      resolvedAt: expect.any(Number),
    });
    expect(rest).not.toHaveProperty("deadlinePassed");
    expect(resolution?.resolvedAt).toBeGreaterThan(rest.expiresAt as number);
    expect(await eventsOf(id)).toEqual(["approval.submitted", "approval.deadline_passed", "approval.resolved"]);
    await expect(resolveApproval(owner, id, ship)).rejects.toMatchObject({ message: "Already resolved" });
  }
});

test("returns a due default as the answer even before the periodic chore runs", async () => {
  const { ask, app } = await asker();
  const [one, two] = [await ask({ defaultOptionId: "wait" }), await ask({ defaultOptionId: "ship" })];
  await pass(one);
  expect(JSON.parse((await getApproval(app, one)).text)).toMatchObject({ resolution: { optionId: "wait" } });
  await pass(two);
  const { data } = JSON.parse((await listApprovals(app, {})).text) as { data: Approval[] };
  expect(data.map(({ status }) => status)).toEqual(["resolved", "resolved"]);
  expect((await listApprovals(app, { status: "pending" })).text).toBe('{"data":[]}');
});

test("ignores the default of an app that lost approvals:resolve", async () => {
  const { ask, owner, clientId, read } = await asker();
  const id = await ask({ defaultOptionId: "wait" });
  await revokeScope(owner, clientId, "approvals:resolve");
  await pass(id);
  await recordPassedDeadlines();
  expect(await read(id)).toMatchObject({ status: "pending", deadlinePassed: true });
});

test("lists the deadline event before the resolution event", async () => {
  const { ask, app, read } = await asker();
  const id = await ask({ defaultOptionId: "wait" });
  await pass(id);
  await recordPassedDeadlines();
  const { expiresAt, resolution, contentHash } = await read(id);
  // Another test's open transaction may delay the events.
  const told = async () =>
    JSON.parse((await listEvents(app, {}, () => new AbortController().signal)).text).data.slice(-2);
  await expect
    .poll(told)
    .toEqual([
      expect.objectContaining({ type: "approval.deadline_passed", data: { id, expiresAt } }),
      expect.objectContaining({ type: "approval.resolved", data: { id, resolution, contentHash } }),
    ]);
});

test("ends a wait when the deadline passes", async () => {
  const { ask, app } = await asker();
  const id = await ask();
  const waiting = waitForApproval(app, id, 10, new AbortController().signal);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await pass(id);
  await recordPassedDeadlines();
  const told = await waiting;
  expect(JSON.parse(told.text)).toMatchObject({ status: "pending", deadlinePassed: true });
  expect(told.retryAfter).toBeUndefined();
  const began = performance.now();
  expect((await waitForApproval(app, id, 1, new AbortController().signal)).retryAfter).toBe(1);
  expect(performance.now() - began).toBeGreaterThan(900);
});

test("records a passed deadline on time even without the periodic chore", async () => {
  const { ask, owner } = await asker();
  const id = await ask({ defaultOptionId: "wait" });
  await pass(id, hour - 1300);
  await settleDueDeadlines();
  await expect.poll(async () => (await db.approval.findUniqueOrThrow({ where: { id } })).status).toBe("resolved");
  const { resolution, expiresAt } = await readApproval(owner, id);
  expect(resolution?.resolvedAt).toBeGreaterThanOrEqual(expiresAt as number);
});

test("records a held answer that the owner gave before the deadline", async () => {
  const { ask, read, owner } = await asker();
  await changeSettings(owner, { undoSeconds: 30 });
  const id = await ask({ defaultOptionId: "wait" });
  await pass(id, hour - 5000);
  const { held } = await answerApproval(owner, id, ship);
  expect(held?.leftMs).toBeGreaterThan(0);
  expect(held?.leftMs).toBeLessThanOrEqual(5000);
  await pass(id, 8000);
  await recordPassedDeadlines();
  expect(await read(id)).toMatchObject({ status: "pending" });
  expect(await read(id)).not.toHaveProperty("deadlinePassed");
  await pool().query(
    "UPDATE approval_triage d SET commit_at = now() - interval '1 second', held_hash = a.content_hash FROM approval a WHERE a.id = approval_id AND a.id = $1",
    [id],
  );
  await sendDueAnswers();
  expect(await read(id)).toMatchObject({ resolution: { ...ship, resolvedBy: "owner" } });
  expect(await recordPassedDeadlines()).toBe(0);
  expect(await eventsOf(id)).toEqual(["approval.submitted", "approval.resolved"]);
});

test("moves expired questions to a separate list", async () => {
  const { ask, owner, clientId } = await asker();
  const [late, other] = [await ask({ question: "Late?" }), await ask({ question: "Other?" })];
  const counts = async () => [
    await countInbox(owner),
    (await readLiveCounts({ ...owner, session: "none" })).pending,
    (await searchWaiting(owner, "late")).length,
  ];
  expect(await counts()).toEqual([expect.objectContaining({ waiting: 2, snoozed: 0, passed: 0 }), 2, 1]);
  await pass(late);
  expect(await counts()).toEqual([expect.objectContaining({ waiting: 1, snoozed: 0, passed: 0 }), 1, 0]);
  await recordPassedDeadlines({ ownerId: owner.ownerId });
  expect(await counts()).toEqual([expect.objectContaining({ waiting: 1, snoozed: 0, passed: 1 }), 1, 0]);
  const ids = async (list: "waiting" | "passed" | "answered") =>
    (await searchApprovals(owner, { list, appId: clientId })).approvals.map(({ _id }) => _id);
  expect([await ids("waiting"), await ids("passed"), await ids("answered")]).toEqual([[other], [late], []]);
  expect(await readApproval(owner, late)).toMatchObject({ status: "pending", deadlinePassed: true });
});

test("distinguishes a recorded default from an app's own answer", async () => {
  const { ask, owner, app } = await asker();
  const [byDefault, bySelf] = [await ask({ defaultOptionId: "wait" }), await ask({ defaultOptionId: "wait" })];
  await resolveApproval(app, bySelf, { kind: "option", optionId: "wait", note: "Deadline passed" });
  await pass(byDefault);
  await recordPassedDeadlines();
  expect((await readApproval(owner, byDefault)).byDefault).toBe(true);
  expect((await readApproval(owner, bySelf)).byDefault).toBeUndefined();
  const endings = await recentEndings(owner);
  expect(endings.map(({ id, byDefault }) => [id, byDefault])).toEqual([
    [byDefault, true],
    [bySelf, false],
  ]);
});

test("lists questions due within a day first", async () => {
  const { ask, owner } = await asker();
  const soon = Date.now() + hour;
  const never = await ask({ expiresAt: undefined });
  const later = await ask({ expiresAt: Date.now() + 25 * hour });
  const ids = [];
  for (let at = 0; at < 52; at++) ids.push(await ask({ expiresAt: soon - at * 1000 }));
  const wanted = [...ids.reverse(), never, later];
  const first = await searchApprovals(owner, { list: "waiting" });
  const second = await searchApprovals(owner, { list: "waiting", after: first.next });
  expect([...first.approvals, ...second.approvals].map(({ _id }) => _id)).toEqual(wanted);
});

test("ends a snooze before the question's deadline", async () => {
  const { ask, owner } = await asker();
  const expiresAt = Date.now() + hour;
  const id = await ask({ expiresAt });
  const until = await snoozeApprovals(owner, [id], { choice: "tomorrow", timeZone: "UTC" });
  expect(Math.abs(until - (expiresAt - 0.2 * hour))).toBeLessThan(5000);
});

test("excludes expired questions from the pending limit", async () => {
  const { app, ask, owner } = await asker();
  const { ownerId } = owner;
  const { env } = await import("@/lib/config/env");
  configure({ MAX_PENDING: "2" });
  try {
    expect(env().maxPending).toBe(2);
    const [one] = [await ask(), await ask()];
    await expect(ask()).rejects.toMatchObject({ status: 429 });
    await pass(one as string);
    await recordPassedDeadlines({ ownerId });
    await ask();
    await expect(submitApproval(app, aQuestion)).rejects.toMatchObject({ status: 429 });
  } finally {
    configure({ MAX_PENDING: undefined });
  }
});
