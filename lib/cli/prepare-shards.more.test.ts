import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";
import type { Home } from "@/lib/database/shards/homes";
import { newOwnerId } from "@/lib/ids";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { aDatabaseGate, type DatabaseGate } from "@/lib/testing/database-gate";
import { inWords, obeyed } from "@/lib/testing/operator-command";
import { ownDatabase } from "@/lib/testing/own-database";
import { inDatabase, query } from "@/lib/testing/temporary-postgres";

/* The homes from 512 are in a second database. The first test adds it, so the tests run in order. */

const { url, template } = inject("postgres");
const name = `${template}_${randomBytes(4).toString("hex")}`;
const second = inDatabase(url, name);
const directory = await ownDatabase();
const DATA_DIR = newDataDir(0o700);
const [SECRET, other] = ["a-secret-of-two-shards-0123456789abcdef", "another-secret-0123456789abcdef0123456"];
const given = { DATABASE_URL: directory.url, DATA_DIR, SECRET };
let gate: DatabaseGate;
let all: typeof given & { SHARDS: string };
const [here, there] = [3, 700].map((home) => newOwnerId(home as Home)) as [string, string];

beforeAll(async () => {
  await query(url, `CREATE DATABASE ${name}`);
  gate = await aDatabaseGate(second);
  all = { ...given, SHARDS: `two=${gate.url}` };
  expect((await obeyed(given, ["owner", "list"])).status).toBe(0);
  await query(directory.url, "INSERT INTO shard (name, number) VALUES ('two', 1)");
  await query(
    directory.url,
    "INSERT INTO home_placement (home, shard) SELECT home, 'two' FROM generate_series(512, 1023) AS home",
  );
});
beforeEach(() => gate.open());
afterAll(async () => {
  await gate.end();
  await directory.end();
  await query(url, `DROP DATABASE ${name} WITH (FORCE)`);
  removeDataDir(DATA_DIR);
});

const rows = async (database: string, text: string) => {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  return (await client.query(text).finally(() => client.end())).rows;
};
const addOwner = (database: string, id: string) =>
  query(
    database,
    `INSERT INTO owner (id, email, name, password_hash) VALUES ('${id}', '${id}@example.com', 'Robin', 'none')`,
  );

test("requires SHARDS to list every shard", async () => {
  const refused = await obeyed(given, ["owner", "list"]);
  expect([refused.status, refused.err]).toEqual([
    1,
    "SHARDS is not set, but other shards store owners: two. Set SHARDS to all shards, on every instance.\n",
  ]);
  for (const command of [["keys", "forget"], ["migrate"], ["secret", "replace", "--yes"]])
    expect(await obeyed(given, command)).toMatchObject({ status: 1, err: refused.err });
  expect((await obeyed({ ...given, SHARDS: `three=${gate.url}` }, ["owner", "list"])).err).toBe(
    "SHARDS lacks the shard two. Set SHARDS to all shards, on every instance.\n",
  );
});

test("migrates every shard, and sets its retention", async () => {
  const off = { ...all, MIGRATE: "off" };
  expect((await obeyed(off, ["owner", "list"])).err).toContain("lacks the migration 20261128000000_initial");
  const { json } = await obeyed({ ...off, RETENTION_EVENTS: "90d" }, ["migrate"]);
  expect((json() as { applied: string[] }).applied[0]).toBe("20261128000000_initial");
  expect(await rows(second, "SELECT event_days FROM retention")).toEqual([{ event_days: 90 }]);
  expect((await inWords(off, ["migrate"])).out).toBe("The database is up to date.\n");
  expect((await obeyed(off, ["owner", "list"])).json()).toEqual({ owners: [] });
});

test("lists the owners of all shards", async () => {
  await addOwner(second, there);
  await addOwner(directory.url, here);
  const { owners } = (await obeyed(all, ["owner", "list"])).json() as { owners: { ownerId: string }[] };
  expect(owners.map(({ ownerId }) => ownerId)).toEqual([here, there].sort());
});

test("fails a command while a shard is away, and names the shard", async () => {
  gate.close();
  for (const command of [["owner", "list"], ["migrate"]]) {
    const { status, err } = await obeyed(all, command);
    expect(status).toBe(1);
    expect(err).toMatch(/^The shard two is unavailable: [^\n]+\. Start its PostgreSQL, then try again\.\n$/);
  }
});

test("removes a command from the running processes", async () => {
  expect((await obeyed(all, ["owner", "list"])).status).toBe(0);
  expect(await rows(directory.url, "SELECT instance FROM instance_placement")).toEqual([]);
});

test("rejects a shard that belongs to another SECRET", async () => {
  const value = await rows(second, "SELECT value FROM secret_check");
  expect(value).toEqual(await rows(directory.url, "SELECT value FROM secret_check"));
  await query(second, "UPDATE secret_check SET value = 'other'");
  expect((await obeyed(all, ["owner", "list"])).err).toContain("does not match this database");
  await query(second, `UPDATE secret_check SET value = '${value[0]?.value}'`);
});

test("revokes a token by its ID on any shard", async () => {
  for (const database of [directory.url, second])
    await query(
      database,
      `INSERT INTO app (id, owner_id, name, kind, name_skeleton, name_folded)
       SELECT 'app_1', id, 'Courier', 'manual', 'courier', 'courier' FROM owner`,
    );
  await query(second, `INSERT INTO app_grant (id, owner_id, app_id) VALUES ('grt_1', '${there}', 'app_1')`);
  await query(
    second,
    `INSERT INTO token (id, hash, grant_id, owner_id, family_id, kind, scopes, last4, expires_at)
     VALUES ('tok_1', '\\x01', 'grt_1', '${there}', 'tok_1', 'personal', '{}', 'abcd', now() + interval '1 day')`,
  );
  expect((await obeyed(all, ["token", "revoke", "tok_1"])).status).toBe(0);
  expect(await rows(second, "SELECT revoked_at IS NOT NULL AS revoked FROM token")).toEqual([{ revoked: true }]);
  expect((await obeyed(all, ["token", "revoke", "tok_2"])).err).toContain("No token has this value or ID");
});

test("checks each shard with doctor", async () => {
  const said = async () => (await inWords(all, ["doctor"])).out;
  expect(await said()).toMatch(/Shards .*Shards: 2\. All respond\./);
  expect(await said()).toMatch(/Webhooks of shard two .*None is overdue/);
  expect(await said()).toMatch(/Database of shard two .*PostgreSQL \d+/);
  const without = (await inWords(given, ["doctor"])).out;
  expect(without).toMatch(/FAIL .*SHARDS lacks the shard two\. Set SHARDS to all shards, on every instance\./);
  gate.close();
  expect(await said()).not.toContain("of shard two");
  expect(await said()).toMatch(
    /FAIL .*The shard two is unavailable: [^\n]*\. Start its PostgreSQL, or correct SHARDS\./,
  );
});

test("records a new SECRET on every shard", async () => {
  const next = { ...all, SECRET: other, SECRET_PREVIOUS: SECRET };
  expect((await obeyed(next, ["secret", "rotate"])).json()).toMatchObject({ rotated: true });
  const values = await Promise.all(
    [directory.url, second].map((database) => rows(database, "SELECT value FROM secret_check")),
  );
  expect(values[0]).toEqual(values[1]);
  expect((await obeyed({ ...all, SECRET: other }, ["owner", "list"])).status).toBe(0);
  expect((await obeyed(all, ["owner", "list"])).err).toContain("does not match this database");
});
