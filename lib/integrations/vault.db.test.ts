import { randomBytes } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { db } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { KeyError } from "@/lib/keys/data-keys";
import { configure } from "@/lib/testing/change-settings";
import { anOwner } from "@/lib/testing/factories";
import { testShards } from "@/lib/testing/shards/shard-count";
import type { OAuthCredential } from "./providers/provider";
import { type AccountRef, CredentialUnreadable, destroyCredential, openCredential, storeCredential } from "./vault";

const secret = process.env.SECRET;
afterEach(() => {
  configure({ SECRET: secret, INTEGRATION_KEYS: undefined });
});

const aCredential = (): OAuthCredential => ({
  kind: "oauth",
  accessToken: randomBytes(24).toString("base64url"),
  refreshToken: randomBytes(24).toString("base64url"),
  expiresAt: 1_800_000_000_000,
  scopes: ["openid"],
});

async function anAccount(where?: { near: AccountRef }): Promise<AccountRef> {
  const { ownerId } = await anOwner(where);
  const provider = "google";
  const id = newId("int");
  const subject = randomBytes(6).toString("hex");
  await db.integration.create({
    data: { id, ownerId, provider, issuer: "https://id.example", subject, email: "robin@example.com", buckets: [] },
  });
  return { id, ownerId, provider };
}

test("stores credentials only in encrypted form", async () => {
  const [account, credential] = [await anAccount(), aCredential()];
  expect(await openCredential(db, account)).toBeUndefined();
  expect(await storeCredential(db, account, credential)).toBe(true);
  expect(await openCredential(db, account)).toMatchObject({ credential });
  const [row] = await db.$queryRaw<[{ text: string }]>`
    SELECT encode(sealed, 'escape') AS text FROM integration_secret WHERE integration_id = ${account.id}`;
  expect(row.text).not.toContain(credential.accessToken);
  await destroyCredential(db, account);
  expect(await openCredential(db, account)).toBeUndefined();
});

test("encrypts the same credential differently each time", async () => {
  const [account, credential] = [await anAccount(), aCredential()];
  const seen = new Set<string>();
  for (let round = 0; round < 5; round++) {
    await storeCredential(db, account, credential);
    const { sealed } = await db.integrationSecret.findUniqueOrThrow({ where: { integrationId: account.id } });
    seen.add(Buffer.from(sealed).subarray(0, 12).toString("hex"));
  }
  expect(seen.size).toBe(5);
});

test("stores only one of two credentials that were renewed concurrently", async () => {
  const account = await anAccount();
  await storeCredential(db, account, aCredential());
  const { version = 0 } = (await openCredential(db, account)) ?? {};
  const newer = aCredential();
  expect(await storeCredential(db, account, newer, version)).toBe(true);
  expect(await storeCredential(db, account, aCredential(), version)).toBe(false);
  expect(await openCredential(db, account)).toEqual({ credential: newer, version: version + 1 });

  await destroyCredential(db, account);
  expect(await storeCredential(db, account, newer, version + 1)).toBe(false);
  const fresh = aCredential();
  await storeCredential(db, account, fresh);
  expect(await storeCredential(db, account, newer, version + 1)).toBe(false);
  expect(await openCredential(db, account)).toMatchObject({ credential: fresh });
});

test("rejects a credential that was swapped or altered", async () => {
  const one = await anAccount();
  const other = await anAccount({ near: one });
  for (const each of [one, other]) await storeCredential(db, each, aCredential());
  await db.$executeRaw`
    UPDATE integration_secret s SET sealed = o.sealed, key_id = o.key_id FROM integration_secret o
    WHERE (s.integration_id, o.integration_id) IN ((${one.id}, ${other.id}), (${other.id}, ${one.id}))`;
  for (const each of [one, other]) await expect(openCredential(db, each)).rejects.toThrow(CredentialUnreadable);

  const third = await anAccount({ near: one });
  await storeCredential(db, third, aCredential());
  const { ownerId } = one;
  expect(await openCredential(db, { ...third, ownerId })).toBeUndefined();
  await db.integrationSecret.update({ where: { integrationId: third.id }, data: { ownerId } });
  await expect(openCredential(db, { ...third, ownerId })).rejects.toThrow(CredentialUnreadable);
  await db.integrationSecret.update({ where: { integrationId: third.id }, data: { ownerId: third.ownerId } });
  await expect(openCredential(db, { ...third, provider: "github" })).rejects.toThrow(CredentialUnreadable);
  expect(await openCredential(db, third)).toBeDefined();
  await db.$executeRaw`
    UPDATE integration_secret SET sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1) WHERE integration_id = ${third.id}`;
  await expect(openCredential(db, third)).rejects.toThrow(CredentialUnreadable);
});

test("rejects a credential whose row names another key", async () => {
  const account = await anAccount();
  await storeCredential(db, account, aCredential());
  const { keyId } = await db.integrationSecret.findUniqueOrThrow({ where: { integrationId: account.id } });
  const current = await db.dataKey.findUniqueOrThrow({ where: { id: keyId } });
  // Stores the same key under another ID, as someone with write access to the database could.
  const id = newId("key");
  await db.dataKey.create({ data: { ...current, id, retiredAt: new Date() } });
  await db.integrationSecret.update({ where: { integrationId: account.id }, data: { keyId: id } });
  await expect(openCredential(db, account)).rejects.toThrow(KeyError);
  await db.integrationSecret.update({ where: { integrationId: account.id }, data: { keyId } });
  await db.dataKey.delete({ where: { id } });
  expect(await openCredential(db, account)).toBeDefined();
});

test("fails to decrypt credentials with another SECRET", async () => {
  const account = await anAccount();
  await storeCredential(db, account, aCredential());
  configure({ SECRET: "another-secret-0123456789abcdef0123456789abcdef" });
  const refused = await openCredential(db, account).catch((error) => error);
  expect(refused).toBeInstanceOf(KeyError);
  expect(refused.message).toMatch(/^The stored secrets were encrypted with a different SECRET/);
  expect(refused.message).not.toContain(process.env.SECRET);
  await expect(storeCredential(db, account, aCredential())).rejects.toThrow(KeyError);
});

// With several databases, the service creates the first key at startup.
test.skipIf(testShards > 0)("creates only one data key for many concurrent callers", async () => {
  await db.$executeRaw`DELETE FROM integration_secret`;
  await db.$executeRaw`DELETE FROM data_key`;
  const accounts = await Promise.all(Array.from({ length: 8 }, () => anAccount()));
  const credentials = accounts.map(aCredential);
  await Promise.all(
    accounts.map((account, at) => db.$transaction((tx) => storeCredential(tx, account, credentials[at]!))),
  );
  expect(await db.dataKey.count()).toBe(1);
  for (const [at, account] of accounts.entries())
    expect(await openCredential(db, account)).toMatchObject({ credential: credentials[at] });
});
