import { type Sql, sql } from "@/lib/database/sql";

/*
 * SQL about notifications for other domains' statements, in addition to the view
 * `open_notification`.
 */

/** SQL: the title of the owner's notification, as a value or as a row `title` to join LATERAL. */
export const titleOf = (id: Sql, ownerId: string): Sql =>
  sql`(SELECT n.title FROM notification n WHERE n.id = ${id} AND n.owner_id = ${ownerId})`;

/** SQL: whether the notification is snoozed. */
export const isSnoozed = (id: Sql): Sql =>
  sql`EXISTS (SELECT FROM notification n WHERE n.id = ${id} AND n.surfaced_at > now())`;

/**
 * SQL: the distinct types among an app's latest `max` notifications, as a sorted array of at most
 * 100.
 */
export const pushedTypes = (ownerId: string, appId: string, max: number): Sql => sql`ARRAY(
  SELECT DISTINCT n.type
  FROM (
    SELECT type
    FROM notification
    WHERE owner_id = ${ownerId} AND app_id = ${appId}
    ORDER BY created_at DESC, id DESC LIMIT ${max}
  ) AS n
  ORDER BY n.type LIMIT 100
)`;

/** SQL: the data that apps get with an event `e` about a notification, as JSON. */
export const toldPushed = sql`(
  SELECT json_build_object('id', n.id, 'title', n.title, 'type', n.type)
  FROM notification n
  WHERE n.id = e.subject
)`;
