import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { readActivity } from "@/lib/activity/activity";
import * as answering from "@/lib/approvals/answer";
import { contentHash } from "@/lib/approvals/content-hash";
import { readApproval } from "@/lib/approvals/inbox-queries";
import type { Approval } from "@/lib/approvals/schema";
import { db, pool } from "@/lib/database/db";
import { createPersonalToken } from "@/lib/grants/personal-tokens";
import { answerApproval } from "@/lib/testing/answer-approval";
import { startFront } from "@/lib/testing/api-server";
import { recordPassedDeadlines } from "@/lib/testing/chores";
import { anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { type Check, hasPython, inClient, inPython, inTypeScript } from "@/lib/testing/receipt-verifiers";
import { aQuestion } from "@/lib/testing/sample-question";
import { flushDeniedRequests } from "@/lib/traffic/denied-requests";
import { publicKeys } from "./receipt-keys";

// Simulates attacks by a third party that has manipulated an agent with every approvals permission.
const { ask } = await startFront();
const ship = { kind: "option", optionId: "ship" } as const;

async function anAgent() {
  const made = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  return { ...made, ...actingWith(made.token) };
}

function actingWith(token: string) {
  const submit = async (more: object = {}) => {
    const { body } = await ask("POST", "/api/approvals", { token, body: { ...aQuestion, ...more } });
    return (body as { id: string }).id;
  };
  const read = async (id: string) => (await ask("GET", `/api/approvals/${id}`, { token })).body as Approval;
  const resolve = (id: string, body: object) => ask("POST", `/api/approvals/${id}/resolve`, { token, body });
  const receiptOf = async (id: string) =>
    ((await ask("GET", `/api/approvals/${id}/receipt`, { token })).body as { receipt: string }).receipt;
  return { submit, read, resolve, receiptOf };
}

test("never attributes an app's answer to the owner", async () => {
  const { owner, submit, read, resolve, clientId } = await anAgent();
  const id = await submit();
  for (const claim of [
    { resolvedBy: "owner" },
    { resolution: { ...ship, resolvedBy: "owner" } },
    { ownerId: owner.ownerId },
  ])
    expect((await resolve(id, { ...ship, ...claim })).status).toBe(400);
  expect((await read(id)).status).toBe("pending");
  expect((await resolve(id, ship)).status).toBe(200);
  expect((await read(id)).resolution?.resolvedBy).toBe("api");
  // The answer never becomes the owner's, whatever happens next.
  expect(await answerApproval(owner, id, ship)).toMatchObject({ won: false, resolution: { resolvedBy: "api" } });

  const alone = await submit({ ownerOnly: true });
  const refused = await resolve(alone, ship);
  expect([refused.status, refused.body]).toEqual([
    403,
    { error: "Forbidden", details: [{ path: "id", message: "Only the owner may answer this approval" }] },
  ]);
  expect(refused.headers.get("www-authenticate") ?? "").not.toContain("insufficient_scope");
  expect((await read(alone)).status).toBe("pending");
  await expect(
    pool().query(
      `UPDATE approval SET status = 'resolved', resolved_at = now(), resolution = '{"kind":"option","optionId":"ship","resolvedBy":"api"}' WHERE id = $1`,
      [alone],
    ),
  ).rejects.toThrow("owner_only_means_owner");
  await answerApproval(owner, alone, ship);
  expect((await read(alone)).resolution).toMatchObject({ ...ship, resolvedBy: "owner" });
  expect((await resolve(alone, ship)).status).toBe(403);

  await flushDeniedRequests();
  const { items } = await readActivity(owner, { appId: clientId });
  const said = items.map(({ actor, sentence }) => `${actor}: ${sentence}`);
  expect(said).toContain("app: {app} answered its own question");
  expect(said).toContainEqual(
    expect.stringMatching(/^app: \{app\} tried .*to answer a question that only you can answer$/),
  );
  expect(said.filter((line) => line.startsWith("you: You answered"))).toHaveLength(1);
});

test("never attributes a recorded default to the owner", async () => {
  const { owner, submit, read, token } = await anAgent();
  const terms = { expiresAt: Date.now() + 3_600_000, defaultOptionId: "ship" };
  const reply = await ask("POST", "/api/approvals", { token, body: { ...aQuestion, ...terms, ownerOnly: true } });
  expect(reply.status).toBe(400);
  const id = await submit(terms);
  const client = await pool().connect();
  await client.query("BEGIN; SET LOCAL session_replication_role = replica");
  await client.query(
    "UPDATE approval SET created_at = created_at - interval '2 hours', expires_at = now() - interval '1 s' WHERE id = $1",
    [id],
  );
  await client.query("COMMIT");
  client.release();
  await recordPassedDeadlines();
  expect((await read(id)).resolution).toMatchObject({ optionId: "ship", resolvedBy: "api", note: "Deadline passed" });
  expect(await readApproval(owner, id)).toMatchObject({ byDefault: true });
});

test("rejects an answer to one question as an answer to another question", async () => {
  const { owner, submit, read, receiptOf, resolve, token, clientId } = await anAgent();
  const id = await submit();
  const { contentHash: seen } = await readApproval(owner, id);
  // The API can't change a question. A question that was changed in the database can't be answered.
  for (const method of ["PUT", "PATCH", "DELETE"])
    expect((await ask(method, `/api/approvals/${id}`, { token, body: { question: "Other?" } })).status).toBe(405);
  const evil = "Delete the production database?";
  const client = await pool().connect();
  const tamper = async (question: string) => {
    await client.query("BEGIN; SET LOCAL session_replication_role = replica");
    await client.query("UPDATE approval SET question = $2 WHERE id = $1", [id, question]);
    await client.query("COMMIT");
  };
  await tamper(evil);
  await expect(answering.answerApproval(owner, id, ship, seen)).rejects.toMatchObject({ status: 409 });
  expect((await read(id)).status).toBe("pending");
  await tamper(aQuestion.question);
  client.release();
  await answering.answerApproval(owner, id, ship, seen);

  // Sending the same answer again changes nothing, for this approval or another.
  const { resolution } = await read(id);
  const other = await submit({ question: evil });
  expect((await resolve(id, ship)).status).toBe(409);
  expect((await resolve(other, resolution as object)).status).toBe(400);
  expect((await read(other)).status).toBe("pending");
  expect(await db.event.count({ where: { subject: id, type: "approval.resolved" } })).toBe(1);

  // The program that acts checks the action that it plans, and does not trust the agent's claims.
  const receipt = await receiptOf(id);
  const keys = await publicKeys();
  const wanted = {
    issuer: "http://localhost:3000",
    clientId,
    owner: owner.ownerId,
    approvalId: id,
    contentHash: contentHash(aQuestion),
  };
  const [head, body, signature] = receipt.split(".") as [string, string, string];
  const thief = generateKeyPairSync("ed25519").privateKey;
  const forge = (header: string, claims: string, sealed = sign(null, Buffer.from(`${header}.${claims}`), thief)) =>
    `${header}.${claims}.${Buffer.from(sealed).toString("base64url")}`;
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = JSON.parse(Buffer.from(body, "base64url").toString());
  await resolve(other, ship);
  const attempts: Check[] = [
    { receipt, keys, wanted: { ...wanted, contentHash: contentHash({ ...aQuestion, question: evil }) } },
    { receipt, keys, wanted: { ...wanted, approvalId: other } },
    {
      receipt: await receiptOf(other),
      keys,
      wanted: { ...wanted, approvalId: other, contentHash: (await read(other)).contentHash },
    },
    { receipt: forge(head, body), keys, wanted },
    { receipt: `${encode({ alg: "none", typ: "countersign-receipt+jwt" })}.${body}.`, keys, wanted },
    {
      receipt: `${head}.${encode({ ...claims, sub: other })}.${signature}`,
      keys,
      wanted: { ...wanted, approvalId: other },
    },
  ];
  const [good, ...verdicts] = inTypeScript([{ receipt, keys, wanted }, ...attempts]);
  expect(good).toEqual({ ok: resolution });
  expect(verdicts).toEqual(attempts.map(() => ({ refused: expect.any(String) })));

  await flushDeniedRequests();
  const { items } = await readActivity(owner, { appId: clientId });
  const said = items.map(({ sentence }) => sentence);
  expect(said).toContainEqual(
    expect.stringMatching(/^\{app\} tried .*to answer a question that was already answered or had expired$/),
  );
});

test("rejects a receipt for another owner's approval", async () => {
  const { owner, clientId, receiptOf, submit } = await anAgent();
  const thief = await anOwner();
  const scopes = ["approvals:write", "approvals:read"] as const;
  await expect(createPersonalToken(thief, { clientId, scopes: [...scopes] })).rejects.toMatchObject({ status: 404 });
  expect(await db.grant.count({ where: { ownerId: thief.ownerId } })).toBe(0);

  // After connecting the app, the thief is an ordinary owner, whose approval counts only for the
  // thief.
  const theirs = actingWith((await aTokenFor(thief, clientId, [...scopes])).token);
  const [mine, forged] = [await submit(), await theirs.submit()];
  await answerApproval(owner, mine, ship);
  await answerApproval(thief, forged, ship);
  const keys = await publicKeys();
  const asked = { issuer: "http://localhost:3000", clientId, contentHash: contentHash(aQuestion) };
  const check = (receipt: string, approvalId: string, whose: { ownerId: string }): Check => ({
    receipt,
    keys,
    wanted: { ...asked, approvalId, owner: whose.ownerId },
  });
  const [receipt, forgery] = [await receiptOf(mine), await theirs.receiptOf(forged)];
  const checks = [check(receipt, mine, owner), check(forgery, forged, owner), check(forgery, forged, thief)];
  for (const verify of [inTypeScript, inClient, ...(hasPython() ? [inPython] : [])])
    expect(await verify(checks)).toEqual([
      { ok: expect.objectContaining(ship) },
      { refused: expect.any(String) },
      { ok: expect.objectContaining(ship) },
    ]);
});
