import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { disconnect } from "@/lib/database/db";
import type { Home } from "@/lib/database/shards/homes";
import { inEveryShard } from "@/lib/database/shards/marks";
import { setShards } from "@/lib/database/shards/shard-map";
import { sql } from "@/lib/database/sql";
import { newOwnerId } from "@/lib/ids";
import { newDataKey, sealWithDataKey } from "@/lib/keys/data-keys";
import { deleteUnusedKeys } from "@/lib/keys/encrypted-table";
import { rotateKeys } from "@/lib/keys/rotation";
import { ownDatabase } from "@/lib/testing/own-database";
import { sealedRows } from "./all-encrypted-tables";
import { sweep } from "./delete-expired-rows";

/* The homes from 512 are in a second database. Copies of the service's tables are made by hand. */

const second = await ownDatabase();
const [here, there] = [process.env.DATABASE_URL, second.url].map((url) => new pg.Client({ connectionString: url })) as [
  pg.Client,
  pg.Client,
];
const owner = newOwnerId(700 as Home);

beforeAll(async () => {
  await Promise.all([here.connect(), there.connect()]);
  await disconnect();
  setShards([
    { name: "main", homes: [0, 511] },
    { name: "two", homes: [512, 1023], url: second.url },
  ]);
  await there.query("SET session_replication_role = replica");
});
beforeEach(() => Promise.all([here, there].map((client) => client.query("TRUNCATE app, throttle, data_key CASCADE"))));
afterAll(async () => {
  await disconnect();
  setShards();
  await Promise.all([here.end(), there.end()]);
  await second.end();
});

/** The values of a column in both databases. */
const values = async (text: string) =>
  Promise.all([here, there].map(async (client) => (await client.query({ text, rowMode: "array" })).rows.flat().sort()));

test("deletes the service's expired rows only in the directory", async () => {
  for (const client of [here, there])
    await client.query("INSERT INTO throttle (key, failures, expires_at) VALUES ('old', 1, now() - interval '1 hour')");
  await inEveryShard(sweep);
  expect(await values("SELECT key FROM throttle")).toEqual([[], ["old"]]);
});

test("deletes an owner's expired rows on each shard", async () => {
  for (const client of [here, there])
    await client.query(
      `INSERT INTO idempotency (owner_id, app_id, operation, key, request_hash, status, reply, created_at)
       VALUES ('o', 'a', 'op', 'k', '', 201, '{}', now() - interval '25 hours')`,
    );
  await inEveryShard(sweep);
  expect(await values("SELECT key FROM idempotency")).toEqual([[], []]);
});

test("keeps a self-registered app that an owner on another shard uses", async () => {
  for (const client of [here, there])
    await client.query(
      `INSERT INTO app (id, name, kind, name_skeleton, name_folded, created_at)
       SELECT id, id, 'dynamic', id, id, now() - interval '2 days' FROM unnest(ARRAY['used', 'unused']) AS id`,
    );
  await there.query("INSERT INTO app_grant (id, owner_id, app_id) VALUES ('grt_1', $1, 'used')", [owner]);
  await inEveryShard(sweep);
  expect(await values("SELECT id FROM app")).toEqual([["used"], ["unused", "used"]]);
});

/** Stores a data key in the directory and its copy, as replication does. */
async function addKey(retired = false) {
  const { row } = newDataKey();
  for (const client of [here, there])
    await client.query(
      "INSERT INTO data_key (id, wrapped, wrapped_by, retired_at) VALUES ($1, $2, $3, CASE WHEN $4 THEN now() END)",
      [row.id, row.wrapped, row.wrapped_by, retired],
    );
  return row.id;
}
/** Stores a channel's credentials on the second shard, encrypted with the current key. */
async function addChannel(id: string) {
  const { keyId, sealed } = await sealWithDataKey(there, "secret", ["alert-channel", owner, "ntfy", id]);
  await there.query(
    `INSERT INTO alert_channel (id, owner_id, kind, name, service, key_id, sealed)
     VALUES ($1, $2, 'ntfy', 'Phone', 'ntfy.sh', $3, $4)`,
    [id, owner, keyId, sealed],
  );
  return keyId;
}

test("keeps a data key that another shard uses, or whose copy is not retired yet", async () => {
  await addKey();
  const used = await addChannel("chn_used");
  for (const client of [here, there]) await client.query("UPDATE data_key SET retired_at = now()");
  const unused = await addKey(true);
  const behind = await addKey(true);
  await there.query("UPDATE data_key SET retired_at = NULL WHERE id = $1", [behind]);
  expect(await deleteUnusedKeys(sealedRows, sql`retired_at IS NOT NULL`)).toEqual({ deleted: 1, left: 2 });
  expect((await values("SELECT id FROM data_key"))[0]).toEqual([used, behind].sort());
  expect((await values("SELECT id FROM data_key"))[1]).toContain(unused);
  await there.query("DELETE FROM alert_channel");
});

test("waits for a shard's copy of a new key, and encrypts the shard's secrets with the key", async () => {
  await addKey();
  const before = await addChannel("chn_rotated");
  const rotating = rotateKeys(sealedRows);
  const current = async () =>
    (await here.query("SELECT id, wrapped, wrapped_by FROM data_key WHERE retired_at IS NULL AND id <> $1", [before]))
      .rows[0];
  await expect.poll(current).toBeDefined();
  const { id, wrapped, wrapped_by } = await current();
  await there.query("UPDATE data_key SET retired_at = now()");
  await there.query("INSERT INTO data_key (id, wrapped, wrapped_by) VALUES ($1, $2, $3)", [id, wrapped, wrapped_by]);
  expect(await rotating).toMatchObject({ keyId: id, resealed: 1, unreadable: 0, deleted: 1 });
  expect((await there.query("SELECT key_id FROM alert_channel")).rows).toEqual([{ key_id: id }]);
});
