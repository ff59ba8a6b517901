import { type Sql, sql } from "@/lib/sql";

/* What other domains' statements say of owners. */

/** Whether anybody has an account yet. */
export const hasOwners = sql`EXISTS (SELECT FROM owner)`;

/** What the owner chose about answers and alerts: a row to join LATERAL. Without one, the defaults hold. */
export const settingsOf = (
  ownerId: Sql,
): Sql => sql`(SELECT undo_seconds, always_confirm, lock_screen, email_alerts, email_after_minutes
  FROM owner_settings WHERE owner_id = ${ownerId})`;

/** Until when the owner has seen what came to their notifications. */
export const notificationsSeen = (ownerId: string): Sql =>
  sql`(SELECT notifications_seen_at FROM owner WHERE id = ${ownerId})`;

/** Say that they have seen it until then, unless they saw later ones before. */
export const seeNotifications = (ownerId: string, until: Sql): Sql =>
  sql`UPDATE owner SET notifications_seen_at = seen.until FROM (${until}) AS seen(until)
    WHERE id = ${ownerId} AND seen.until > coalesce(notifications_seen_at, '-infinity')`;
