import type { Transaction } from "@/lib/database/db";
import { empty, type Sql, sql } from "@/lib/database/sql";
import { inRecentPartitions, recentPartitionStart } from "./partition-bounds";
import type { EventType } from "./record-events";

/*
 * SQL fragments about the event log for other domains' statements. Where they select events, these
 * are readable rows `e` in log order (see `events.ts`).
 */

/**
 * A position after the event with this `tx` and `id`. `within`: the partitions that can have later
 * events (`partition-bounds.ts`); all by default.
 */
type LogPosition = { tx: Sql; id: Sql; within?: Sql };

/** SQL: the next events after a position. @param wanted a condition on `e` */
export const nextEvents = (wanted: Sql, { tx, id, within = empty }: LogPosition, max: Sql): Sql =>
  sql`
    SELECT e.*
    FROM event e
    WHERE (e.tx, e.id) > (${tx}, ${id}) AND e.tx < event_horizon() ${within} AND ${wanted}
    ORDER BY e.tx, e.id LIMIT ${max}`;

/**
 * SQL: the position of the last readable event that matches, which is the end of the log for a
 * reader of such events.
 * @param wanted a condition on `e`
 */
export const lastEvent = (wanted: Sql, within: Sql = empty): Sql =>
  sql`
    SELECT e.tx, e.id
    FROM event e
    WHERE ${wanted} AND e.tx < event_horizon() ${within}
    ORDER BY e.tx DESC, e.id DESC LIMIT 1`;

/** SQL: whether a position has an event. @param wanted a condition on `e` */
export const isEventAt = ({ tx, id, within = empty }: LogPosition, wanted: Sql): Sql =>
  sql`EXISTS (SELECT FROM event e WHERE e.id = ${id} AND e.tx = ${tx} ${within} AND ${wanted})`;

/** SQL: whether an event `e` is not readable yet. */
export const isBlocked = sql`e.tx >= event_horizon()`;

/**
 * SQL: whether the log has events that are not readable yet because an earlier transaction is still
 * open.
 */
export const isAboveHorizon = (): Sql =>
  sql`coalesce(
    (
      SELECT e.tx
      FROM event e
      WHERE true ${inRecentPartitions()}
      ORDER BY e.tx DESC, e.id DESC LIMIT 1
    ) >= event_horizon(),
    false
  )`;

/**
 * SQL: an upper bound of this owner's event numbers. This is the number of the owner's last event,
 * or a later number if that event is old.
 */
export const latestEvent = (ownerId: string): Sql =>
  sql`coalesce(
    (SELECT max(e.id) FROM event e WHERE e.owner_id = ${ownerId} ${inRecentPartitions()}),
    ${recentPartitionStart()}
  )`;

/** SQL: whether an owner has an event after this number. */
export const hasEventAfter = (ownerId: Sql, id: Sql): Sql =>
  sql`EXISTS (SELECT FROM event e WHERE e.owner_id = ${ownerId} AND e.id > ${id})`;

/**
 * SQL: the owners with events that a reader may not have seen.
 * @param tx the reader has seen all transactions before this one
 */
export const ownersSince = (tx: string): Sql =>
  sql`(SELECT DISTINCT e.owner_id FROM event e WHERE e.tx >= ${tx}::text::xid8)`;

/** Returns whether an owner ever had an event of this type. */
export async function everHappened(tx: Transaction, ownerId: string, type: EventType): Promise<boolean> {
  const last = { where: { ownerId, type }, orderBy: { id: "desc" }, select: { id: true } } as const;
  return (await tx.event.findFirst(last)) !== null;
}
