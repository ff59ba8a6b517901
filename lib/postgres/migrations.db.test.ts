import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, inject, test } from "vitest";
import { env } from "@/lib/config/env";
import { pool } from "@/lib/database/db";
import { folderOfMigrations } from "@/lib/testing/separate-database";
import { inDatabase, query, withTestClient } from "@/lib/testing/temporary-postgres";
import { lastFormerCommit } from "./former-history";
import { checkMigrated, MigrationError, migrate, migrationState } from "./migrations";

const initial = "20261128000000_initial";
const own = join(import.meta.dirname, "../../prisma/migrations");

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** Creates a folder with our migrations and additional ones. */
function migrations(more: Record<string, string>): string {
  const folder = folderOfMigrations(more);
  folders.push(folder);
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
    .filter((entry) => entry.isDirectory())
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

test("refuses a database from before the initial schema, and says how to take its data along", async () => {
  const { url, template } = inject("postgres");
  const name = `${template}_${randomBytes(4).toString("hex")}`;
  await query(url, `CREATE DATABASE ${name}`);
  const address = inDatabase(url, name);
  await query(
    address,
    `CREATE TABLE former (id int);
     CREATE TABLE _prisma_migrations (migration_name text, checksum text, logs text, started_at timestamptz,
       finished_at timestamptz, rolled_back_at timestamptz);
     INSERT INTO _prisma_migrations VALUES ('20261120000000_initial', 'abc', '', now(), now())`,
  );
  const refusal = new RegExp(
    `^This database is from before version 0\\.1\\.0\\. .*check out the commit ${lastFormerCommit}\\. Run "owner export EMAIL > FILE".*"owner import FILE".*\\.$`,
  );
  for (const work of [migrate, checkMigrated, migrationState]) await expect(work(address)).rejects.toThrow(refusal);
  const tables = await withTestClient(address, (client) =>
    client.query(
      "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1",
    ),
  );
  expect(tables.rows.map(({ relname }) => relname)).toEqual(["_prisma_migrations", "former"]);
  await query(url, `DROP DATABASE ${name} WITH (FORCE)`);
});
