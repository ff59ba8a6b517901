import { type Sql, sql } from "@/lib/database/sql";

/*
 * SQL for other domains' queries about apps. Records about an app outlive it, but its grants don't.
 * A query on `live_grant` therefore doesn't have to check the app.
 */

/** SQL: an app's name, as a value or as a row `name` to join LATERAL. */
export const appName = (id: Sql): Sql => sql`(SELECT name FROM app WHERE app.id = ${id})`;

/**
 * SQL: an app's name, first redirect URI and whether it is the service's own app, as a row to join
 * LATERAL.
 */
export const appCard = (id: Sql): Sql =>
  sql`(
    SELECT name, redirect_uris[1] AS address, kind = 'test' AS own FROM app WHERE app.id = ${id}
  )`;

/** SQL: whether the app exists and is not deleted. */
export const isAppActive = (id: Sql): Sql =>
  sql`EXISTS (SELECT FROM app WHERE app.id = ${id} AND app.deleted_at IS NULL)`;

/** SQL: whether the app exists, is not deleted, and belongs to this owner. */
export const ownsApp = (ownerId: string, id: Sql): Sql =>
  sql`EXISTS (
    SELECT FROM app WHERE app.id = ${id} AND app.owner_id = ${ownerId} AND app.deleted_at IS NULL
  )`;

/** SQL: the ID of the service's own app for this owner; NULL if it does not exist. */
export const serviceApp = (ownerId: string): Sql =>
  sql`(SELECT id FROM app WHERE app.owner_id = ${ownerId} AND app.kind = 'test')`;
