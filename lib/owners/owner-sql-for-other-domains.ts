import { env } from "@/lib/config/env";
import { type Sql, sql } from "@/lib/database/sql";

/* SQL for other domains' queries about owners. */

/**
 * SQL: whether any account exists in the statement's database. In the directory, the accounts of all
 * shards count, because the directory has the routes of their emails.
 */
export const hasOwners = sql`(EXISTS (SELECT FROM owner) OR EXISTS (SELECT FROM email_route))`;

/**
 * SQL: the owner's settings for answers and alerts, as a row to join LATERAL. Null means the
 * default.
 */
export const settingsOf = (ownerId: Sql): Sql => sql`(
  SELECT CASE
      WHEN kept.undo_known OR kept.undo_seconds > 0 THEN kept.undo_seconds
      ELSE ${env().undoSeconds}::int
    END AS undo_seconds,
    kept.always_confirm, kept.lock_screen, kept.answer_from_alerts, kept.email_alerts,
    kept.email_after_minutes, kept.email_answers
  FROM (VALUES (1)) AS one_row LEFT JOIN owner_settings kept ON kept.owner_id = ${ownerId}
)`;

/** SQL: the owner's email and session version, as a row to join LATERAL. */
export const accountOf = (ownerId: Sql): Sql => sql`(
  SELECT email, session_version FROM owner WHERE id = ${ownerId}
)`;

/**
 * SQL: whether the account's email is confirmed. An unconfirmed address receives only the
 * confirmation link.
 */
export const hasConfirmedEmail = (ownerId: Sql): Sql =>
  sql`EXISTS (
    SELECT FROM owner confirmed
    WHERE confirmed.id = ${ownerId} AND confirmed.confirmed_email = confirmed.email
  )`;

/** SQL: the time up to which the owner has seen their notifications. */
export const notificationsSeen = (ownerId: string): Sql =>
  sql`(SELECT notifications_seen_at FROM owner WHERE id = ${ownerId})`;

/**
 * SQL: records that the owner has seen notifications up to a time, unless a later time is recorded.
 */
export const seeNotifications = (ownerId: string, until: Sql): Sql =>
  sql`
    UPDATE owner
    SET notifications_seen_at = seen.until
    FROM (${until}) AS seen(until)
    WHERE id = ${ownerId} AND seen.until > coalesce(notifications_seen_at, '-infinity')`;

/**
 * SQL: the owner with this ID, as a relation of at most one row. The row is locked, so that the
 * account exists until the transaction ends.
 */
export const ownerNamed = (ownerId: string): Sql => sql`(
  SELECT id FROM owner WHERE id = ${ownerId} FOR KEY SHARE
)`;

/** SQL: locks the owner's account, so that changes to all of their apps run one at a time. */
export const lockOwnersApps = (ownerId: string): Sql => sql`
  SELECT FROM owner
  WHERE id = ${ownerId}
  FOR NO KEY UPDATE`;

/**
 * SQL: some of the owners that match a condition.
 * @param what returns the condition for an owner's ID
 */
export const ownersWith = (what: (ownerId: Sql) => Sql, max: number): Sql<{ id: string }> =>
  sql<{ id: string }>`SELECT o.id FROM owner o WHERE ${what(sql`o.id`)} LIMIT ${max}`;
