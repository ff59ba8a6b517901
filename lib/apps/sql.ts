import { type Sql, sql } from "@/lib/database/sql";

/*
 * SQL for other domains' queries about apps. Records about an app outlive it, but its grants don't,
 * so a query on `live_grant` doesn't have to check the app.
 */

/** An app's name: a value, or a row `name` to join LATERAL. */
export const appName = (id: Sql): Sql => sql`(SELECT name FROM app WHERE app.id = ${id})`;

/** An app's name, first redirect URI and whether it is the service's own: a row to join LATERAL. */
export const appCard = (id: Sql): Sql =>
  sql`(
    SELECT name, redirect_uris[1] AS address, kind = 'test' AS own FROM app WHERE app.id = ${id}
  )`;

/** Whether the app exists and is not deleted. */
export const isAppActive = (id: Sql): Sql =>
  sql`EXISTS (SELECT FROM app WHERE app.id = ${id} AND app.deleted_at IS NULL)`;

/** Whether the owner registered the app and it exists. */
export const ownsApp = (ownerId: string, id: Sql): Sql =>
  sql`EXISTS (
    SELECT FROM app WHERE app.id = ${id} AND app.owner_id = ${ownerId} AND app.deleted_at IS NULL
  )`;

/** The service's own app for this owner, if it exists: a value. */
export const serviceApp = (ownerId: string): Sql =>
  sql`(SELECT id FROM app WHERE app.owner_id = ${ownerId} AND app.kind = 'test')`;
