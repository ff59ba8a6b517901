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
export const isRestored = async (client: pg.ClientBase): Promise<boolean> => (await lastBeyond(client)) !== undefined;

/**
 * Where a dump was restored transaction ids begin anew, so that what happens from now on would come before what happened
 * until then, and readers that went on from there would hear of nothing. From then on both functions that the order stands
 * on add what is needed to go on after the last event. Before anything writes; changes nothing anywhere else.
 * @returns whether it had to
 */
export async function continueOrder(client: pg.ClientBase): Promise<boolean> {
  const restored = await lastBeyond(client);
  if (!restored) return false;
  const more = BigInt(restored.last) + 1n;
  const on = (xid: string) => `SELECT (${xid}::text::numeric + ${more})::text::xid8`;
  await client.query(`
    CREATE OR REPLACE FUNCTION event_tx() RETURNS xid8 LANGUAGE sql VOLATILE AS $$ ${on("pg_current_xact_id()")} $$;
    CREATE OR REPLACE FUNCTION event_horizon() RETURNS xid8 LANGUAGE sql STABLE AS
      $$ ${on("pg_snapshot_xmin(pg_current_snapshot())")} $$;`);
  return true;
}
