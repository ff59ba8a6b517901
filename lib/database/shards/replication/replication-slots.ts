import type pg from "pg";

/*
 * The directory keeps its write-ahead log for each shard's replication slot until the shard has the
 * changes. So the slot of a server that is lost must be dropped, or the directory's disk fills up.
 */

/**
 * Returns the name of the slot from the directory to a shard. Slots belong to a server, which can
 * have several directories, and shards of several servers can have the same name.
 */
export async function slotOf(directory: pg.ClientBase, shard: pg.ClientBase): Promise<string> {
  const { rows: from } = await directory.query<{ oid: number }>(identity);
  const { rows: to } = await shard.query<{ oid: number; system: string }>(identity);
  return `countersign_${from[0]!.oid}_${to[0]!.system}_${to[0]!.oid}`;
}

const identity = `SELECT oid::int8::int AS oid,
    (SELECT system_identifier::text FROM pg_control_system()) AS system
  FROM pg_database
  WHERE datname = current_database()`;

/**
 * Drops a slot, unless it is in use.
 * @returns whether the slot is still there
 */
export async function dropSlot(directory: pg.ClientBase, slot: string): Promise<boolean> {
  await directory.query(
    `SELECT pg_drop_replication_slot(slot_name)
     FROM pg_replication_slots
     WHERE slot_name = $1 AND NOT active`,
    [slot],
  );
  return (await directory.query("SELECT FROM pg_replication_slots WHERE slot_name = $1", [slot])).rowCount === 1;
}

/**
 * Drops the slots of shards whose servers are lost, so that the directory no longer keeps its
 * write-ahead log for them.
 * @param others the other shards, whose slots remain
 * @returns the number of dropped slots
 * @throws {StillConnected} if a slot is in use
 */
export async function dropLostSlots(directory: pg.ClientBase, others: readonly pg.ClientBase[]): Promise<number> {
  const kept = await Promise.all(others.map((shard) => slotOf(directory, shard)));
  const { rows } = await directory.query<{ slot: string; system: string }>(
    `SELECT s.slot_name::text AS slot, split_part(s.slot_name, '_', 3) AS system
     FROM pg_replication_slots s
       JOIN pg_database d ON d.datname = s.database AND d.datname = current_database()
     WHERE s.slot_name ~ ('^countersign_' || d.oid || '_[0-9]+_[0-9]+$')
       AND s.slot_name <> ALL ($1)`,
    [kept],
  );
  for (const { slot } of rows) if (await dropSlot(directory, slot)) throw new StillConnected();
  // Interrupted first copies of the lost servers' tables.
  const lost = rows.map(({ system }) => system).filter((system) => !kept.some((slot) => slot.includes(`_${system}_`)));
  await directory.query(
    `SELECT pg_drop_replication_slot(slot_name)
     FROM pg_replication_slots
     WHERE slot_name ~ ('^pg_[0-9]+_sync_[0-9]+_(' || $1 || ')$')
       AND NOT active AND database = current_database()`,
    [lost.join("|")],
  );
  return rows.length;
}

/** Thrown if a server that was taken for lost still copies the directory. */
export class StillConnected extends Error {
  constructor() {
    super("The server is still connected to the directory");
  }
}
