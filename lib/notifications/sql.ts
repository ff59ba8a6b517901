import { type Sql, sql } from "@/lib/database/sql";

/* What other domains' statements ask of notifications, beside the view `open_notification`. One is named by an expression for its id. */

/** The title of a notification of the owner's: a value, or a row `title` to join LATERAL. */
export const titleOf = (id: Sql, ownerId: string): Sql =>
  sql`(SELECT n.title FROM notification n WHERE n.id = ${id} AND n.owner_id = ${ownerId})`;

/** Whether it is put off, and has not come back yet. */
export const isSnoozed = (id: Sql): Sql =>
  sql`EXISTS (SELECT FROM notification n WHERE n.id = ${id} AND n.surfaced_at > now())`;

/** The types of the latest so many that an app pushed, by name: an array. */
export const pushedTypes = (
  ownerId: string,
  appId: string,
  most: number,
): Sql => sql`ARRAY(SELECT DISTINCT n.type FROM (
    SELECT type FROM notification WHERE owner_id = ${ownerId} AND app_id = ${appId} ORDER BY created_at DESC, id DESC LIMIT ${most}) AS n
  ORDER BY n.type LIMIT 100)`;

/** What apps are told of an event `e` about one: JSON. */
export const toldPushed = sql`(SELECT json_build_object('id', n.id, 'title', n.title, 'type', n.type)
  FROM notification n WHERE n.id = e.subject)`;
