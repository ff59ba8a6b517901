import { env } from "@/lib/config/env";
import { type Sql, sql } from "@/lib/database/sql";

/* What other domains' statements say of owners. */

/** Whether anybody has an account yet. */
export const hasOwners = sql`EXISTS (SELECT FROM owner)`;

/** What the owner chose about answers and alerts: a row to join LATERAL. What is null in it was not chosen, and its default holds. */
export const settingsOf = (ownerId: Sql): Sql => sql`(
  SELECT CASE WHEN kept.undo_known OR kept.undo_seconds > 0 THEN kept.undo_seconds ELSE ${env().undoSeconds}::int END AS undo_seconds,
    kept.always_confirm, kept.lock_screen, kept.answer_from_alerts, kept.email_alerts, kept.email_after_minutes,
    kept.email_answers
  FROM (VALUES (1)) AS one_row LEFT JOIN owner_settings kept ON kept.owner_id = ${ownerId})`;

/** Where the owner is written to, and the version that their sessions have: a row to join LATERAL. */
export const accountOf = (ownerId: Sql): Sql => sql`(SELECT email, session_version FROM owner WHERE id = ${ownerId})`;

/** Whether the account's address is the one its owner confirmed: nothing but the link to confirm it is mailed to any other. */
export const hasConfirmedEmail = (ownerId: Sql): Sql =>
  sql`EXISTS (SELECT FROM owner confirmed WHERE confirmed.id = ${ownerId} AND confirmed.confirmed_email = confirmed.email)`;

/** Until when the owner has seen what came to their notifications. */
export const notificationsSeen = (ownerId: string): Sql =>
  sql`(SELECT notifications_seen_at FROM owner WHERE id = ${ownerId})`;

/** Say that they have seen it until then, unless they saw later ones before. */
export const seeNotifications = (ownerId: string, until: Sql): Sql =>
  sql`UPDATE owner SET notifications_seen_at = seen.until FROM (${until}) AS seen(until)
    WHERE id = ${ownerId} AND seen.until > coalesce(notifications_seen_at, '-infinity')`;

/** The owner of this id, as a relation of one row, or none. Their account stays until the transaction ends. */
export const ownerNamed = (ownerId: string): Sql => sql`(SELECT id FROM owner WHERE id = ${ownerId} FOR KEY SHARE)`;

/** Some of the owners with an account of whom something holds. @param what it is, of an id */
export const ownersWith = (what: (ownerId: Sql) => Sql, most: number): Sql<{ id: string }> =>
  sql<{ id: string }>`SELECT o.id FROM owner o WHERE ${what(sql`o.id`)} LIMIT ${most}`;
