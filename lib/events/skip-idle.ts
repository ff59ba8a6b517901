import { sql } from "@/lib/database/sql";
import { log } from "@/lib/log";
import { isBlocked } from "./event-log";

/** For how long a transaction of somebody may hold up events. */
const patience = sql`interval '1 second'`;

/** Whether somebody holds up events, or some who did have ended. */
export const hasIdleToSkip = sql`coalesce((SELECT e.created_at <= now() - ${patience} FROM event e WHERE ${isBlocked} ORDER BY e.tx, e.id LIMIT 1), false)
  OR EXISTS (SELECT FROM event_passed WHERE xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint OR server_since <> server_since())`;

/**
 * Let events no longer wait for open transactions, of whatever database of the server, that have not touched the log. From then on
 * these are refused an event, and begin again as after a deadlock. Who has touched it is waited for.
 * @param after for how long it has to have held up an event
 */
export async function skipIdleTransactions(after = patience): Promise<void> {
  const done = await sql<{ passed: number }>`SELECT event_pass_over(${after}) AS passed`.row();
  const count = done?.passed ?? 0;
  if (count > 0) log.info("events no longer wait for open transactions", { count });
}
