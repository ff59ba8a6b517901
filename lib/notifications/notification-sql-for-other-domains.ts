import { type Sql, sql } from "@/lib/database/sql";

/*
 * SQL about notifications for statements of other domains. They can also use the view
 * `open_notification`.
 */

/**
 * SQL: the title of an owner's notification, as a scalar value or as a row with the column `title`
 * for a LATERAL join.
 */
export const titleOf = (id: Sql, ownerId: string): Sql =>
  sql`(SELECT n.title FROM notification n WHERE n.id = ${id} AND n.owner_id = ${ownerId})`;

/** SQL: whether a notification is snoozed. */
export const isSnoozed = (id: Sql): Sql =>
  sql`EXISTS (SELECT FROM notification n WHERE n.id = ${id} AND n.surfaced_at > now())`;

/**
 * SQL: the distinct types of an app's latest `max` notifications, as a sorted array of at most 100
 * types.
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

/** SQL: the data of an event `e` about a notification, as apps receive it in JSON. */
export const toldPushed = sql`(
  SELECT json_build_object('id', n.id, 'title', n.title, 'type', n.type)
  FROM notification n
  WHERE n.id = e.subject
)`;
