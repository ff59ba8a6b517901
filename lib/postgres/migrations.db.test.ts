import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { env } from "@/lib/config/env";
import { pool } from "@/lib/database/db";
import { databaseBefore } from "@/lib/testing/database-before-migration";
import { checkMigrated, MigrationError, migrate } from "./migrations";

const initial = "20261120000000_initial";
const own = join(import.meta.dirname, "../../prisma/migrations");

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** Creates a folder with our migrations and additional ones. */
function migrations(more: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-migrations-"));
  folders.push(folder);
  const ours = readdirSync(own, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const all = [
    ...ours.map(({ name }) => [name, readFileSync(join(own, name, "migration.sql"), "utf8")] as const),
    ...Object.entries(more),
  ];
  for (const [name, sql] of all) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "migration.sql"), sql);
  }
  return folder;
}

const recorded = async (name: string) =>
  (await pool().query("SELECT * FROM _prisma_migrations WHERE migration_name = $1", [name])).rows;

test("records applied migrations as Prisma does", async () => {
  const sql = readFileSync(join(own, initial, "migration.sql"));
  expect(await recorded(initial)).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      checksum: createHash("sha256").update(sql).digest("hex"),
      migration_name: initial,
      started_at: expect.any(Date),
      finished_at: expect.any(Date),
      applied_steps_count: 1,
      logs: null,
      rolled_back_at: null,
    },
  ]);
});

test("applies no migration twice", async () => {
  expect(await migrate(env().databaseUrl)).toEqual([]);
});

test("applies a migration only once across five concurrent instances", async () => {
  const folder = migrations({ "20300101000000_once": "CREATE TABLE once_only (id int); SELECT pg_sleep(0.1);" });
  const counts = await Promise.all(Array.from({ length: 5 }, () => migrate(env().databaseUrl, { folder })));
  expect(counts.map(({ length }) => length).sort()).toEqual([0, 0, 0, 0, 1]);
  expect(await recorded("20300101000000_once")).toHaveLength(1);
  await pool().query("DELETE FROM _prisma_migrations WHERE migration_name = '20300101000000_once'");
});

test("rolls back a failed migration completely", async () => {
  const name = "20300102000000_broken";
  const broken = migrations({ [name]: "CREATE TABLE half_done (id int); SELECT 1/0;" });
  await expect(migrate(env().databaseUrl, { folder: broken })).rejects.toThrow(
    /20300102000000_broken.*division by zero/,
  );
  expect(await recorded(name)).toEqual([]);
  const right = migrations({ [name]: "CREATE TABLE half_done (id int);" });
  expect(await migrate(env().databaseUrl, { folder: right })).toEqual([name]);
});

test("rejects a changed, failed or unknown migration", async () => {
  const name = "20300102000000_broken";
  const changed = migrations({ [name]: "CREATE TABLE something_else (id int);" });
  await expect(migrate(env().databaseUrl, { folder: changed })).rejects.toThrow(/has changed since/);
  await expect(migrate(env().databaseUrl)).rejects.toThrow(/newer, incompatible version/);
  await pool().query("UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = $1", [name]);
  await expect(migrate(env().databaseUrl, { folder: changed })).rejects.toThrow(MigrationError);
  await expect(migrate(env().databaseUrl, { folder: changed })).rejects.toThrow(/failed earlier/);
  await pool().query("DELETE FROM _prisma_migrations WHERE migration_name = $1", [name]);
});

test("ignores unknown migrations that are marked as additive", async () => {
  const name = "20300104000000_additive";
  const newer = migrations({ [name]: "-- additive\nCREATE TABLE newer (id int);" });
  expect(await migrate(env().databaseUrl, { folder: newer })).toEqual([name]);
  const told: string[] = [];
  expect(await migrate(env().databaseUrl, { tell: (line) => told.push(line) })).toEqual([]);
  expect(told).toEqual([`A newer, compatible version of Countersign applied the migration ${name}`]);
  await checkMigrated(env().databaseUrl);

  await pool().query("UPDATE _prisma_migrations SET logs = NULL WHERE migration_name = $1", [name]);
  await expect(migrate(env().databaseUrl)).rejects.toThrow(/from a newer, incompatible version/);
  await expect(checkMigrated(env().databaseUrl)).rejects.toThrow(/from a newer, incompatible version/);
  expect(await migrate(env().databaseUrl, { folder: newer })).toEqual([]);
  expect(await migrate(env().databaseUrl)).toEqual([]);
  await pool().query("DELETE FROM _prisma_migrations WHERE migration_name = $1", [name]);
});

test("limits a migration's lock wait but not its duration", async () => {
  const name = "20300105000000_limits";
  const database = new URL(env().databaseUrl).pathname.slice(1);
  const folder = migrations({
    [name]: `SET lock_timeout = '2s';
      CREATE TABLE limits AS SELECT current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS statement;`,
  });
  await pool().query(`ALTER DATABASE ${database} SET statement_timeout = '2s'`);
  expect(await migrate(env().databaseUrl, { folder })).toEqual([name]);
  await pool().query(`ALTER DATABASE ${database} RESET statement_timeout`);
  expect((await pool().query("SELECT * FROM limits")).rows).toEqual([{ lock: "500ms", statement: "0" }]);
  await pool().query("DELETE FROM _prisma_migrations WHERE migration_name = $1", [name]);
});

test("rejects an outdated database if MIGRATE is off", async () => {
  const name = "20300106000000_lacking";
  const folder = migrations({ [name]: "CREATE TABLE lacking (id int);" });
  await expect(checkMigrated(env().databaseUrl, { folder })).rejects.toThrow(
    `The database lacks the migration ${name}. MIGRATE is off, so run "npm run -s countersign -- migrate" first.`,
  );
  expect(await recorded(name)).toEqual([]);
});

test("requires every new migration to state whether it is additive", () => {
  const first = readdirSync(own, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name >= "20261127")
    .map(({ name }) => readFileSync(join(own, name, "migration.sql"), "utf8").split("\n")[0]);
  for (const line of first) expect(line).toMatch(/^-- (additive|not additive: .+)$/);
});

test("waits for a locked table without blocking other queries", async () => {
  const folder = migrations({ "20300103000000_busy": 'ALTER TABLE "throttle" ADD COLUMN extra int;' });
  const holder = await pool().connect();
  await holder.query('BEGIN; LOCK TABLE "throttle" IN ACCESS SHARE MODE');
  const said: string[] = [];
  const done = migrate(env().databaseUrl, { folder, tell: (line) => said.push(line) });
  await expect.poll(() => said).toHaveLength(1);
  // Writers continue while the long reader runs.
  await pool().query(`INSERT INTO "throttle" SELECT * FROM "throttle"`);
  await holder.query("COMMIT");
  holder.release();
  expect(await done).toEqual(["20300103000000_busy"]);
  await pool().query("DELETE FROM _prisma_migrations WHERE migration_name = '20300103000000_busy'");
});

test("partitions the event log without rewriting rows", async () => {
  const { url: address, end } = await databaseBefore("20261129");
  const role = `reader_${randomBytes(4).toString("hex")}`;
  const old = new pg.Client({ connectionString: address });
  await old.connect();
  await old.query(`CREATE ROLE ${role}; GRANT SELECT, INSERT ON event TO ${role}`);
  const write = () =>
    old.query({
      name: "write",
      text: "INSERT INTO event (owner_id, app_id, type, subject) SELECT 'own_1', 'app_1', 'x', 's' FROM generate_series(1, $1::int)",
      values: [1000],
    });
  const read = async () =>
    (await old.query({ name: "read", text: "SELECT id FROM event WHERE owner_id = $1 ORDER BY id", values: ["own_1"] }))
      .rows;
  await write();
  const ids = await read();
  const files = async (table: string) =>
    (
      await old.query(
        `SELECT pg_relation_filenode(c.oid) AS file FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid
          WHERE c.oid = $1::regclass OR i.indrelid = $1::regclass ORDER BY 1`,
        [table],
      )
    ).rows;
  const stored = await files("event");

  await migrate(address);
  expect(await files("event_first")).toEqual(stored);
  expect(await read()).toEqual(ids);
  await write();
  expect((await read()).length).toBe(2000);
  await expect(old.query("DELETE FROM event")).rejects.toThrow(/append-only/);
  await expect(old.query("TRUNCATE event_first")).rejects.toThrow(/append-only/);
  const { rows } = await old.query(
    "SELECT has_table_privilege($1, 'event', 'INSERT') AS write, has_table_privilege($1, 'event', 'DELETE') AS remove",
    [role],
  );
  expect(rows).toEqual([{ write: true, remove: false }]);
  await old.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await old.end();
  await end();
});

test("confirms only email addresses that existed before the migration", async () => {
  const { url: address, end } = await databaseBefore("20261130000400");
  const old = new pg.Client({ connectionString: address });
  await old.connect();
  const add = (id: string) =>
    old.query(`INSERT INTO owner (id, email, name, password_hash) VALUES ('${id}', '${id}@example.com', 'Robin', 'x')`);
  await add("own_1");
  await add("own_2");
  await migrate(address);
  await old.query("UPDATE owner SET email = 'other@example.com' WHERE id = 'own_2'");
  await add("own_3");
  const { rows } = await old.query(
    "SELECT id, coalesce(confirmed_email = email, false) AS confirmed FROM owner ORDER BY id",
  );
  expect(rows.map(({ confirmed }) => confirmed)).toEqual([true, false, false]);
  await old.end();
  await end();
});
