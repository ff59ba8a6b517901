import type pg from "pg";
import { clock } from "@/lib/clock";
import { replicatedTables } from "../service-tables";
import { dropSlot, slotOf } from "./replication-slots";

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
  /** The tables that this version copies, but that an earlier version did not. */
  readonly lacking: readonly string[];
  /** How many bytes of the directory's changes the shard has not confirmed. */
  readonly behindBytes: number | undefined;
};

/**
 * Begins to copy the directory's tables to a shard, or brings the copying up to date: it uses the
 * directory's current address, and copies tables that a newer version adds. Continues where an
 * interrupted call stopped. If the slot was dropped, changes can be missing, so the copying starts
 * over. Both servers need `wal_level = logical`, and the shard's role must be allowed to create
 * subscriptions.
 * @param shard a migrated database
 */
export async function replicateDirectory(directory: Server, shard: Server): Promise<void> {
  await publishTables(directory.client);
  const slot = await slotOf(directory.client, shard.client);
  const { rowCount } = await directory.client.query("SELECT FROM pg_replication_slots WHERE slot_name = $1", [slot]);
  if (rowCount === 1 && (await subscribedSlot(shard.client)) === slot) return refresh(directory, shard);
  await unsubscribe(shard.client);
  // The slot is created first, because CREATE SUBSCRIPTION would wait for its own transaction if
  // both databases were on one server.
  if (rowCount === 0) await directory.client.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [slot]);
  await emptyCopies(shard.client, replicatedTables);
  await shard.client.query(
    `CREATE SUBSCRIPTION ${subscription}
     CONNECTION ${literal(directory.url)}
     PUBLICATION ${publication}
     WITH (create_slot = false, slot_name = ${slot}, synchronous_commit = on)`,
  );
}

/** Brings a subscription up to date. */
async function refresh(directory: Server, { client }: Server): Promise<void> {
  await client.query(`ALTER SUBSCRIPTION ${subscription} CONNECTION ${literal(directory.url)}`);
  const lacking = await lackingTables(client);
  if (lacking.length === 0) return;
  await emptyCopies(client, lacking);
  await client.query(`ALTER SUBSCRIPTION ${subscription} REFRESH PUBLICATION`);
}

/** Returns the tables that a shard's subscription does not contain. */
async function lackingTables(shard: pg.ClientBase): Promise<string[]> {
  const { rows } = await shard.query<{ name: string }>(
    `SELECT c.relname AS name
     FROM pg_subscription_rel r
       JOIN pg_subscription s ON s.oid = r.srsubid AND s.subname = $1
       JOIN pg_class c ON c.oid = r.srrelid`,
    [subscription],
  );
  return replicatedTables.filter((table) => !rows.some(({ name }) => name === table));
}

/** Deletes the rows that migrations create, because the directory's rows replace them. */
async function emptyCopies(client: pg.ClientBase, tables: readonly string[]): Promise<void> {
  await client.query("SET session_replication_role = replica");
  for (const table of tables) await client.query(`DELETE FROM ${table}`);
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
    await clock.pause(20);
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
  const lacking = await lackingTables(shard);
  return { ...tables[0]!, lacking, behindBytes: behind === undefined ? undefined : Number(behind) };
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
    await clock.pause(5);
  }
}

/**
 * Ends the copying to a shard. The shard keeps the rows. Has no effect if nothing is copied. The
 * shard needs no connection to the directory.
 */
export async function endReplication(directory: pg.ClientBase, shard: pg.ClientBase): Promise<void> {
  const slot = await slotOf(directory, shard);
  await unsubscribe(shard);
  // The directory can notice only later that the subscription has ended.
  while (await dropSlot(directory, slot)) await clock.pause(20);
}

/** Drops a shard's subscription without a connection to the directory. */
async function unsubscribe(shard: pg.ClientBase): Promise<void> {
  if ((await subscribedSlot(shard)) === undefined) return;
  for (const step of [
    `ALTER SUBSCRIPTION ${subscription} DISABLE`,
    `ALTER SUBSCRIPTION ${subscription} SET (slot_name = NONE)`,
  ])
    await shard.query(step);
  await shard.query(`DROP SUBSCRIPTION ${subscription}`);
}

/** Returns the slot of a shard's subscription, if there is a subscription. */
async function subscribedSlot(shard: pg.ClientBase): Promise<string | null | undefined> {
  const { rows } = await shard.query<{ slot: string | null }>(
    `SELECT s.subslotname::text AS slot
     FROM pg_subscription s
       JOIN pg_database d ON d.oid = s.subdbid AND d.datname = current_database()
     WHERE s.subname = $1`,
    [subscription],
  );
  return rows[0]?.slot;
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
