import { createHash, createPrivateKey, createPublicKey, verify } from "node:crypto";
import { expect, test } from "vitest";
import { getApproval, resolveApproval, submitApproval } from "@/lib/approvals/approvals";
import { contentHash } from "@/lib/approvals/content-hash";
import type { Approval } from "@/lib/approvals/schema";
import { pool } from "@/lib/database/db";
import { seal, unseal } from "@/lib/keys/crypto";
import { anAppWith, anOwner } from "@/lib/testing/factories";
import { leaked } from "@/lib/testing/find-secrets-in-text";
import { formerKey, formerPublicKey, formerReceipt } from "@/lib/testing/former-receipt";
import { hasPython, inClient, inPython, inTypeScript } from "@/lib/testing/receipt-verifiers";
import { aQuestion } from "@/lib/testing/sample-question";
import { publicKeys, rotateReceiptKey, signingKey } from "./receipt-keys";
import { issueReceipt, readReceipt } from "./receipts";
import { ReceiptClaims } from "./schema";

const ship = { kind: "option", optionId: "ship", note: "Carefully" } as const;

async function answered(as: "owner" | "app" = "owner") {
  const made = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  const { id } = await submitApproval(made.app, aQuestion);
  await resolveApproval(made[as], id, ship);
  return { ...made, id };
}

const read = (part: string | undefined) => JSON.parse(Buffer.from(part ?? "", "base64url").toString());
async function isSigned(receipt: string) {
  const [head, body, signature = ""] = receipt.split(".");
  const key = (await publicKeys()).find(({ kid }) => kid === read(head).kid);
  if (!key) return false;
  const said = Buffer.from(`${head}.${body}`);
  return verify(null, said, createPublicKey({ key, format: "jwk" }), Buffer.from(signature, "base64url"));
}

test("includes the question's hash instead of its text in a receipt", async () => {
  const { app, id, clientId, owner } = await answered();
  const receipt = await issueReceipt(app, id);
  const [head, body] = receipt.split(".");
  const { resolution } = JSON.parse((await getApproval(app, id)).text) as Approval;
  expect(read(head)).toEqual({ alg: "EdDSA", typ: "countersign-receipt+jwt", kid: (await signingKey()).kid });
  expect(read(body)).toEqual({
    iss: "http://localhost:3000",
    aud: clientId,
    owner: owner.ownerId,
    sub: id,
    iat: Math.floor((resolution?.resolvedAt ?? 0) / 1000),
    contentHash: contentHash(aQuestion),
    resolution,
  });
  expect(resolution).toMatchObject({ ...ship, resolvedBy: "owner" });
  expect(ReceiptClaims.strict().safeParse(read(body)).error).toBeUndefined();
  expect(await isSigned(receipt)).toBe(true);
  expect(await issueReceipt(app, id)).toBe(receipt);
});

test("gives the owner the same receipt as the app", async () => {
  const { app, id, owner } = await answered();
  const { receipt, claims, approval } = await readReceipt(owner, id);
  expect(receipt).toBe(await issueReceipt(app, id));
  expect(read(receipt.split(".")[1])).toEqual(claims);
  expect(approval).toMatchObject({ question: aQuestion.question, contentHash: claims.contentHash });
});

test("returns a receipt only to the owner of an answered approval", async () => {
  const { app, id, owner } = await answered();
  const { id: pending } = await submitApproval(app, aQuestion);
  const stranger = { kind: "owner", ownerId: (await anOwner()).ownerId } as const;
  await expect(readReceipt(stranger, id)).rejects.toMatchObject({ status: 404 });
  await expect(readReceipt(owner, "apr_x")).rejects.toMatchObject({ status: 404 });
  await expect(readReceipt(owner, pending)).rejects.toMatchObject({ status: 409 });
});

test("marks the app's own answer in the receipt", async () => {
  const { app, id } = await answered("app");
  expect(read((await issueReceipt(app, id)).split(".")[1]).resolution.resolvedBy).toBe("api");
});

test("marks only the simulator's answers as simulated", async () => {
  const claimed = async (note: string, how: "rules" | "before" | "owner") => {
    const { owner, app } = await anAppWith("approvals:write", "approvals:read");
    const { id } = await submitApproval(app, aQuestion);
    await resolveApproval(owner, id, { ...ship, note }, { simulated: how === "rules" });
    if (how === "before") {
      const client = await pool().connect();
      await client.query("BEGIN; SET LOCAL session_replication_role = replica");
      await client.query("UPDATE approval SET simulated = NULL WHERE id = $1", [id]);
      await client.query("COMMIT");
      client.release();
    }
    expect(Object.keys((JSON.parse((await getApproval(app, id)).text) as Approval).resolution ?? {}).sort()).toEqual([
      "kind",
      "note",
      "optionId",
      "resolvedAt",
      "resolvedBy",
    ]);
    return read((await issueReceipt(app, id)).split(".")[1]).simulated;
  };
  expect(await claimed("Simulated: rule 1", "rules")).toBe(true);
  expect(await claimed("Fine", "rules")).toBe(true);
  expect(await claimed("Simulated: rule 1", "before")).toBe(true);
  expect(await claimed("Fine", "before")).toBeUndefined();
  expect(await claimed("Simulated: rule 1 would say yes, and so do I", "owner")).toBeUndefined();
});

test("issues no receipt for an unanswered approval or another app's approval", async () => {
  const { app } = await anAppWith("approvals:write", "approvals:read");
  const { id } = await submitApproval(app, aQuestion);
  await expect(issueReceipt(app, id)).rejects.toMatchObject({
    status: 409,
    message: "The approval is not resolved yet",
  });
  const other = await answered();
  await expect(issueReceipt(app, other.id)).rejects.toMatchObject({ status: 404 });
});

test("signs no receipt for content that was changed outside the service", async () => {
  const { app, id } = await answered();
  const client = await pool().connect();
  await client.query("BEGIN; SET LOCAL session_replication_role = replica");
  await client.query("UPDATE approval SET question = 'Other?' WHERE id = $1", [id]);
  await client.query("COMMIT");
  client.release();
  await expect(issueReceipt(app, id)).rejects.toThrow("does not match its content hash");
});

test("verifies old receipts after a key rotation", async () => {
  const { app, id } = await answered();
  const before = await issueReceipt(app, id);
  const { kid, former } = await rotateReceiptKey();
  const after = await issueReceipt(app, id);
  expect(read(after.split(".")[0]).kid).toBe(kid);
  expect(before.split(".")[1]).toBe(after.split(".")[1]);
  expect([await isSigned(before), await isSigned(after)]).toEqual([true, true]);
  const keys = await publicKeys();
  expect(keys[0]?.kid).toBe(kid);
  expect(keys).toHaveLength(former + 1);
  const { rows } = await pool().query("SELECT id FROM receipt_key WHERE sealed IS NOT NULL");
  expect(rows).toEqual([{ id: kid }]);
});

test("keeps only one active key after concurrent rotations", async () => {
  await Promise.all(Array.from({ length: 8 }, () => rotateReceiptKey()));
  const kids = await Promise.all(Array.from({ length: 8 }, async () => (await signingKey()).kid));
  expect(new Set(kids).size).toBe(1);
  const { rows } = await pool().query("SELECT count(*)::int AS count FROM receipt_key WHERE retired_at IS NULL");
  expect(rows).toEqual([{ count: 1 }]);
});

test("replaces a receipt key that was encrypted with another secret", async () => {
  const { app, id } = await answered();
  const before = await issueReceipt(app, id);
  // This process has not decrypted the new key yet, so the key is not cached.
  const { kid } = await rotateReceiptKey();
  await pool().query("UPDATE receipt_key SET sealed = $2 WHERE id = $1", [kid, Buffer.alloc(120, 7)]);
  const after = await issueReceipt(app, id);
  expect(read(after.split(".")[0]).kid).not.toBe(kid);
  expect([await isSigned(before), await isSigned(after)]).toEqual([true, true]);
  expect((await publicKeys()).map((key) => key.kid)).toContain(kid);
});

test("verifies receipts signed before the switch to jose", async () => {
  const { kid } = formerPublicKey;
  await pool().query("UPDATE receipt_key SET sealed = NULL, retired_at = now() WHERE retired_at IS NULL");
  await pool().query("INSERT INTO receipt_key (id, public_key, sealed, created_at) VALUES ($1, $2, $3, now())", [
    kid,
    Buffer.from(formerPublicKey.x, "base64url"),
    seal("receipt-keys", formerKey, kid),
  ]);
  const claims = ReceiptClaims.strict().parse(read(formerReceipt.split(".")[1]));
  const key = await signingKey();
  expect(await key.sign("countersign-receipt+jwt", claims)).toBe(formerReceipt);
  expect(key.kid).toBe(kid);

  await rotateReceiptKey();
  const keys = await publicKeys();
  expect(keys.find((each) => each.kid === kid)).toEqual({
    ...formerPublicKey,
    nbf: expect.any(Number),
    exp: expect.any(Number),
  });
  const { iss: issuer, aud: clientId, owner, sub: approvalId, contentHash, resolution } = claims;
  const wanted = { issuer, clientId, owner, approvalId, contentHash };
  for (const check of [inTypeScript, inClient, ...(hasPython() ? [inPython] : [])])
    expect(await check([{ receipt: formerReceipt, keys, wanted }])).toEqual([{ ok: resolution }]);
});

test("excludes private keys from the database and the published keys", async () => {
  const { kid } = await rotateReceiptKey();
  const current = await pool().query("SELECT sealed FROM receipt_key WHERE id = $1", [kid]);
  // All versions of the service, including earlier ones, read the key in this format.
  const der = Buffer.from(unseal("receipt-keys", current.rows[0].sealed, kid), "base64");
  const { d, crv, kty, x } = createPrivateKey({ key: der, format: "der", type: "pkcs8" }).export({ format: "jwk" });
  const secret = d as string;
  expect(kid).toBe(createHash("sha256").update(JSON.stringify({ crv, kty, x })).digest("base64url"));
  const published = JSON.stringify(await publicKeys());
  const { rows } = await pool().query("SELECT id, encode(public_key, 'hex'), encode(sealed, 'hex') FROM receipt_key");
  for (const text of [published, JSON.stringify(rows)]) expect(leaked(text, [secret])).toEqual([]);
  for (const key of await publicKeys()) {
    const { exp: _, ...published } = key;
    expect(Object.keys(published).sort()).toEqual(["alg", "crv", "kid", "kty", "nbf", "use", "x"]);
  }
  expect(published).toContain(kid);
});
