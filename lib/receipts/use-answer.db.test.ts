import { createHash } from "node:crypto";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { expect, test } from "vitest";
import { getApproval, resolveApproval, submitApproval } from "@/lib/approvals/approvals";
import { contentHash } from "@/lib/approvals/content-hash";
import type { Approval, NewApproval } from "@/lib/approvals/schema";
import { withdrawAnswer } from "@/lib/approvals/use/withdraw-answer";
import { pool } from "@/lib/database/db";
import { positionOf, readEvents } from "@/lib/event-feed/event-feed";
import { revokeGrant } from "@/lib/grants/grants";
import { eventually } from "@/lib/testing/eventually";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { rotateReceiptKey } from "./receipt-keys";
import { issueReceipt } from "./receipts";
import { recordUse, recordUseWithReceipt } from "./use-answer";

const ship = { kind: "option", optionId: "ship" } as const;
const hash = (question: NewApproval) => contentHash(question);

/** Creates an app and an answered question. */
async function answered(more: Partial<NewApproval> = {}, as: "owner" | "app" = "owner") {
  const made = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  const question = { ...aQuestion, ...more };
  const { id } = await submitApproval(made.app, question);
  await resolveApproval(made[as], id, ship, as === "owner" ? { contentHash: hash(question) } : {});
  const read = async () => JSON.parse((await getApproval(made.app, id)).text) as Approval;
  const use = (key: string) => recordUse(made.app, { id, contentHash: hash(question), key });
  const asker = { ownerId: made.owner.ownerId, appId: made.clientId };
  const withReceipt = (key: string) => recordUseWithReceipt(asker, { id, contentHash: hash(question), key });
  return { ...made, id, question, read, use, withReceipt };
}

const reason = (why: string) => ({ status: 409, details: [expect.objectContaining({ reason: why })] });
const activity = async (id: string) =>
  (await pool().query("SELECT type FROM event WHERE subject = $1 ORDER BY id", [id])).rows.map(({ type }) => type);

test("gives the first use a signed receipt, and a repetition the same reply", async () => {
  const { use, read, id, clientId, owner, question } = await answered();
  const first = await use("key 1");
  expect(decodeProtectedHeader(first.receipt)).toMatchObject({ alg: "EdDSA", typ: "countersign-use+jwt" });
  const { resolution } = await read();
  expect(decodeJwt(first.receipt)).toEqual({
    iss: "http://localhost:3000",
    aud: clientId,
    owner: owner.ownerId,
    sub: id,
    iat: Math.floor(first.usedAt / 1000),
    contentHash: hash(question),
    resolution,
    use: { at: first.usedAt, by: "app", key: createHash("sha256").update("key 1").digest("base64url") },
  });
  expect((await read()).usedAt).toBe(first.usedAt);
  await rotateReceiptKey();
  expect(await use("key 1")).toEqual(first);
  expect(await activity(id)).toEqual(["approval.submitted", "approval.resolved", "approval.used"]);
});

test("refuses another key, and tells the owner once an hour", async () => {
  const { use, withReceipt, id, owner } = await answered({ risk: "high" });
  const { usedAt } = await use("key 1");
  const refused = { ...reason("used"), details: [expect.objectContaining({ reason: "used", usedAt, usedBy: "app" })] };
  await expect(use("key 2")).rejects.toMatchObject(refused);
  // The same key from a program with the receipt is another use.
  await expect(withReceipt("key 1")).rejects.toMatchObject(refused);
  expect((await activity(id)).filter((type) => type === "approval.use_refused")).toHaveLength(1);
  const { rows } = await pool().query("SELECT title FROM notification WHERE owner_id = $1", [owner.ownerId]);
  expect(rows.map(({ title }) => title)).toEqual([expect.stringContaining("tried to use your answer again")]);
  await pool().query("UPDATE approval_use SET refused_at = now() - interval '61 minutes' WHERE approval_id = $1", [id]);
  await expect(use("key 3")).rejects.toMatchObject(refused);
  expect((await activity(id)).filter((type) => type === "approval.use_refused")).toHaveLength(2);
});

test("uses an answer with its receipt while the app is connected", async () => {
  const { withReceipt, read, owner, clientId, app, id } = await answered();
  const first = await withReceipt("key");
  expect(decodeJwt(first.receipt)).toMatchObject({ use: { by: "receipt" } });
  expect(await withReceipt("key")).toEqual(first);
  expect((await read()).usedAt).toBe(first.usedAt);
  expect(decodeJwt(await issueReceipt(app, id))).not.toHaveProperty("use");
  const other = await answered();
  await revokeGrant(other.owner, other.clientId);
  await expect(other.withReceipt("key")).rejects.toMatchObject({ status: 404 });
  await expect(other.use("key")).rejects.toMatchObject({ status: 401 });
  expect([owner.ownerId, clientId]).not.toContain("");
});

test("refuses an answer that permits nothing", async () => {
  const appAnswered = await answered({}, "app");
  await expect(appAnswered.use("k")).rejects.toMatchObject(reason("not_owner"));
  const pending = await anAppWith("approvals:write", "approvals:read");
  const { id } = await submitApproval(pending.app, aQuestion);
  const hashed = { id, contentHash: hash(aQuestion), key: "k" };
  await expect(recordUse(pending.app, hashed)).rejects.toMatchObject({ status: 409, message: /not resolved/ });
  const stranger = await anAppWith("approvals:write");
  await expect(recordUse(stranger.app, hashed)).rejects.toMatchObject({ status: 404 });
  await expect(recordUse(stranger.app, { ...hashed, id: "apr_no" })).rejects.toMatchObject({ status: 404 });
  const { app, id: mine, use } = await answered();
  const other = { id: mine, contentHash: hash({ ...aQuestion, question: "Another?" }), key: "k" };
  await expect(recordUse(app, other)).rejects.toMatchObject(reason("content_mismatch"));
  await pool().query("ALTER TABLE approval DISABLE TRIGGER USER");
  await pool().query("UPDATE approval SET question = 'Forged?' WHERE id = $1", [mine]);
  await pool().query("ALTER TABLE approval ENABLE TRIGGER USER");
  await expect(use("k")).rejects.toMatchObject(reason("content_mismatch"));
});

test("lets exactly one of a hundred concurrent uses win", async () => {
  const { use, withReceipt } = await answered();
  const tries = Array.from({ length: 100 }, (_, n) => (n % 2 ? use(`key ${n}`) : withReceipt(`key ${n}`)));
  const results = await Promise.allSettled(tries);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject(reason("used"));
});

test("withdraws an answer until it is used", async () => {
  const { owner, id, use, read, question } = await answered({ once: true });
  expect((await read()).contentHash).toBe(hash(question));
  expect(hash(question)).not.toBe(hash(aQuestion));
  expect(await read()).toMatchObject({ once: true });
  await withdrawAnswer(owner, id);
  await withdrawAnswer(owner, id);
  const after = await read();
  expect(after).toMatchObject({
    status: "resolved",
    resolution: { optionId: "ship" },
    withdrawnAt: expect.any(Number),
  });
  await expect(use("k")).rejects.toMatchObject(reason("withdrawn"));
  expect((await activity(id)).filter((type) => type === "approval.withdrawn")).toHaveLength(1);
});

test("sends the app an event for a withdrawal", async () => {
  const { owner, id, app, read } = await answered({ once: true });
  await withdrawAnswer(owner, id);
  const { withdrawnAt } = await read();
  await eventually(async () => {
    const { events } = await readEvents(app, positionOf(undefined), 100);
    const approvals = events.filter(({ type }) => type.startsWith("approval."));
    expect(approvals.map(({ type }) => type)).toEqual([
      "approval.submitted",
      "approval.resolved",
      "approval.withdrawn",
    ]);
    expect(approvals[2]?.data).toEqual({ id, withdrawnAt });
  });
});

test("keeps an answer that is used, or that can't be withdrawn", async () => {
  const used = await answered({ once: true });
  await used.use("k");
  await expect(withdrawAnswer(used.owner, used.id)).rejects.toMatchObject({ status: 409, message: /already used/ });
  const plain = await answered();
  await expect(withdrawAnswer(plain.owner, plain.id)).rejects.toMatchObject({ status: 409 });
  await expect(withdrawAnswer(used.owner, plain.id)).rejects.toMatchObject({ status: 404 });
  await expect(withdrawAnswer(used.owner, "no")).rejects.toMatchObject({ status: 404 });
  await plain.use("k");
});
