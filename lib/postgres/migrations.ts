import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { clock } from "@/lib/clock";
import { inClientTransaction } from "@/lib/database/transaction";
import { sqlState } from "@/lib/errors";
import { applyRestoreOffset, needsRestoreOffset } from "@/lib/events/restore-offset";
import { refusalOfFormer } from "./former-history";
import { withClient } from "./with-client";

/** Thrown if a migration can't be applied. The message is for the operator. */
export class MigrationError extends Error {}

/**
 * Prisma's own table, so that `prisma migrate deploy` and `prisma migrate status` see which
 * migrations are applied.
 */
const bookkeeping = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                      VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum                VARCHAR(64) NOT NULL,
    finished_at             TIMESTAMPTZ,
    migration_name          VARCHAR(255) NOT NULL,
    logs                    TEXT,
    rolled_back_at          TIMESTAMPTZ,
    started_at              TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count     INTEGER NOT NULL DEFAULT 0
)`;

type Applied = { migration_name: string; checksum: string; finished_at: Date | null; logs: string | null };
type Migration = { name: string; sql: string; checksum: string; isAdditive: boolean };
type Tell = (line: string) => void;
type Migrating = {
  folder?: string;
  tell?: Tell;
  /** Called with the name of a missing migration before it is applied. An error prevents it. */
  before?: (name: string) => Promise<void>;
};

/**
 * The value of the column `logs` that marks a migration as compatible with the service's previous
 * version, which can then still start. Prisma itself writes `logs` only for a failed migration.
 */
const additive = "additive";

/**
 * Applies the missing migrations, on one instance at a time. Each migration shares a
 * transaction with its record, so an interrupted one leaves nothing behind. A migration that can't
 * get a lock within half a second is retried later, so that it never blocks traffic for longer.
 * @returns the names of the applied migrations
 * @throws {MigrationError} if an applied migration has changed, one failed before, one can't be
 *   applied, or the database is from before the initial schema
 */
export async function migrate(
  databaseUrl: string,
  { folder = shipped.folder, tell = () => {}, before = async () => {} }: Migrating = {},
): Promise<string[]> {
  const migrations = read(folder);
  const apply = async (client: pg.Client) => {
    const applied: string[] = [];
    for (;;) {
      const name = await applyNext(client, migrations, { tell, before });
      if (name === undefined) return applied;
      applied.push(name);
    }
  };
  return withClient(databaseUrl, apply, named);
}

/**
 * Checks that the database is up to date, without changing it.
 * @throws {MigrationError} if it is not
 */
export async function checkMigrated(
  databaseUrl: string,
  { folder = shipped.folder, tell = () => {} }: Migrating = {},
): Promise<void> {
  const todo = 'MIGRATE is off, so run "npm run -s countersign -- migrate" first.';
  const { missing, restored } = await migrationState(databaseUrl, { folder, tell });
  if (missing.length > 0) throw new MigrationError(`The database lacks the migration ${missing[0]}. ${todo}`);
  if (restored)
    throw new MigrationError(
      `The database was restored from a dump, and its event numbers have not been adjusted yet. ${todo}`,
    );
}

/**
 * Returns what `migrate` would do: the missing migrations or, if there are none, whether it would
 * handle a restored dump.
 * @throws {MigrationError} if `migrate` can't run
 */
export const migrationState = (
  databaseUrl: string,
  { folder = shipped.folder, tell = () => {} }: Migrating = {},
): Promise<{ applied: number; missing: string[]; restored: boolean }> =>
  withClient(
    databaseUrl,
    async (client) => {
      const applied = await history(client);
      const missing = unapplied(read(folder), applied, tell).map(({ name }) => name);
      return { applied: applied.length, missing, restored: missing.length === 0 && (await needsRestoreOffset(client)) };
    },
    named,
  );

/** The folder with our migrations. Only tests change it. */
export const shipped = { folder: "prisma/migrations" };
const named = { application_name: "countersign migrate" };

const read = (folder: string): Migration[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const sql = readFileSync(join(folder, name, "migration.sql"), "utf8");
      const checksum = createHash("sha256").update(sql).digest("hex");
      return { name, sql, checksum, isAdditive: sql.startsWith(`-- ${additive}`) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));

/** Prisma's `migrate deploy` uses the same lock, so the two never run concurrently. */
const prismaLock = 72707369;
/** Migrations have no statement timeout, because the role's timeout is for requests. */
const begin =
  "BEGIN; SET LOCAL lock_timeout = '500ms'; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

/** Runs work in a transaction while no other instance is migrating. */
async function inTurn(client: pg.Client, work: () => Promise<void>, tell: Tell) {
  const attempt = async () => {
    const { rows } = await client.query<{ mine: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS mine", [
      prismaLock,
    ]);
    if (rows[0]?.mine) await work();
    return rows[0]?.mine;
  };
  for (let turn = 0; turn < 240; turn++) {
    if (await inClientTransaction(client, attempt, { begin })) return;
    if (turn % 20 === 4) tell("Waiting for another instance to finish its migrations");
    await clock.pause(250);
  }
  throw new MigrationError(
    "Another instance has been applying migrations for a minute. Try again after that instance has finished.",
  );
}

const attempts = 20;

/**
 * Applies the next migration.
 * @returns its name; undefined if none was missing
 */
async function applyNext(
  client: pg.Client,
  migrations: Migration[],
  { tell, before }: Required<Omit<Migrating, "folder">>,
): Promise<string | undefined> {
  const found: { next?: Migration | undefined } = {};
  const work = async () => {
    const applied = await history(client);
    found.next = unapplied(migrations, applied)[0];
    if (found.next) {
      await before(found.next.name);
      await applyOne(client, found.next);
    } else await settle(client, migrations, applied, tell);
  };
  for (let attempt = 1; ; attempt++) {
    try {
      await inTurn(client, work, tell);
      return found.next?.name;
    } catch (error) {
      if (!found.next || error instanceof MigrationError) throw error;
      const { name } = found.next;
      // A lock timeout or a deadlock is temporary. Any other error is due to the migration.
      if (!/^(55P03|40P01)$/.test(sqlState(error)) || attempt === attempts)
        throw new MigrationError(`Could not apply the migration ${name}: ${(error as Error).message}.`, {
          cause: error,
        });
      tell(`The migration ${name} is waiting for busy tables (attempt ${attempt})`);
      await clock.pause(Math.min(500 * attempt, 5000));
    }
  }
}

async function history(client: pg.Client): Promise<Applied[]> {
  const { rows } = await client.query<{ there: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS there",
  );
  if (!rows[0]?.there) return [];
  const applied = await client.query<Applied>(
    "SELECT migration_name, checksum, finished_at, logs FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at",
  );
  return applied.rows;
}

function unapplied(migrations: Migration[], applied: Applied[], tell: Tell = () => {}): Migration[] {
  const unknown = applied.filter((one) => !migrations.some(({ name }) => name === one.migration_name));
  const refusal = refusalOfFormer(unknown.map((one) => one.migration_name));
  if (refusal) throw new MigrationError(refusal);
  for (const { migration_name: name, checksum, finished_at, logs } of applied) {
    const file = migrations.find((migration) => migration.name === name);
    if (!finished_at)
      throw new MigrationError(
        `The migration ${name} failed earlier. Resolve the migration with "prisma migrate resolve".`,
      );
    if (!file && logs !== additive)
      throw new MigrationError(
        `The database has the migration ${name} from a newer, incompatible version of Countersign. Use that version or a later version.`,
      );
    if (!file) tell(`A newer, compatible version of Countersign applied the migration ${name}`);
    else if (file.checksum !== checksum)
      throw new MigrationError(
        `The migration ${name} has changed since it was applied. Restore the migration's original file.`,
      );
  }
  return migrations.filter(({ name }) => !applied.some((one) => one.migration_name === name));
}

async function applyOne(client: pg.Client, { name, sql, checksum, isAdditive }: Migration) {
  await client.query(bookkeeping);
  const id = randomUUID();
  await client.query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at) VALUES ($1, $2, $3, clock_timestamp())",
    [id, checksum, name],
  );
  // Removes the file's own lock timeout, which is for Prisma only. `begin` has set ours.
  await client.query(sql.replace(/^SET lock_timeout\b.*;$/m, ""));
  await client.query(
    "UPDATE _prisma_migrations SET applied_steps_count = 1, finished_at = clock_timestamp(), logs = $2 WHERE id = $1",
    [id, isAdditive ? additive : null],
  );
}

/**
 * Completes the work once all migrations are applied: marks those that Prisma applied, and handles
 * a restored dump.
 */
async function settle(client: pg.Client, migrations: Migration[], applied: Applied[], tell: Tell) {
  unapplied(migrations, applied, tell);
  const unmarked = applied.filter(
    ({ migration_name: name, logs }) => logs !== additive && migrations.some((it) => it.name === name && it.isAdditive),
  );
  if (unmarked.length > 0)
    await client.query("UPDATE _prisma_migrations SET logs = $2 WHERE migration_name = ANY ($1)", [
      unmarked.map(({ migration_name: name }) => name),
      additive,
    ]);
  if (await applyRestoreOffset(client))
    tell("This database was restored from a dump. New events continue after the dump's last event.");
}
