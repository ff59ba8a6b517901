import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import pg from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { pool } from "@/lib/database/db";
import { shardOfOwner } from "@/lib/database/shards/each-shard";
import { directoryShard, hasSeveralShards, shards } from "@/lib/database/shards/shard-map";
import { aHookedApp } from "@/lib/testing/app-with-webhook";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { anOwner } from "@/lib/testing/factories";
import { inWords, obeyed } from "@/lib/testing/operator-command";
import { testShards } from "@/lib/testing/shards/shard-count";
import { inDatabase, query } from "@/lib/testing/temporary-postgres";

// These tests run `doctor` in this process. service-lifecycle.process.test.ts runs it alongside a
// healthy service.
const { DATABASE_URL = "", SECRET = "" } = process.env;
const given = { DATABASE_URL, SECRET, PORT: "1" };
const DATA_DIR = newDataDir(0o700);
afterAll(() => removeDataDir(DATA_DIR));

type Finding = { about: string; standing: string; says: string };
/** Returns the findings of one check, each as "status: sentence". */
async function said(about: string, more: Record<string, string> = {}) {
  const { status, out } = await obeyed({ ...given, ...more }, ["doctor"]);
  const { problems, findings } = JSON.parse(out) as { problems: number; findings: Finding[] };
  const failing = findings.filter(({ standing }) => standing === "fail");
  expect([problems, status]).toEqual([failing.length, failing.length > 0 ? 1 : 0]);
  return findings.filter((it) => it.about === about).map(({ standing, says }) => `${standing}: ${says}`);
}

/** The name of a check on a shard, which contains the shard if there are several. */
const onShard = (about: string, shard: number) =>
  hasSeveralShards() ? `${about} of shard ${shards().find(({ number }) => number === shard)?.name}` : about;

test("prints each finding on a line with its status and subject", async () => {
  const { out, err } = await inWords(given, ["doctor"]);
  expect(err).toBe("");
  const [lines = "", last] = out.split("\n\n");
  for (const line of lines.split("\n")) expect(line).toMatch(/^(ok {4}|note {2}|FAIL {2})[A-Z]\w+ +[^ ].*\.$/);
  // The test database isn't durable, and its role is a superuser, so both findings are expected.
  expect(lines).toMatch(
    /^FAIL {2}Durability +A crash can lose answers.*\. Set fsync = on, full_page_writes = on, synchronous_commit = on in/m,
  );
  expect(lines).toMatch(/^note {2}Database +DATABASE_URL names a superuser\. /m);
  expect(last).toBe(testShards > 0 ? `${testShards + 1} problems found.\n` : "1 problem found.\n");
});

test("continues after reporting an unreachable database", async () => {
  const away = { DATABASE_URL: "postgresql://nobody:hush@127.0.0.1:1/none" };
  expect(await said("Database", away)).toEqual([
    "fail: Could not connect to the database at DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1. Start the database, or correct DATABASE_URL.",
  ]);
  expect(await said("Service", away)).toEqual([expect.stringMatching(/^note: No instance is running/)]);
});

test("names the invalid setting and the range of valid values", async () => {
  expect(await said("Settings", { PORT: "http" })).toEqual(["fail: PORT must be a whole number from 0 to 65535."]);
});

test("reports a missing or mismatched secret without creating a secret", async () => {
  await anOwner();
  expect((await obeyed(given, ["owner", "list"])).status).toBe(0);
  expect(await said("Secret")).toEqual([
    "ok: SECRET matches this database. The configured keys decrypt all stored secrets.",
  ]);
  expect(await said("Secret", { SECRET: SECRET.toUpperCase() })).toEqual([
    expect.stringMatching(/^fail: SECRET does not match this database\. Restore the previous secret\. To continue /),
  ]);
  expect(await said("Secret", { SECRET: "", DATA_DIR })).toEqual([
    expect.stringMatching(/^fail: The secret .*\/secret is missing, but the database has owners.*\. Restore the file/),
  ]);
  expect((await obeyed(given, ["owner", "list"])).status).toBe(0);
  // Creates a folder at the path of the secret's file, so that reading the secret fails.
  mkdirSync(`${DATA_DIR}/broken/secret`, { recursive: true });
  expect(await said("Secret", { SECRET: "", DATA_DIR: `${DATA_DIR}/broken` })).toEqual([
    expect.stringMatching(
      /^fail: Can't read .*\/broken\/secret: EISDIR.*\. Run this command as the user that runs the service\.$/,
    ),
  ]);
});

test("names the next step while SECRET_PREVIOUS is set", async () => {
  await anOwner();
  const next = "another-secret-0123456789abcdef0123456789abcdef";
  const unused =
    "note: The database depends on SECRET, and nothing needs SECRET_PREVIOUS. To replace SECRET, swap both values on every instance. Otherwise, unset SECRET_PREVIOUS.";
  expect((await obeyed(given, ["owner", "list"])).status).toBe(0);
  expect(await said("Secret", { SECRET_PREVIOUS: next })).toEqual([unused]);
  expect(await said("Secret", { SECRET: next, SECRET_PREVIOUS: SECRET })).toEqual([
    'note: The database still depends on SECRET_PREVIOUS. After every instance has the new SECRET, run "secret rotate".',
  ]);
  const swapped = { ...given, SECRET: next, SECRET_PREVIOUS: SECRET };
  expect((await obeyed(swapped, ["secret", "rotate"])).json()).toMatchObject({ rotated: true });
  const [finding] = await said("Secret", { SECRET: next, SECRET_PREVIOUS: SECRET });
  const [, since = "", until = ""] = /from before (\S+) still need .* after (\S+)\.$/.exec(finding ?? "") ?? [];
  expect(Date.parse(until) - Date.parse(since)).toBe(30 * 86_400_000);
  await pool().query("UPDATE retained_key SET sealed_at = sealed_at - interval '31 days'");
  expect(await said("Secret", { SECRET: next, SECRET_PREVIOUS: SECRET })).toEqual([unused]);
  const back = { ...given, SECRET_PREVIOUS: next };
  expect((await obeyed(back, ["secret", "rotate"])).json()).toMatchObject({ rotated: true });
});

test("reports a missing database, pending migrations and a restored dump", async () => {
  const folder = `${DATA_DIR}/new`;
  expect(await said("Database", { DATABASE_URL: "", DATA_DIR: folder })).toEqual([
    `note: ${folder} has no database yet. "npm start" creates the database.`,
  ]);
  const { url, template } = inject("postgres");
  const name = `${template}_${randomBytes(4).toString("hex")}`;
  await query(url, `CREATE DATABASE ${name}`);
  const empty = { DATABASE_URL: inDatabase(url, name) };
  expect(await said("Migrations", empty)).toEqual([
    expect.stringMatching(
      /^fail: \d+ migrations? (is|are) pending, starting with 20261128000000_initial\. Run ".* migrate"/,
    ),
  ]);
  await obeyed({ ...given, ...empty }, ["migrate"]);
  expect(await said("Migrations", empty)).toEqual([
    expect.stringMatching(/^ok: (All \d+ migrations are|1 migration is) applied\.$/),
  ]);
  expect(await said("Secret", { ...empty, SECRET: "", DATA_DIR })).toEqual([
    expect.stringMatching(/^ok: The service has no secret yet/),
  ]);
  await query(
    empty.DATABASE_URL,
    "INSERT INTO event (owner_id, type, subject, tx) VALUES ('own_1', 'owner.signed_in', 'own_1', '1000000000000')",
  );
  expect(await said("Migrations", empty)).toEqual([
    expect.stringMatching(/^fail: The database was restored from a dump/),
  ]);
  await query(url, `DROP DATABASE ${name} WITH (FORCE)`);
});

test("reports the transaction that delays the event feed", async () => {
  const holder = new pg.Client({ connectionString: DATABASE_URL, application_name: "a report" });
  await holder.connect();
  const pid = (await holder.query("SELECT pg_backend_pid() AS pid")).rows[0].pid;
  await holder.query("BEGIN");
  await holder.query("INSERT INTO event (owner_id, type, subject) VALUES ('own_2', 'owner.signed_in', 'own_2')");
  await query(
    DATABASE_URL,
    `INSERT INTO event (owner_id, type, subject, created_at)
     VALUES ('own_1', 'owner.signed_in', 'own_1', now() - interval '10 minutes')`,
  );
  // Transactions of other tests on the same server can also delay events for a moment.
  await expect
    .poll(() => said(onShard("Feed", directoryShard)))
    .toEqual([
      expect.stringMatching(
        new RegExp(
          `^fail: No events have reached apps for 10 min\\. The program a report \\(role \\w+, database \\w+\\) keeps a transaction open\\. End the transaction with SELECT pg_terminate_backend\\(${pid}\\)\\.$`,
        ),
      ),
    ]);
  await holder.query("ROLLBACK");
  await holder.end();
  await expect.poll(() => said(onShard("Feed", directoryShard))).toEqual(["ok: Events reach apps without delay."]);
});

test("reports overdue webhook deliveries and alerts", async () => {
  const { id, owner } = await aHookedApp("https://hooks.example/all");
  const shard = shardOfOwner(owner.ownerId);
  await pool(shard).query(
    `INSERT INTO webhook_delivery (id, endpoint_id, owner_id, event, type, body, due_at)
     VALUES ('whd_1', $1, $2, 'evt_1', 'test', '', now() - interval '12 minutes')`,
    [id, owner.ownerId],
  );
  await pool(shard).query(
    `WITH a AS (INSERT INTO alert (id, owner_id, app_id, about, tag, reminder) VALUES ('alt_1', $1, 'a', 'questions', 't', false))
     INSERT INTO alert_delivery (owner_id, alert_id, target_id, kind, due_at) VALUES ($1, 'alt_1', 'psh_1', 'show', now() - interval '6 minutes')`,
    [owner.ownerId],
  );
  expect(await said(onShard("Webhooks", shard))).toContain(
    `fail: The oldest webhook delivery has been overdue for 12 min. The webhook ${id} is furthest behind (due deliveries: 1). Check that its endpoint responds ("webhook test ${id}") and that an instance is running.`,
  );
  expect(await said(onShard("Alerts", shard))).toEqual([
    expect.stringMatching(/^fail: The oldest message .* overdue for 6 min\. Check that/),
  ]);
});
