import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { replicatedTables } from "../service-tables";

/*
 * Every shard has a copy of the directory's tables that owners' statements join. PostgreSQL's
 * logical replication keeps the copies up to date, so a shard's statements need no other database.
 * Invariant: only the subscription writes the copies.
 */

/** The name of the directory's publication, for all shards. */
const publication = "countersign_directory";
/** The name of a shard's subscription. */
const subscription = "countersign_directory";

/** A connection to a database, and the connection string by which other servers reach it. */
export type Server = { readonly client: pg.ClientBase; readonly url: string };

/** The state of a shard's copies. */
export type CopyState = {
  /** How many tables have their first copy, of `tables`. */
  readonly copied: number;
  readonly tables: number;
  /** How many bytes of the directory's changes the shard has not confirmed. */
  readonly behindBytes: number | undefined;
};

/**
 * Begins to copy the directory's tables to a shard. Continues where an interrupted call stopped.
 * Both servers need `wal_level = logical`, and the shard's role must be allowed to create
 * subscriptions.
 * @param shard an empty, migrated database
 */
export async function replicateDirectory(directory: Server, shard: Server): Promise<void> {
  await publishTables(directory.client);
  if (await isSubscribed(shard.client)) return;
  const slot = await slotOf(directory.client, shard.client);
  // The slot is created first, because CREATE SUBSCRIPTION would wait for its own transaction if
  // both databases were on one server.
  await directory.client.query(
    `SELECT pg_create_logical_replication_slot($1, 'pgoutput')
     WHERE NOT EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = $1)`,
    [slot],
  );
  await emptyCopies(shard.client);
  await shard.client.query(
    `CREATE SUBSCRIPTION ${subscription}
     CONNECTION ${literal(directory.url)}
     PUBLICATION ${publication}
     WITH (create_slot = false, slot_name = ${slot}, synchronous_commit = on)`,
  );
}

/** Deletes the rows that migrations create, because the directory's rows replace them. */
async function emptyCopies(client: pg.ClientBase): Promise<void> {
  await client.query("SET session_replication_role = replica");
  for (const table of replicatedTables) await client.query(`DELETE FROM ${table}`);
  await client.query("SET session_replication_role = DEFAULT");
}

/** Creates the publication, and adds tables that a new version copies. */
async function publishTables(directory: pg.ClientBase): Promise<void> {
  const { rows } = await directory.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_publication_tables WHERE pubname = $1",
    [publication],
  );
  const missing = replicatedTables.filter((table) => !rows.some(({ name }) => name === table));
  if (missing.length === 0) return;
  await directory.query(
    rows.length === 0
      ? `CREATE PUBLICATION ${publication} FOR TABLE ${missing.join(", ")}`
      : `ALTER PUBLICATION ${publication} ADD TABLE ${missing.join(", ")}`,
  );
}

/** Waits until a shard has the first copy of every table. @param stopping ends the wait */
export async function untilCopied(directory: pg.ClientBase, shard: pg.ClientBase, stopping?: AbortSignal) {
  for (;;) {
    const { copied, tables } = await copyState(directory, shard);
    if (copied === tables && tables > 0) return;
    stopping?.throwIfAborted();
    await pause(20);
  }
}

/** Reads the state of a shard's copies. */
export async function copyState(directory: pg.ClientBase, shard: pg.ClientBase): Promise<CopyState> {
  const { rows: tables } = await shard.query<Pick<CopyState, "copied" | "tables">>(
    `SELECT count(*) FILTER (WHERE r.srsubstate = 'r')::int AS copied, count(*)::int AS tables
     FROM pg_subscription_rel r
       JOIN pg_subscription s ON s.oid = r.srsubid AND s.subname = $1
       JOIN pg_database d ON d.oid = s.subdbid AND d.datname = current_database()`,
    [subscription],
  );
  const { rows: slots } = await directory.query<{ behind: string }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)::text AS behind
     FROM pg_replication_slots
     WHERE slot_name = $1`,
    [await slotOf(directory, shard)],
  );
  const behind = slots[0]?.behind;
  return { ...tables[0]!, behindBytes: behind === undefined ? undefined : Number(behind) };
}

/** Waits until a shard has applied everything that the directory has committed by now. */
export async function untilApplied(directory: pg.ClientBase, shard: pg.ClientBase): Promise<void> {
  const slot = await slotOf(directory, shard);
  // The subscriber confirms a change once a later record follows, such as this message.
  const { rows } = await directory.query<{ lsn: string }>(
    "SELECT pg_logical_emit_message(false, 'countersign', '')::text AS lsn",
  );
  for (;;) {
    const { rowCount } = await directory.query(
      "SELECT FROM pg_replication_slots WHERE slot_name = $1 AND confirmed_flush_lsn >= $2::pg_lsn",
      [slot, rows[0]!.lsn],
    );
    if (rowCount === 1) return;
    await pause(5);
  }
}

/** Ends the copying to a shard. The shard keeps the rows. Has no effect if nothing is copied. */
export async function endReplication(directory: pg.ClientBase, shard: pg.ClientBase): Promise<void> {
  const slot = await slotOf(directory, shard);
  if (await isSubscribed(shard)) await shard.query(`DROP SUBSCRIPTION ${subscription}`);
  await directory.query("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1", [
    slot,
  ]);
}

async function isSubscribed(shard: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await shard.query(
    `SELECT FROM pg_subscription s
       JOIN pg_database d ON d.oid = s.subdbid AND d.datname = current_database()
     WHERE s.subname = $1`,
    [subscription],
  );
  return rowCount === 1;
}

/**
 * Returns the name of the slot from the directory to a shard. Slots belong to a server, which can
 * have several directories, and shards of several servers can have the same name.
 */
async function slotOf(directory: pg.ClientBase, shard: pg.ClientBase): Promise<string> {
  const { rows: from } = await directory.query<{ oid: number }>(identity);
  const { rows: to } = await shard.query<{ oid: number; system: string }>(identity);
  return `countersign_${from[0]!.oid}_${to[0]!.system}_${to[0]!.oid}`;
}

const identity = `SELECT oid::int8::int AS oid,
    (SELECT system_identifier::text FROM pg_control_system()) AS system
  FROM pg_database
  WHERE datname = current_database()`;

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
