import type pg from "pg";

/** Returns the latest transaction number in the log, if this server has not reached it yet. */
async function lastBeyond(client: pg.ClientBase): Promise<{ last: string } | undefined> {
  const { rows } = await client.query<{ last: string }>(
    `SELECT tx::text AS last
     FROM (SELECT tx FROM event ORDER BY id DESC LIMIT 1000) AS latest
     WHERE tx >= event_tx()
     ORDER BY tx DESC LIMIT 1`,
  );
  return rows[0];
}

/** Returns whether a restored log needs an offset that is not set yet. */
export const needsRestoreOffset = async (client: pg.ClientBase): Promise<boolean> =>
  (await lastBeyond(client)) !== undefined;

/**
 * Keeps the order of events after a restore. Transaction IDs start over in a restored database, so
 * new events would sort before old ones and readers would miss them. An offset makes new
 * transaction numbers follow the last restored one. Must run before any write. Has no effect
 * without a restore.
 * @returns whether an offset was necessary
 */
export async function applyRestoreOffset(client: pg.ClientBase): Promise<boolean> {
  const restored = await lastBeyond(client);
  if (!restored) return false;
  const more = BigInt(restored.last) + 1n;
  await client.query(`
    CREATE OR REPLACE FUNCTION event_offset() RETURNS bigint LANGUAGE sql STABLE
      RETURN ${more}::bigint;
    CREATE OR REPLACE FUNCTION event_place(xid8) RETURNS xid8 LANGUAGE sql STABLE
      RETURN ($1::text::bigint + ${more})::text::xid8;
    SELECT setval('event_fence', 1)`);
  return true;
}
