import { sql } from "@/lib/database/sql";
import { log } from "@/lib/log";
import { isBlocked } from "./event-sql-for-other-domains";

/** The maximum time for which an open transaction may hold up events. */
const idleTimeout = sql`interval '1 second'`;

/**
 * SQL: whether a transaction has held up an event for `idleTimeout`, or the record of a skipped
 * transaction is no longer needed.
 */
export const hasIdleToSkip = sql`coalesce(
    (
      SELECT e.created_at <= now() - ${idleTimeout}
      FROM event e
      WHERE ${isBlocked}
      ORDER BY e.tx, e.id LIMIT 1
    ),
    false
  )
  OR EXISTS (
    SELECT FROM skipped_transaction
    WHERE xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
      OR server_since <> server_since()
  )`;

/**
 * Lets events skip open transactions that have not touched the log, in any database of the server.
 * If a skipped transaction records an event later, the log rejects that event, and the transaction
 * is retried as after a deadlock. Events still wait for transactions that have touched the log.
 * @param after how long a transaction must have held up an event
 */
export async function skipIdleTransactions(after = idleTimeout): Promise<void> {
  const done = await sql<{ passed: number }>`SELECT skip_idle_transactions(${after}) AS passed`.row();
  const count = done?.passed ?? 0;
  if (count > 0) log.info("the event log passed over open transactions", { count });
}
