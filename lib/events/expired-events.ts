import { runLongStatement } from "@/lib/database/long-statement";
import { rowAsJson } from "@/lib/database/owner-data-table";
import { type Executor, epochMs, type Sql, sql } from "@/lib/database/sql";
import { activity } from "./owner-data-tables";
import { eventCutoff } from "./retention-policy";

/*
 * Expired events go into their owner's archive first (lib/archive/apply-retention.ts). A database
 * function then removes them, and cannot remove anything else.
 */

/** The next range of expired events, ordered by ID, with its end and its owners. */
export type ExpiredRange = { upto: string; owners: string[] };

/**
 * Returns the next range of expired events that are not in an archive yet; undefined if there is
 * none.
 */
export async function nextExpired(): Promise<ExpiredRange | undefined> {
  const next = (max: Sql) => sql`
    SELECT e.id, e.owner_id, e.created_at
    FROM event e
    WHERE e.id > (SELECT archived_upto FROM retention)
    ORDER BY e.id LIMIT ${max}`;
  // Reads one row first. In most runs, that row has not expired, so no other row has to be read.
  const first = await sql`
    SELECT FROM (${next(sql`1`)}) AS e
    WHERE e.created_at < ${eventCutoff}`.row();
  if (!first) return undefined;
  const stretch = next(sql`50000`);
  const { rows } = await runLongStatement(sql<ExpiredRange>`
    WITH reaches (upto) AS (
      SELECT coalesce(
        (SELECT s.id - 1 FROM (${stretch}) AS s WHERE s.created_at >= ${eventCutoff} LIMIT 1),
        (SELECT max(s.id) FROM (${stretch}) AS s)
      )
    )
    SELECT r.upto::text,
      ARRAY(
        SELECT DISTINCT e.owner_id
        FROM event e
        WHERE e.id > (SELECT archived_upto FROM retention) AND e.id <= r.upto
      ) AS owners
    FROM reaches r`);
  return rows[0];
}

/** An archived row as a line of JSON, with its time in epoch milliseconds. */
export type ArchivedLine = { line: string; at: number };

/**
 * Marks the next batch of an owner's events, up to the range's end, as archived, and returns it.
 * Call it in the transaction that writes the archive. A concurrent run waits for that transaction,
 * and then finds the remaining events.
 */
export async function archiveEvents(on: Executor, ownerId: string, { upto }: ExpiredRange): Promise<ArchivedLine[]> {
  const all = sql`owner_id = ${ownerId} AND whose = ''`;
  await sql`
    INSERT INTO event_removed (owner_id, whose, tx, event_id)
    VALUES (${ownerId}, '', '0', 0)
    ON CONFLICT DO NOTHING`.run(on);
  await sql`SELECT 1 AS one FROM event_removed WHERE ${all} FOR UPDATE`.rows(on);
  return sql<ArchivedLine>`
    WITH batch AS (
      SELECT e.*
      FROM event e
      WHERE e.owner_id = ${ownerId}
        AND e.id <= ${upto}::bigint
        AND e.id > (SELECT event_id FROM event_removed WHERE ${all})
      ORDER BY e.id LIMIT 2000
    ), lasting AS (
      SELECT DISTINCT ON (coalesce(app_id, subject)) coalesce(app_id, subject) AS whose, tx, id
      FROM batch
      ORDER BY coalesce(app_id, subject), tx DESC, id DESC
    ), noted AS (
      INSERT INTO event_removed (owner_id, whose, tx, event_id)
      SELECT ${ownerId}, l.whose, l.tx, l.id
      FROM lasting l
      UNION ALL
      SELECT ${ownerId}, '', '0', max(id)
      FROM batch
      HAVING count(*) > 0
      ON CONFLICT (owner_id, whose) DO UPDATE SET tx = excluded.tx, event_id = excluded.event_id
        WHERE (excluded.tx, excluded.event_id) > (event_removed.tx, event_removed.event_id)
    )
    SELECT '{"activity":' || ${rowAsJson(activity)} || '}' AS line, ${epochMs("t.created_at")} AS at
    FROM batch t
    ORDER BY t.id`.rows(on);
}

/**
 * Records that events up to the range's end may be removed. By then, the events of existing owners
 * are in an archive.
 */
export const noteArchived = ({ upto }: ExpiredRange): Promise<number> =>
  sql`UPDATE retention SET archived_upto = greatest(archived_upto, ${upto}::bigint)`.run();

/** SQL: whether an event with this ID cannot have been removed yet. */
export const isKept = (id: string): Sql => sql`${id}::bigint > coalesce(
  (SELECT archived_upto FROM retention), 0
)`;

/**
 * Removes a batch of archived events.
 * @returns approximately how many events; 0 if none are left to remove
 */
export async function removeExpiredBatch(): Promise<number> {
  const removal = sql<{ gone: string }>`SELECT remove_events()::text AS gone`;
  const { rows } = await runLongStatement(removal);
  return Number(rows[0]?.gone ?? 0);
}

/**
 * SQL: compares an owner's removed events with a position. NULL: none was at the position or after
 * it. False: the last one was at the position. True: some were after it.
 * @param owner the app and accounts whose events count
 */
export function hasRemovedAfter(ownerId: Sql, owner: Sql, { tx, id }: { tx: Sql; id: Sql }): Sql {
  return sql`(
    SELECT bool_or((r.tx, r.event_id) > (${tx}, ${id}))
    FROM event_removed r
    WHERE r.owner_id = ${ownerId}
      AND r.whose IN (${owner})
      AND (r.tx, r.event_id) >= (${tx}, ${id})
  )`;
}
