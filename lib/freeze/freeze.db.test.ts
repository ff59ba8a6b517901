import { expect, test } from "vitest";
import { submitApproval } from "@/lib/approvals/approvals";
import { readApproval } from "@/lib/approvals/inbox-queries";
import type { Approval, NewApproval } from "@/lib/approvals/schema";
import { sendTestApproval } from "@/lib/approvals/service-questions/test-approval";
import { waitingFor } from "@/lib/approvals/simulated-owner";
import { db, pool } from "@/lib/database/db";
import { revokeGrant } from "@/lib/grants/grants";
import { changeSettings } from "@/lib/owners/settings";
import { answerApproval } from "@/lib/testing/answer-approval";
import { startFront } from "@/lib/testing/api-server";
import { recordPassedDeadlines, sendDueAnswers, stopLateQuestions } from "@/lib/testing/chores";
import { anApp, anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { everyApp, freeze, listFreezes, readTried, stopQuestionsOf, unfreeze } from "./freeze";

const { ask: call } = await startFront();
const hour = 3_600_000;
const ship = { kind: "option", optionId: "ship" } as const;
const all = { appId: everyApp, by: "owner" } as const;
const scopes = ["approvals:write", "approvals:read", "approvals:resolve", "notifications:write"] as const;
const refusal = { error: "Forbidden", details: [{ path: "", message: expect.any(String), reason: "frozen" }] };

async function asker() {
  const made = await anAppWith(...scopes);
  const ask = async (more: Partial<NewApproval> = {}) => (await submitApproval(made.app, { ...aQuestion, ...more })).id;
  const read = async (id: string) => (await call("GET", `/api/approvals/${id}`, made)).body as Approval;
  return { ...made, ask, read };
}

/** Moves the beginning of an owner's freezes, and the time that their questions store, into the past. */
async function freezeEarlier({ ownerId }: { ownerId: string }, ms: number) {
  const back = `- make_interval(secs => ${ms / 1000})`;
  await pool().query(`UPDATE app_freeze SET began_at = began_at ${back} WHERE owner_id = $1`, [ownerId]);
  await pool().query(`UPDATE approval SET frozen_at = frozen_at ${back} WHERE owner_id = $1`, [ownerId]);
}

test("rejects the next request of every app, before any other reason, until the owner unfreezes them", async () => {
  const owner = await anOwner();
  const tokens = [];
  for (const some of [scopes, ["notifications:read"]] as const) {
    const { clientId } = await anApp(owner);
    tokens.push((await aTokenFor(owner, clientId, [...some])).token);
  }
  const other = await asker();
  await freeze(owner, all);
  for (const token of tokens)
    for (const [method, path, body] of [
      ["GET", "/api/approvals"],
      ["GET", "/api/integrations"],
      ["POST", "/api/approvals", { question: 1 }],
      ["GET", "/api/events"],
    ] as const) {
      const reply = await call(method, path, { token, body });
      expect([path, reply.status, reply.body]).toEqual([path, 403, refusal]);
    }
  expect((await call("GET", "/api/approvals", other)).status).toBe(200);
  await unfreeze(owner, everyApp);
  expect((await call("GET", "/api/approvals", { token: tokens[0] })).status).toBe(200);
});

test("freezes grants that are created during a freeze", async () => {
  const owner = await anOwner();
  await freeze(owner, all);
  const { clientId } = await anApp(owner);
  const { token } = await aTokenFor(owner, clientId, ["approvals:read"]);
  expect((await call("GET", "/api/approvals", { token })).body).toEqual(refusal);
  await unfreeze(owner, everyApp);
  expect((await call("GET", "/api/approvals", { token })).status).toBe(200);
});

test("explains to the owner that a test question can't be asked during a freeze", async () => {
  const owner = await anOwner();
  await freeze(owner, all);
  await expect(sendTestApproval(owner)).rejects.toMatchObject({
    status: 409,
    message: expect.stringMatching(/^All apps are frozen/),
  });
});

test("ends a wait with the reason", async () => {
  const { owner, token, ask } = await asker();
  const id = await ask();
  const waiting = call("GET", `/api/approvals/${id}?wait=60`, { token });
  await freeze(owner, all);
  const reply = await waiting;
  expect([reply.status, reply.body]).toEqual([403, refusal]);
});

test("rejects the owner's answers, and returns held answers to pending", async () => {
  const { owner, ask, read } = await asker();
  await changeSettings(owner, { undoSeconds: 30 });
  const [held, late, other] = [await ask(), await ask(), await ask()];
  for (const id of [held, late]) expect(await answerApproval(owner, id, ship)).toMatchObject({ held: {} });
  await freeze(owner, all);
  expect((await readApproval(owner, held)).triage.held).toBeUndefined();
  await expect(answerApproval(owner, other, ship)).rejects.toMatchObject({ status: 409 });
  expect(await waitingFor(owner, [])).toEqual([]);
  // An answer that was held by a statement that started before the freeze.
  await pool().query(
    `UPDATE approval_triage SET held_answer = $2, commit_at = now() - interval '1 second', held_hash = $3
     WHERE approval_id = $1`,
    [late, JSON.stringify(ship), (await readApproval(owner, late)).contentHash],
  );
  await sendDueAnswers();
  expect((await readApproval(owner, late)).triage.held).toBeUndefined();
  await unfreeze(owner, everyApp);
  for (const id of [held, late, other]) expect(await read(id)).toMatchObject({ status: "pending" });
  await changeSettings(owner, { undoSeconds: 0 });
  expect(await answerApproval(owner, held, ship)).toMatchObject({ won: true });
});

test("moves deadlines by exactly the time of the freeze, and never the submitted deadline", async () => {
  const { owner, ask, read } = await asker();
  const id = await ask({ expiresAt: Date.now() + hour / 2, defaultOptionId: "wait" });
  const plain = await ask();
  const before = await read(id);
  await freeze(owner, all);
  await freezeEarlier(owner, hour);
  const shown = await readApproval(owner, id);
  expect(shown).toMatchObject({ frozen: true, expiresAt: before.expiresAt });
  expect(shown.deadlinePassed).toBeUndefined();
  expect(shown.dueAt).toBeGreaterThanOrEqual((before.expiresAt ?? 0) + hour);
  await unfreeze(owner, everyApp);
  const after = await read(id);
  const event = await db.event.findFirstOrThrow({ where: { ownerId: owner.ownerId, type: "owner.unfrozen" } });
  const { frozenMs } = event.data as { frozenMs: number };
  expect(frozenMs).toBeGreaterThanOrEqual(hour);
  expect(after).toEqual({ ...before, dueAt: (before.expiresAt ?? 0) + frozenMs });
  expect(await read(plain)).not.toHaveProperty("dueAt");
  // A second freeze moves the moved deadline.
  await freeze(owner, all);
  await freezeEarlier(owner, 2 * hour);
  await unfreeze(owner, everyApp);
  expect((await read(id)).dueAt).toBeGreaterThanOrEqual((after.dueAt ?? 0) + 2 * hour);
});

test("records no default while a freeze lasts, and records the default at the moved deadline", async () => {
  const { owner, ask, read } = await asker();
  const id = await ask({ expiresAt: Date.now() + hour, defaultOptionId: "wait" });
  await freeze(owner, all);
  const client = await pool().connect();
  // The submitted deadline passes during the freeze, ten minutes of it after the freeze began.
  await client.query("BEGIN; SET LOCAL session_replication_role = replica");
  await client.query(
    `UPDATE approval SET created_at = created_at - interval '2 hours', expires_at = now() - interval '50 minutes',
      frozen_at = now() - interval '60 minutes' WHERE id = $1`,
    [id],
  );
  await client.query("UPDATE approval a SET content_hash = approval_current_hash(a) WHERE id = $1", [id]);
  await client.query("COMMIT");
  client.release();
  expect(await recordPassedDeadlines()).toBe(0);
  expect((await readApproval(owner, id)).deadlinePassed).toBeUndefined();
  await unfreeze(owner, everyApp);
  expect(await recordPassedDeadlines()).toBe(0);
  const { dueAt = 0, status } = await read(id);
  expect(status).toBe("pending");
  expect(Math.round((dueAt - Date.now()) / 60_000)).toBeLessThanOrEqual(10);
  await pool().query("UPDATE approval SET due_at = now() - interval '1 second' WHERE id = $1", [id]);
  expect(await recordPassedDeadlines({ ownerId: owner.ownerId })).toBe(1);
  expect(await read(id)).toMatchObject({ status: "resolved", resolution: { resolvedBy: "api", optionId: "wait" } });
});

test("stops a question that arrived while the freeze began", async () => {
  const { owner, ask } = await asker();
  const id = await ask({ expiresAt: Date.now() + hour, defaultOptionId: "wait" });
  await freeze(owner, all);
  await pool().query("UPDATE approval SET frozen_at = NULL WHERE id = $1", [id]);
  await stopLateQuestions();
  await expect(answerApproval(owner, id, ship)).rejects.toMatchObject({ status: 409 });
  // After a minute, the chore stops the questions for the last time.
  const finished = async () =>
    (await db.appFreeze.findFirstOrThrow({ where: { ownerId: owner.ownerId } })).stoppedAt !== null;
  expect(await finished()).toBe(false);
  await freezeEarlier(owner, 2 * 60_000);
  await stopLateQuestions();
  expect(await finished()).toBe(true);
});

test("leaves no question frozen if the freeze ends while it begins", async () => {
  const { owner, ask } = await asker();
  const id = await ask();
  const client = await pool().connect();
  await client.query("BEGIN");
  await client.query("SELECT FROM approval WHERE id = $1 FOR UPDATE", [id]);
  const begins = freeze(owner, all);
  await expect.poll(() => listFreezes(owner)).toHaveLength(1);
  const ends = unfreeze(owner, everyApp);
  await client.query("COMMIT");
  client.release();
  await Promise.all([begins, ends]);
  expect(await listFreezes(owner)).toEqual([]);
  // An instance that was slow to stop the questions, or the chore.
  await stopQuestionsOf(owner.ownerId, everyApp);
  expect((await readApproval(owner, id)).frozen).toBeUndefined();
  expect(await answerApproval(owner, id, ship)).toMatchObject({ won: true });
});

test("freezes one app, and keeps it frozen when all apps are unfrozen", async () => {
  const owner = await anOwner();
  const apps: ({ clientId: string } & Awaited<ReturnType<typeof aTokenFor>>)[] = [];
  for (let nth = 0; nth < 2; nth++) {
    const { clientId } = await anApp(owner);
    apps.push({ clientId, ...(await aTokenFor(owner, clientId, [...scopes])) });
  }
  const [one, two] = apps as [(typeof apps)[number], (typeof apps)[number]];
  const id = (await submitApproval(one.app, { ...aQuestion, expiresAt: Date.now() + hour })).id;
  const statuses = async () =>
    Promise.all(apps.map(async ({ token }) => (await call("GET", "/api/approvals", { token })).status));
  await freeze(owner, { appId: one.clientId, by: "owner" });
  expect(await statuses()).toEqual([403, 200]);
  await freeze(owner, all);
  expect(await statuses()).toEqual([403, 403]);
  await unfreeze(owner, everyApp);
  expect(await statuses()).toEqual([403, 200]);
  expect((await readApproval(owner, id)).frozen).toBe(true);
  await freeze(owner, all);
  await unfreeze(owner, one.clientId);
  expect(await statuses()).toEqual([403, 403]);
  await unfreeze(owner, everyApp);
  expect(await statuses()).toEqual([200, 200]);
  await expect(freeze(owner, { appId: "app_unknown", by: "owner" })).rejects.toMatchObject({ status: 404 });
  await revokeGrant(owner, two.clientId);
  await expect(freeze(owner, { appId: two.clientId, by: "owner" })).rejects.toMatchObject({ status: 404 });
});

test("lets an app freeze itself, and only the owner end the freeze", async () => {
  const { owner, clientId, token } = await asker();
  expect((await call("POST", "/api/freeze", { token, body: {} })).body).toEqual({ ok: true });
  for (const path of ["/api/freeze", "/api/approvals"])
    expect((await call("POST", path, { token, body: {} })).body).toEqual(refusal);
  expect(await listFreezes(owner)).toMatchObject([{ appId: clientId, by: "app" }]);
  await unfreeze(owner, clientId);
  expect((await call("GET", "/api/approvals", { token })).status).toBe(200);
});

test("counts by operation what each app tried", async () => {
  const { owner, clientId, name, token } = await asker();
  await freeze(owner, all);
  for (let times = 0; times < 3; times++) await call("POST", "/api/approvals", { token, body: aQuestion });
  await call("GET", "/api/approvals", { token });
  expect(await readTried(owner)).toEqual([
    { appId: clientId, name, operation: "submitApproval", count: 3 },
    { appId: clientId, name, operation: "listApprovals", count: 1 },
  ]);
  expect(await db.event.count({ where: { ownerId: owner.ownerId, type: "app.refused" } })).toBe(0);
  await unfreeze(owner, everyApp);
  await freeze(owner, all);
  expect(await readTried(owner)).toEqual([]);
});

test("resolves nothing after a freeze under load, and reports the same result to everyone", async () => {
  for (let round = 0; round < 4; round++) {
    const { owner, app, token, ask } = await asker();
    const ids = await Promise.all(Array.from({ length: 60 }, () => ask()));
    const answered = ids.map(async (id, nth) => {
      if (nth % 4 === 0)
        return answerApproval(owner, id, ship).then(
          (it) => (it.won ? 200 : 409),
          (error: { status: number }) => error.status,
        );
      return (await call("POST", `/api/approvals/${id}/resolve`, { token, body: ship })).status;
    });
    const asked = Array.from({ length: 20 }, () => submitApproval(app, aQuestion).catch(() => undefined));
    await Promise.race([answered[7], answered[8]]);
    await freeze(owner, all);
    const resolved = () => db.approval.count({ where: { ownerId: owner.ownerId, status: "resolved" } });
    const frozen = await resolved();
    const statuses = await Promise.all(answered);
    await Promise.all(asked);
    expect(await resolved()).toBe(frozen);
    expect(statuses.filter((status) => status === 200)).toHaveLength(frozen);
    expect(new Set(statuses.filter((status) => status !== 200 && status !== 403 && status !== 409))).toEqual(new Set());
    await stopLateQuestions();
    expect(await db.approval.count({ where: { ownerId: owner.ownerId, status: "pending", frozenAt: null } })).toBe(0);
    await unfreeze(owner, everyApp);
    expect(await db.approval.count({ where: { ownerId: owner.ownerId, NOT: { frozenAt: null } } })).toBe(0);
  }
});
