import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sealedRows } from "@/lib/cli/all-encrypted-tables";
import { db } from "@/lib/database/db";
import { hasSeveralShards } from "@/lib/database/shards/shard-map";
import { change } from "@/lib/events/change-transaction";
import { lockAccount, recordOutcome } from "@/lib/integrations/account-status";
import {
  countUndecryptableCredentials,
  removeUndecryptableCredentials,
} from "@/lib/integrations/undecryptable-credentials";
import { destroyCredential, openCredential, storeCredential } from "@/lib/integrations/vault";
import { configure } from "@/lib/testing/change-settings";
import { eventually } from "@/lib/testing/eventually";
import { anOwner } from "@/lib/testing/factories";
import { aWorkingAccount, someTokens } from "@/lib/testing/working-linked-accounts";
import { createFirstDataKey, derivedKey, KeyError, newDataKey, sealWithDataKey } from "./data-keys";
import { checkKeys, deleteLostKeys } from "./key-check";
import { rotateKeys } from "./rotation";

const { SECRET } = process.env;
const aKey = (name: string) => `${name}:${randomBytes(32).toString("base64")}`;
const withKeys = (...keys: string[]) => configure({ INTEGRATION_KEYS: keys.join(" ") });
/** Work that tests started, which may last longer than the test. */
const begun: Promise<unknown>[] = [];
const begin = <T>(work: Promise<T>): Promise<T> => {
  begun.push(work);
  return work;
};
beforeEach(async () => {
  await db.$executeRaw`TRUNCATE integration_secret, data_key, integration CASCADE`;
});
afterEach(async () => {
  await Promise.allSettled(begun.splice(0));
  configure({ SECRET: SECRET ?? "", INTEGRATION_KEYS: "" });
});

const keys = () => db.dataKey.findMany({ orderBy: { createdAt: "asc" } });
async function some(count: number) {
  // With several databases, the service creates the first key at startup.
  if (hasSeveralShards()) await createFirstDataKey();
  return Promise.all(Array.from({ length: count }, () => aWorkingAccount({ due: false })));
}
async function allOpen(accounts: Awaited<ReturnType<typeof some>>) {
  for (const account of accounts) expect((await openCredential(db, account))?.credential).toEqual(account.credential);
}
/** Stores a new data key and retires the previous one, as at the start of a rotation. */
async function aNewKeyInUse(): Promise<string> {
  const { row } = newDataKey();
  await db.$transaction(async (tx) => {
    await tx.dataKey.updateMany({ where: { retiredAt: null }, data: { retiredAt: new Date() } });
    await tx.$executeRaw`
      INSERT INTO data_key (id, wrapped, wrapped_by)
      VALUES (${row.id}, ${row.wrapped}, ${row.wrapped_by})`;
  });
  return row.id;
}
const corrupt = (id: string) => db.$executeRaw`
  UPDATE integration_secret SET sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1) WHERE integration_id = ${id}`;

test("re-encrypts every stored secret with a new key", async () => {
  const accounts = await some(5);
  const [before] = await keys();
  const versions = await db.integrationSecret.findMany({ select: { integrationId: true, version: true } });
  const done = await rotateKeys(sealedRows);
  expect(done).toEqual({
    keyId: expect.any(String),
    wrappedBy: derivedKey()[0],
    resealed: 5,
    unreadable: 0,
    deleted: 1,
  });
  expect(done.keyId).not.toBe(before?.id);
  expect(await keys()).toMatchObject([{ id: done.keyId, retiredAt: null }]);
  expect(await db.integrationSecret.count({ where: { keyId: done.keyId } })).toBe(5);
  expect(await db.integrationSecret.findMany({ select: { integrationId: true, version: true } })).toEqual(
    expect.arrayContaining(versions),
  );
  await allOpen(accounts);
});

test("re-encrypts secrets from SECRET to an operator's key and then to another key", async () => {
  const accounts = await some(3);
  const [one, two] = [aKey("one"), aKey("two")];
  withKeys(one);
  expect(await rotateKeys(sealedRows)).toMatchObject({ wrappedBy: "one", resealed: 3 });
  // SECRET no longer protects any of the credentials.
  configure({ SECRET: "another-secret-0123456789abcdef0123456789abcdef" });
  await checkKeys(sealedRows);
  await allOpen(accounts);
  withKeys(two, one);
  await allOpen(accounts);
  expect(await rotateKeys(sealedRows)).toMatchObject({ wrappedBy: "two", resealed: 3, deleted: 1 });
  withKeys(two);
  await checkKeys(sealedRows);
  await allOpen(accounts);
  withKeys();
  await expect(checkKeys(sealedRows)).rejects.toThrow(KeyError);
});

test("completes an interrupted rotation without creating another key", async () => {
  const accounts = await some(4);
  const { keyId: first } = await rotateKeys(sealedRows);
  const { keyId: second } = await rotateKeys(sealedRows);
  expect(second).not.toBe(first);
  // Simulates a rotation that was killed after two of four values.
  const third = await aNewKeyInUse();
  for (const account of accounts.slice(0, 2)) await storeCredential(db, account, account.credential);
  expect(await db.integrationSecret.count({ where: { keyId: third } })).toBe(2);
  expect(await rotateKeys(sealedRows)).toMatchObject({ keyId: third, resealed: 2, deleted: 1 });
  expect(await keys()).toMatchObject([{ id: third }]);
  await allOpen(accounts);
});

test("preserves every account's latest credential when rotations and credential updates run concurrently", async () => {
  const accounts = await some(30);
  const latest = new Map(accounts.map((account) => [account.id, account.credential]));
  let storing = true;
  const writers = accounts.slice(0, 4).map(async (account) => {
    while (storing) {
      const credential = someTokens();
      const held = await openCredential(db, account);
      if (await db.$transaction((tx) => storeCredential(tx, account, credential, held?.version)))
        latest.set(account.id, credential);
    }
  });
  try {
    for (let round = 0; round < 4; round++)
      await Promise.all([begin(rotateKeys(sealedRows)), begin(rotateKeys(sealedRows)), some(2)]);
  } finally {
    storing = false;
    await Promise.all(writers);
  }
  const last = await rotateKeys(sealedRows);
  expect(last).toMatchObject({ unreadable: 0 });
  expect(await keys()).toMatchObject([{ id: last.keyId, retiredAt: null }]);
  for (const account of accounts)
    expect((await openCredential(db, account))?.credential).toEqual(latest.get(account.id));
});

/** Waits until a statement with this text is waiting for a lock. */
const waits = (words: string) =>
  eventually(async () => {
    const [row] = await db.$queryRaw<{ waiting: number }[]>`
      SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND datname LIKE current_database() || '%'
        AND position(${words} IN regexp_replace(query, '\\s+', ' ', 'g')) > 0`;
    expect(row?.waiting).toBe(1);
  });

test("re-encrypts values stored while a key is being retired", async () => {
  const [account, other] = await some(2);
  const credential = someTokens();
  let rotating: Promise<unknown> = Promise.resolve();
  await db.$transaction(async (tx) => {
    const about = [account!.id, account!.ownerId, account!.provider];
    const { keyId, sealed } = await sealWithDataKey(tx, JSON.stringify(credential), about);
    await destroyCredential(db, account!);
    rotating = begin(rotateKeys(sealedRows));
    await waits("FROM data_key WHERE retired_at IS NOT NULL");
    await tx.integrationSecret.create({
      data: { integrationId: account!.id, ownerId: account!.ownerId, keyId, sealed: new Uint8Array(sealed) },
    });
  });
  expect(await rotating).toMatchObject({ resealed: 2, deleted: 1 });
  expect((await openCredential(db, account!))?.credential).toEqual(credential);
  await allOpen([other!]);
  expect(await keys()).toHaveLength(1);
});

test("preserves values stored during a rotation", async () => {
  const [account, other] = await some(2);
  const credential = someTokens();
  let rotating: Promise<unknown> = Promise.resolve();
  await db.$transaction(async (tx) => {
    await storeCredential(tx, account!, credential);
    rotating = begin(rotateKeys(sealedRows));
    await waits("UPDATE integration_secret s SET key_id");
  });
  await rotating;
  expect((await openCredential(db, account!))?.credential).toEqual(credential);
  await allOpen([other!]);
  expect(await keys()).toHaveLength(1);
});

test("accepts values from an instance that lacks the new key", async () => {
  const [one, two] = [aKey("one"), aKey("two")];
  withKeys(one);
  const [account, held] = await some(2);
  withKeys(two, one);
  // Simulates the middle of a rotation, when another instance still has only the old wrapping key.
  await aNewKeyInUse();
  withKeys(one);
  const renewed = someTokens();
  expect(await storeCredential(db, account!, renewed)).toBe(true);
  withKeys(two, one);
  expect(await rotateKeys(sealedRows)).toMatchObject({ resealed: 2 });
  withKeys(two);
  expect((await openCredential(db, account!))?.credential).toEqual(renewed);
  await allOpen([held!]);
});

test("preserves undecryptable values and their key", async () => {
  const [good, bad] = await some(2);
  await corrupt(bad!.id);
  for (let round = 0; round < 2; round++) {
    expect(await rotateKeys(sealedRows)).toMatchObject({ resealed: 1, unreadable: 1 });
    await allOpen([good!]);
  }
  expect((await keys()).filter(({ retiredAt }) => retiredAt)).toHaveLength(1);
});

test("leaves data unchanged in a rotation with the wrong keys", async () => {
  const accounts = await some(2);
  const before = await keys();
  configure({ SECRET: "another-secret-0123456789abcdef0123456789abcdef" });
  await expect(rotateKeys(sealedRows)).rejects.toThrow(KeyError);
  expect(await keys()).toEqual(before);
  configure({ SECRET: SECRET ?? "" });
  await allOpen(accounts);
});

test("names a missing or wrong key without printing the key itself", async () => {
  const [one, two] = [aKey("one"), aKey("two")];
  withKeys(one);
  await some(2);
  const problem = () =>
    checkKeys(sealedRows).then(
      () => "",
      (error) => error.message,
    );
  expect(await problem()).toBe("");
  withKeys(two);
  expect(await problem()).toMatch(/^INTEGRATION_KEYS lacks the key "one".* 2 accounts .*keys forget"\.$/);
  const impostor = aKey("one");
  withKeys(impostor);
  expect(await problem()).toMatch(/^The key "one" in INTEGRATION_KEYS is not the key .*keys forget"\.$/);
  expect(await problem()).not.toContain(impostor.slice(4, 20));
});

test("deletes an unused, undecryptable key at startup", async () => {
  await some(1);
  await db.integrationSecret.deleteMany();
  configure({ SECRET: "another-secret-0123456789abcdef0123456789abcdef" });
  await checkKeys(sealedRows);
  expect(await keys()).toEqual([]);
  const [account] = await some(1);
  await allOpen([account!]);
});

test("starts while another instance deletes an undecryptable key", async () => {
  await some(1);
  await db.integrationSecret.deleteMany();
  configure({ SECRET: "another-secret-0123456789abcdef0123456789abcdef" });
  let checking: Promise<void> = Promise.resolve();
  await db.$transaction(async (tx) => {
    await tx.dataKey.deleteMany();
    checking = begin(checkKeys(sealedRows));
    await waits("FROM data_key WHERE id");
  });
  await checking;
});

test("removes undecryptable values on request", async () => {
  const owner = await anOwner();
  const [other, fallen] = await some(2);
  const mine = await Promise.all([1, 2, 3].map(() => aWorkingAccount({ owner, due: false })));
  await change({ ownerId: fallen!.ownerId }, async (tx) => {
    const fault = { reason: "invalid_grant", final: true } as const;
    await recordOutcome(tx, (await lockAccount(tx, fallen!.id))!, { kind: "failed", fault });
  });
  configure({ SECRET: "another-secret-0123456789abcdef0123456789abcdef" });
  // The current keys decrypt all of the new values, and none of the old.
  const current = await aNewKeyInUse();
  const fresh = await aWorkingAccount({ owner, due: false });

  expect(await countUndecryptableCredentials()).toEqual({ accounts: 5, owners: 3 });
  expect(await db.integrationSecret.count()).toBe(6);
  expect(await removeUndecryptableCredentials()).toEqual({ accounts: 5, owners: 3 });
  expect(await removeUndecryptableCredentials()).toEqual({ accounts: 0, owners: 0 });
  expect(await deleteLostKeys(sealedRows)).toEqual([]);
  await allOpen([fresh]);
  expect(await keys()).toMatchObject([{ id: current }]);
  for (const { id } of [...mine, other!, fallen!])
    expect(await db.integration.findUniqueOrThrow({ where: { id } })).toMatchObject({
      status: "needs_reauth",
      statusReason: "credential_unreadable",
      checkAt: null,
    });
  const titles = async (ownerId: string) =>
    (await db.notification.findMany({ where: { ownerId } })).map(({ title }) => title);
  expect(await titles(owner.ownerId)).toEqual(["Reconnect 3 accounts"]);
  expect(await titles(other!.ownerId)).toEqual([expect.stringMatching(/^Reconnect .*@example\.com$/)]);
  // The owner was notified when the access first failed.
  expect(await titles(fallen!.ownerId)).toHaveLength(1);
});
