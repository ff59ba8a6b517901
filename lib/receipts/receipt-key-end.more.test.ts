import { afterEach, describe, expect, test } from "vitest";
import { GET } from "@/app/.well-known/jwks.json/route";
import { resolveApproval, submitApproval } from "@/lib/approvals/approvals";
import { contentHash } from "@/lib/approvals/content-hash";
import { type ReceiptChecks, verifyReceipt } from "@/lib/client/receipts";
import { pool } from "@/lib/database/db";
import { configure } from "@/lib/testing/change-settings";
import { anAppWith } from "@/lib/testing/factories";
import { hasPython, inClient, inPython, inTypeScript } from "@/lib/testing/receipt-verifiers";
import { aQuestion } from "@/lib/testing/sample-question";
import { type PublishedKeys, publicKeys, publishedKeys, rotateReceiptKey, signingKey } from "./receipt-keys";
import { issueReceipt } from "./receipts";
import { revokeReceiptKey } from "./revoke-receipt-key";

afterEach(() => configure({ RECEIPT_KEY_DAYS: "" }));

const ship = { kind: "option", optionId: "ship" } as const;
const headOf = (receipt: string) => JSON.parse(Buffer.from(receipt.split(".")[0] ?? "", "base64url").toString());
const age = (kid: string, days: number) =>
  pool().query("UPDATE receipt_key SET created_at = created_at - make_interval(days => $2) WHERE id = $1", [kid, days]);

async function answered() {
  const { app, owner, clientId } = await anAppWith("approvals:write", "approvals:read");
  const { id } = await submitApproval(app, aQuestion);
  await resolveApproval(owner, id, ship);
  const wanted = { clientId, approvalId: id, owner: owner.ownerId, contentHash: contentHash(aQuestion) };
  return { app, id, wanted: { issuer: "http://localhost:3000", ...wanted } };
}

const revoked = async (kid: string) => (await publishedKeys()).revoked_keys?.find((key) => key.kid === kid);

test("publishes when a key was created, and an end for a former key", async () => {
  const { kid } = await rotateReceiptKey();
  const { rows } = await pool().query(
    "SELECT extract(epoch FROM created_at)::float8 AS at FROM receipt_key WHERE id = $1",
    [kid],
  );
  const [current] = await publicKeys();
  expect(current).toMatchObject({ kid, nbf: Math.floor(rows[0].at) });
  expect(current).not.toHaveProperty("exp");
  await rotateReceiptKey();
  const former = (await publicKeys()).find((key) => key.kid === kid);
  const retired = await pool().query(
    "SELECT extract(epoch FROM retired_at)::float8 AS at FROM receipt_key WHERE id = $1",
    [kid],
  );
  expect(former).toMatchObject({ nbf: current?.nbf, exp: Math.ceil(retired.rows[0].at) + 60 });
});

test("replaces a key at its planned end", async () => {
  const { app, id, wanted } = await answered();
  const { kid } = await rotateReceiptKey();
  const before = await issueReceipt(app, id);
  configure({ RECEIPT_KEY_DAYS: "30" });
  await age(kid, 29);
  const [current] = await publicKeys();
  expect(current?.kid).toBe(kid);
  expect((current?.exp ?? 0) - (current?.nbf ?? 0)).toBeGreaterThanOrEqual(30 * 86_400 + 60);
  expect((current?.exp ?? 0) - (current?.nbf ?? 0)).toBeLessThanOrEqual(30 * 86_400 + 62);
  await age(kid, 1);
  const after = await issueReceipt(app, id);
  expect(headOf(before).kid).toBe(kid);
  expect(headOf(after).kid).not.toBe(kid);
  const keys = await publicKeys();
  expect(keys[0]?.kid).toBe(headOf(after).kid);
  expect(await inClient([before, after].map((receipt) => ({ receipt, keys, wanted })))).toMatchObject([
    { ok: ship },
    { ok: ship },
  ]);
});

test("replaces a revoked current key, and moves it to the revoked keys", async () => {
  const { kid } = await rotateReceiptKey();
  const since = new Date(Date.now() - 3_600_000);
  const revocation = await revokeReceiptKey(kid, since);
  const { kid: replacement } = await signingKey();
  expect(revocation).toEqual({ done: true, since, replacement });
  expect(replacement).not.toBe(kid);
  // This is the response of every instance, because each request reads the keys from the database.
  const { keys, revoked_keys } = (await (await GET()).json()) as PublishedKeys;
  expect(keys.map((key) => key.kid)).toContain(replacement);
  expect(keys.map((key) => key.kid)).not.toContain(kid);
  expect(revoked_keys?.find((key) => key.kid === kid)).toEqual({
    ...{ kty: "OKP", crv: "Ed25519", x: expect.any(String), kid, alg: "EdDSA", use: "sig" },
    ...{ nbf: expect.any(Number), exp: expect.any(Number) },
    revoked: { revoked_at: Math.floor(since.getTime() / 1000), reason: "compromised" },
  });
  const { rows } = await pool().query("SELECT sealed FROM receipt_key WHERE id = $1", [kid]);
  expect(rows).toEqual([{ sealed: null }]);
});

test("revokes a former key without replacing the current one", async () => {
  const { kid: former } = await rotateReceiptKey();
  const { kid } = await rotateReceiptKey();
  const since = new Date(Date.now() - 1000);
  expect(await revokeReceiptKey(former, since)).toEqual({ done: true, since });
  expect((await signingKey()).kid).toBe(kid);
  expect(await revoked(former)).toBeDefined();
});

test("moves a revocation only to an earlier time", async () => {
  const { kid } = await rotateReceiptKey();
  const at = (seconds: number) => new Date(1_790_000_000_000 + seconds * 1000);
  expect(await revokeReceiptKey(kid, at(60))).toMatchObject({ done: true, replacement: expect.any(String) });
  expect(await revokeReceiptKey(kid, at(60))).toEqual({ done: true, since: at(60) });
  expect(await revokeReceiptKey(kid, at(30))).toEqual({ done: true, since: at(30) });
  expect(await revokeReceiptKey(kid, at(31))).toEqual({ done: false, problem: "later", since: at(30) });
  expect((await revoked(kid))?.revoked.revoked_at).toBe(1_790_000_030);
});

test("rejects an unknown key and a future time", async () => {
  const { kid } = await signingKey();
  expect(await revokeReceiptKey("none", new Date(0))).toEqual({ done: false, problem: "unknown" });
  expect(await revokeReceiptKey(kid, new Date(Date.now() + 3_600_000))).toEqual({ done: false, problem: "future" });
  expect((await signingKey()).kid).toBe(kid);
});

test("replaces the key once if several operators revoke it at the same time", async () => {
  const { kid } = await rotateReceiptKey();
  const since = new Date(0);
  const all = await Promise.all(Array.from({ length: 4 }, () => revokeReceiptKey(kid, since)));
  expect(all.filter((each) => each.done && each.replacement)).toHaveLength(1);
});

describe.each([
  ["TypeScript", inTypeScript, true],
  ["Python", inPython, hasPython()],
  ["the client", inClient, true],
] as const)("verifier in %s", (_language, check, there) => {
  test.skipIf(!there)("rejects a thief's backdated receipt, and accepts a renewed receipt", async () => {
    const { app, id, wanted } = await answered();
    const stolen = await signingKey();
    const honest = await issueReceipt(app, id);
    const claims = JSON.parse(Buffer.from(honest.split(".")[1] ?? "", "base64url").toString());
    const backdated = await stolen.sign("countersign-receipt+jwt", {
      ...claims,
      iat: 1_700_000_000,
      resolution: { ...claims.resolution, resolvedAt: 1_700_000_000_000 },
    });
    const now = new Date();
    await revokeReceiptKey(stolen.kid, now);
    const { keys } = await publishedKeys();
    const renewed = await issueReceipt(app, id);
    expect(headOf(renewed).kid).not.toBe(stolen.kid);
    expect(await check([honest, backdated, renewed].map((receipt) => ({ receipt, keys, wanted })))).toEqual([
      { refused: expect.any(String) },
      { refused: expect.any(String) },
      { ok: claims.resolution },
    ]);
  });
});

test("keeps a stored receipt valid if the verifier got it before the theft", async () => {
  const { app, id, wanted } = await answered();
  const { kid } = await signingKey();
  const receipt = await issueReceipt(app, id);
  const receivedAt = Date.now();
  const since = new Date(receivedAt + 1000);
  await expect.poll(() => Date.now(), { timeout: 60_000 }).toBeGreaterThan(since.getTime());
  await revokeReceiptKey(kid, since);
  const { clientId: audience, ...rest } = wanted;
  const checks: ReceiptChecks = { ...rest, audience, jwks: await publishedKeys() };
  expect((await verifyReceipt(receipt, { ...checks, receivedAt })).sub).toBe(id);
  for (const more of [{}, { receivedAt: Date.now() }])
    await expect(verifyReceipt(receipt, { ...checks, ...more })).rejects.toThrow("revoked the receipt's key");
});
