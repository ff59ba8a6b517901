import { sql } from "@/lib/database/sql";
import { cancelPending } from "./record-attempt";

/**
 * The maximum number of rows per statement, because statements have a time limit, and an endpoint may
 * have many deliveries.
 */
const batch = 5000;
/** The maximum number of endpoints per run. */
const maxEndpoints = 1000;

/** Deletes an endpoint's deliveries, in the database of the current work. */
export async function deleteDeliveries(endpointId: string): Promise<void> {
  for (let deleted = batch; deleted === batch; )
    deleted = await sql`
      DELETE FROM webhook_delivery
      WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM webhook_delivery WHERE endpoint_id = ${endpointId} LIMIT ${batch}
      ))`.run();
}

/**
 * SQL: the endpoints that have deliveries here although they were removed, or pending ones although
 * they are off. Reads one index entry for each endpoint.
 */
const leftBehind = sql<{ id: string }>`
  WITH RECURSIVE used(id) AS (
    (SELECT d.endpoint_id FROM webhook_delivery d ORDER BY d.endpoint_id LIMIT 1)
    UNION ALL
    SELECT (
      SELECT d.endpoint_id
      FROM webhook_delivery d
      WHERE d.endpoint_id > u.id
      ORDER BY d.endpoint_id LIMIT 1
    )
    FROM used u
    WHERE u.id IS NOT NULL
  )
  SELECT u.id
  FROM used u LEFT JOIN webhook_endpoint ep ON ep.id = u.id
  WHERE u.id IS NOT NULL
    AND (
      ep.id IS NULL
      OR ep.state <> 'on'
        AND EXISTS (
          SELECT FROM webhook_delivery d WHERE d.endpoint_id = u.id AND d.state = 'pending'
        )
    )
  LIMIT ${maxEndpoints}`;

/**
 * Deletes the deliveries of removed endpoints, and cancels those of endpoints that are off, in the
 * database of the current work. A removal skips databases that are away, so with several databases,
 * every instance runs this regularly for each. A database's copy of the endpoints can be incomplete,
 * so the directory decides.
 */
export async function finishRemovals(): Promise<void> {
  const ids = (await leftBehind.rows()).map(({ id }) => id);
  if (ids.length === 0) return;
  const known = await sql<{ id: string; state: string }>`
    SELECT ep.id, ep.state
    FROM webhook_endpoint ep
    WHERE ep.id = ANY (${ids})`.rows();
  const states = new Map(known.map(({ id, state }) => [id, state]));
  for (const id of ids) {
    const state = states.get(id);
    if (state === undefined) await deleteDeliveries(id);
    else if (state !== "on") await cancelPending(id).run();
  }
}
