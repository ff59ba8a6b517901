import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { continueOrder } from "@/lib/events/continue-order";
import { transact } from "@/lib/transaction";
import { connected } from "./connected";

/** A migration that cannot be applied; the message is for the operator. */
export class MigrationError extends Error {}

/** The number by which Prisma's own `migrate deploy` keeps others out, so the two never run at once. */
const prismaLock = 72707369;

/** Prisma's own bookkeeping, so that `prisma migrate deploy` and `status` agree with us about what has been applied. */
const bookkeeping = `CREATE TABLE _prisma_migrations (
    id                      VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum                VARCHAR(64) NOT NULL,
    finished_at             TIMESTAMPTZ,
    migration_name          VARCHAR(255) NOT NULL,
    logs                    TEXT,
    rolled_back_at          TIMESTAMPTZ,
    started_at              TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count     INTEGER NOT NULL DEFAULT 0
)`;

type Applied = { migration_name: string; checksum: string; finished_at: Date | null };

/**
 * Bring the database up to date, one copy of the service at a time. Each migration is one transaction together with its
 * record, so an interrupted one leaves nothing. A migration that cannot get its locks within 2 s steps back, so that
 * traffic is never queued behind it, and tries again.
 * @returns how many were applied
 * @throws {MigrationError} when an applied migration has changed or one failed before, or when one cannot be applied
 */
export async function migrate(
  databaseUrl: string,
  { folder = "prisma/migrations", tell = (_line: string) => {} } = {},
): Promise<number> {
  const apply = async (client: pg.Client) => {
    await takeTurn(client, tell);
    const pending = unapplied(read(folder), await history(client));
    for (const migration of pending) await retrying(() => applyOne(client, migration), migration.name, tell);
    if (await continueOrder(client)) tell("This database was restored from a dump: new events go on after its last");
    return pending.length;
  };
  return connected(databaseUrl, apply, { application_name: "countersign migrate" });
}

type Migration = { name: string; sql: string; checksum: string };

const read = (folder: string): Migration[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const sql = readFileSync(join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));

async function takeTurn(client: pg.Client, tell: (line: string) => void) {
  for (let turn = 0; turn < 240; turn++) {
    const { rows } = await client.query<{ mine: boolean }>("SELECT pg_try_advisory_lock($1) AS mine", [prismaLock]);
    if (rows[0]?.mine) return;
    if (turn % 20 === 4) tell("Waiting for another copy to finish its migrations");
    await pause(250);
  }
  throw new MigrationError("Another copy has been applying migrations for a minute; try again when it is done.");
}

async function history(client: pg.Client): Promise<Applied[]> {
  const { rows } = await client.query<{ there: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS there",
  );
  if (!rows[0]?.there) await client.query(bookkeeping);
  const applied = await client.query<Applied>(
    "SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at",
  );
  return applied.rows;
}

function unapplied(migrations: Migration[], applied: Applied[]): Migration[] {
  for (const { migration_name: name, checksum, finished_at } of applied) {
    const file = migrations.find((migration) => migration.name === name);
    if (!finished_at)
      throw new MigrationError(`The migration ${name} failed earlier; settle it with "prisma migrate resolve".`);
    if (!file)
      throw new MigrationError(
        `The database has the migration ${name}, which this version does not know; it is too old.`,
      );
    if (file.checksum !== checksum) throw new MigrationError(`The migration ${name} has changed since it was applied.`);
  }
  return migrations.filter(({ name }) => !applied.some((one) => one.migration_name === name));
}

async function applyOne(client: pg.Client, { name, sql, checksum }: Migration) {
  const work = async () => {
    const id = randomUUID();
    await client.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at) VALUES ($1, $2, $3, clock_timestamp())",
      [id, checksum, name],
    );
    await client.query(sql);
    await client.query(
      "UPDATE _prisma_migrations SET applied_steps_count = 1, finished_at = clock_timestamp() WHERE id = $1",
      [id],
    );
  };
  await transact(client, work, { begin: "BEGIN; SET LOCAL lock_timeout = '2s'" });
}

/** SQLSTATE 55P03, lock not available, and 40P01, deadlock, pass; everything else is the migration's own fault. */
async function retrying(work: () => Promise<void>, name: string, tell: (line: string) => void) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const code = error instanceof pg.DatabaseError ? error.code : undefined;
      if ((code !== "55P03" && code !== "40P01") || attempt === 10) {
        throw new MigrationError(`The migration ${name} could not be applied: ${(error as Error).message}.`, {
          cause: error,
        });
      }
      tell(`The migration ${name} is waiting for busy tables (attempt ${attempt})`);
      await pause(500 * attempt);
    }
  }
}
