import type pg from "pg";

/** The latest transaction of those that wrote events, where it is none that this server has had yet. */
async function lastBeyond(client: pg.ClientBase): Promise<{ last: string } | undefined> {
  const { rows } = await client.query<{ last: string }>(
    `SELECT tx::text AS last FROM (SELECT tx FROM event ORDER BY id DESC LIMIT 1000) AS latest WHERE tx >= event_tx()
     ORDER BY tx DESC LIMIT 1`,
  );
  return rows[0];
}

/** Whether the order of events has still to be continued after a dump was restored. */
export const needsRestoreOffset = async (client: pg.ClientBase): Promise<boolean> =>
  (await lastBeyond(client)) !== undefined;

/**
 * Where a dump was restored transaction ids begin anew, so that what happens from now on would come before what happened
 * until then, and readers that went on from there would hear of nothing. From then on so much is added to
 * transactions' numbers that they go on after the last event. Before anything writes; changes nothing anywhere else.
 * @returns whether it had to
 */
export async function applyRestoreOffset(client: pg.ClientBase): Promise<boolean> {
  const restored = await lastBeyond(client);
  if (!restored) return false;
  const more = BigInt(restored.last) + 1n;
  await client.query(`
    CREATE OR REPLACE FUNCTION event_offset() RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT ${more}::bigint $$;
    CREATE OR REPLACE FUNCTION event_place(xid8) RETURNS xid8 LANGUAGE sql STABLE AS
      $$ SELECT ($1::text::bigint + ${more})::text::xid8 $$;
    SELECT setval('event_fence', 1)`);
  return true;
}
