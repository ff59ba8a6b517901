import type pg from "pg";
import { clock } from "@/lib/clock";
import type { Home } from "../homes";
import { isOfHomes, movedTables } from "./owner-tables";

/*
 * The rows of a move travel by PostgreSQL's logical replication: a publication of the former shard
 * with a row filter, and a subscription of the new shard. Names and comments of both keep the
 * state, so a move continues after a crash. Only one move runs at a time.
 */

/** The name of the move's publication, subscription and replication slot. */
export const moveName = "countersign_move";

/** What a publication copies, as its comment says. */
export type Copy = { readonly to: string; readonly homes: readonly Home[] };

/** Returns what the publication of a shard copies, if it has one. */
export async function readCopy(from: pg.ClientBase): Promise<Copy | undefined> {
  const { rows } = await from.query<{ comment: string | null }>(
    "SELECT obj_description(oid, 'pg_publication') AS comment FROM pg_publication WHERE pubname = $1",
    [moveName],
  );
  return rows[0] && (JSON.parse(rows[0].comment ?? '{"to":"","homes":[]}') as Copy);
}

/** Returns whether the new shard has the subscription of a move. */
export async function isSubscribed(to: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await to.query(
    `SELECT FROM pg_subscription s JOIN pg_database d ON d.oid = s.subdbid
     WHERE d.datname = current_database() AND s.subname = $1`,
    [moveName],
  );
  return rowCount === 1;
}

/** Creates the publication and its slot, and then the subscription, which begins to copy. */
export async function beginCopy(from: pg.ClientBase, fromUrl: string, to: pg.ClientBase, copy: Copy): Promise<void> {
  const tables = await movedTables(from);
  await identifyByWholeRow(from);
  const filters = tables.map((table) => `public."${table.name}" WHERE (${isOfHomes(table, copy.homes)})`);
  await from.query(
    `BEGIN; CREATE PUBLICATION ${moveName} FOR TABLE ${filters.join(", ")} WITH (publish_via_partition_root = true);
     COMMENT ON PUBLICATION ${moveName} IS ${literal(JSON.stringify(copy))}; COMMIT`,
  );
  // The slot is created first, because CREATE SUBSCRIPTION would wait for its own transaction if
  // both databases were on one server.
  await from.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [slotOf(copy)]);
  await to.query(
    `CREATE SUBSCRIPTION ${moveName} CONNECTION ${literal(fromUrl)} PUBLICATION ${moveName}
     WITH (create_slot = false, slot_name = '${slotOf(copy)}', copy_data = true)`,
  );
}

/** The slot's name contains the target, because one server can have several databases. */
const slotOf = ({ to }: Copy) => `${moveName}_${to}`;

/**
 * Ends a copy, finished or not: drops the subscription, the slot and the publication. Has no effect
 * on what does not exist. The rows that arrived stay.
 */
export async function endCopy(from: pg.ClientBase, to: pg.ClientBase): Promise<void> {
  const copy = await readCopy(from);
  if (await isSubscribed(to)) {
    await to.query(`ALTER SUBSCRIPTION ${moveName} DISABLE`);
    // Also drops the slot, and those of tables whose first copy has not ended.
    await retried(() => to.query(`DROP SUBSCRIPTION ${moveName}`));
  }
  if (!copy) return;
  await retried(() =>
    from.query("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1", [
      slotOf(copy),
    ]),
  );
  await from.query(`DROP PUBLICATION IF EXISTS ${moveName}`);
  await identifyByKey(from);
}

/** Repeats a step for up to 30 seconds, because a worker may still use the slot. */
async function retried<T>(step: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step();
    } catch (error) {
      if (attempt === 60) throw error;
      await clock.pause(500);
    }
  }
}

const withPartitions = `SELECT c.oid::regclass::text AS name, c.relreplident AS identity,
    EXISTS (
      SELECT FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attgenerated <> '' AND NOT a.attisdropped
    ) AS generates
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
    AND (c.relname = ANY ($1) OR EXISTS (SELECT FROM pg_inherits i
      WHERE i.inhrelid = c.oid AND i.inhparent = ANY ($1::regclass[])))
  ORDER BY 1`;

/** Lets the row filter read the owner of updated and deleted rows. Includes new partitions. */
export const identifyByWholeRow = (from: pg.ClientBase) => identify(from, "FULL");
const identifyByKey = (from: pg.ClientBase) => identify(from, "DEFAULT");

type TableIdentity = { name: string; identity: "d" | "f" | "i"; generates: boolean };

async function identify(client: pg.ClientBase, by: "FULL" | "DEFAULT"): Promise<void> {
  const names = (await movedTables(client)).map(({ name }) => name);
  const { rows } = await client.query<TableIdentity>(withPartitions, [names]);
  for (const { name, identity, generates } of rows) {
    if ((identity === "d") === (by === "DEFAULT")) continue;
    const index = `move_of_${name}`;
    // PostgreSQL 18 rejects updates if generated columns are part of the identity, so such a table
    // gets an index for the time of the move. An interrupted build leaves an invalid index.
    if (generates && by === "FULL") {
      await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
      await client.query(`CREATE UNIQUE INDEX CONCURRENTLY ${index} ON ${name} (owner_id, id)`);
    }
    const wanted = generates && by === "FULL" ? `USING INDEX ${index}` : by;
    // The lock is short, but must not make requests queue behind it.
    await retried(() =>
      client
        .query(`BEGIN; SET LOCAL lock_timeout = '500ms'; ALTER TABLE ${name} REPLICA IDENTITY ${wanted}; COMMIT`)
        .catch(async (error) => {
          await client.query("ROLLBACK");
          throw error;
        }),
    );
    if (generates && by === "DEFAULT") await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
  }
}

/** The progress of a first copy. */
export type CopyProgress = { readonly ready: number; readonly tables: number; readonly behindBytes: number };

/** Reads how much of the first copy is done, and how far the new shard is behind. */
export async function copyProgress(from: pg.ClientBase, to: pg.ClientBase, copy: Copy): Promise<CopyProgress> {
  const tables = await to.query<{ ready: number; tables: number }>(
    `SELECT count(*) FILTER (WHERE r.srsubstate = 'r')::int AS ready, count(*)::int AS tables
     FROM pg_subscription_rel r JOIN pg_subscription s ON s.oid = r.srsubid
       JOIN pg_database d ON d.oid = s.subdbid AND d.datname = current_database()
     WHERE s.subname = $1`,
    [moveName],
  );
  const slot = await from.query<{ behind: string }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)::text AS behind
     FROM pg_replication_slots WHERE slot_name = $1`,
    [slotOf(copy)],
  );
  return { ...tables.rows[0]!, behindBytes: Number(slot.rows[0]?.behind ?? Number.NaN) };
}

/**
 * Waits until the new shard has applied everything that the former shard has committed by now.
 * @throws {Error} after `withinMs` milliseconds
 */
export async function untilMoveApplied(from: pg.ClientBase, copy: Copy, withinMs: number): Promise<void> {
  const until = clock.elapsed() + withinMs;
  // The position of a change is only confirmed once a later record follows, such as this message.
  const { rows } = await from.query<{ lsn: string }>(
    "SELECT pg_logical_emit_message(false, 'countersign', '')::text AS lsn",
  );
  for (;;) {
    const { rows: slots } = await from.query<{ there: boolean }>(
      "SELECT confirmed_flush_lsn >= $2::pg_lsn AS there FROM pg_replication_slots WHERE slot_name = $1",
      [slotOf(copy), rows[0]!.lsn],
    );
    if (slots[0]?.there) return;
    if (clock.elapsed() > until) throw new Error("The new shard did not receive the last changes in time.");
    await clock.pause(5);
  }
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
