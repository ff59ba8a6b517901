import { env } from "@/lib/env";
import { type Sql, sql } from "@/lib/sql";

/* What other domains' statements say of owners. */

/** Whether anybody has an account yet. */
export const hasOwners = sql`EXISTS (SELECT FROM owner)`;

/** What the owner chose about answers and alerts: a row to join LATERAL. What is null in it was not chosen, and its default holds. */
export const settingsOf = (ownerId: Sql): Sql => sql`(
  SELECT CASE WHEN o.undo_known OR o.undo_seconds > 0 THEN o.undo_seconds ELSE ${env().undoSeconds}::int END AS undo_seconds, o.always_confirm,
    o.lock_screen, o.email_alerts, o.email_after_minutes
  FROM (VALUES (1)) AS one LEFT JOIN owner_settings o ON o.owner_id = ${ownerId})`;

/** Until when the owner has seen what came to their notifications. */
export const notificationsSeen = (ownerId: string): Sql =>
  sql`(SELECT notifications_seen_at FROM owner WHERE id = ${ownerId})`;

/** Say that they have seen it until then, unless they saw later ones before. */
export const seeNotifications = (ownerId: string, until: Sql): Sql =>
  sql`UPDATE owner SET notifications_seen_at = seen.until FROM (${until}) AS seen(until)
    WHERE id = ${ownerId} AND seen.until > coalesce(notifications_seen_at, '-infinity')`;
