import { type Sql, sql } from "@/lib/database/sql";

/*
 * SQL about apps, for queries of other domains. Records about an app outlive the app, but its
 * grants don't. A query on `live_grant` therefore doesn't need to check the app.
 */

/** SQL: an app's name, as a scalar value or as a row with the column `name` for a LATERAL join. */
export const appName = (id: Sql): Sql => sql`(SELECT name FROM app WHERE app.id = ${id})`;

/**
 * SQL: an app's name, its first redirect URI, and whether it is the service's own app, as a row for
 * a LATERAL join.
 */
export const appCard = (id: Sql): Sql =>
  sql`(
    SELECT name, redirect_uris[1] AS address, kind = 'test' AS own FROM app WHERE app.id = ${id}
  )`;

/** SQL: the ID of the owner who registered the app, as a scalar value. */
export const appOwner = (id: Sql): Sql => sql`(SELECT owner_id FROM app WHERE app.id = ${id})`;

/** SQL: whether the app exists and is not deleted. */
export const isAppActive = (id: Sql): Sql =>
  sql`EXISTS (SELECT FROM app WHERE app.id = ${id} AND app.deleted_at IS NULL)`;

/** SQL: whether the app exists, is not deleted, and belongs to this owner. */
export const ownsApp = (ownerId: string, id: Sql): Sql =>
  sql`EXISTS (
    SELECT FROM app WHERE app.id = ${id} AND app.owner_id = ${ownerId} AND app.deleted_at IS NULL
  )`;

/** SQL: the ID of the service's own app for this owner, or NULL if it doesn't exist. */
export const serviceApp = (ownerId: string): Sql =>
  sql`(SELECT id FROM app WHERE app.owner_id = ${ownerId} AND app.kind = 'test')`;
