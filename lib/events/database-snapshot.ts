import { type Sql, sql } from "@/lib/database/sql";
import { inRecentPartitions } from "./partition-bounds";

/*
 * A page must know whether it includes a change. A snapshot records which transactions a statement
 * could see. Of two snapshots of one server, one always contains the other. Event numbers cannot
 * replace snapshots, because they are assigned before the commit and transactions commit in any
 * order.
 */

/**
 * A snapshot as text: `<start of the database server>-<end>-<open>,<open>,…`, in the events'
 * transaction numbers.
 */
export type DatabaseSnapshot = string;

/** SQL: the snapshot of the enclosing statement. */
export const snapshot: Sql = sql`(
  SELECT server_since() || '-' || event_place(pg_snapshot_xmax(s)) || '-'
    || coalesce((SELECT string_agg(event_place(x)::text, ',') FROM pg_snapshot_xip(s) AS x), '')
  FROM pg_current_snapshot() AS s
)`;

/**
 * How many of the owner's latest events to check. If a transaction that began after the snapshot
 * recorded an event, at least one of the latest events is from such a transaction.
 */
const newest = 20;

/**
 * SQL: whether the owner has an event that a snapshot could not see. Always true for invalid
 * snapshots, and for those from before the database server's last restart.
 */
export function hasEventSince(ownerId: string, since: DatabaseSnapshot): Sql {
  const [, server = "", end = "0", open = ""] = /^(\d{1,19})-(\d{1,19})-([\d,]*)$/.exec(since) ?? [];
  const opened = open.match(/\d{1,19}/g) ?? [];
  return sql`(
    ${server}::text <> server_since()::text
    OR EXISTS (
      SELECT FROM (
        SELECT e.tx
        FROM event e
        WHERE e.owner_id = ${ownerId} ${inRecentPartitions()}
        ORDER BY e.id DESC LIMIT ${newest}
      ) AS last
      WHERE last.tx >= ${end}::xid8
    )
    OR EXISTS (
      SELECT FROM event e
      WHERE e.tx = ANY (${opened}::xid8[]) AND e.owner_id = ${ownerId} ${inRecentPartitions()}
    )
  )`;
}
