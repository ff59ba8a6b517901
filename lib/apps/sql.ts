import { type Sql, sql } from "@/lib/database/sql";

/*
 * What other domains' statements say of apps. What is told of one stays when it is deleted; of its grants none is left then, so
 * whoever asks for a `live_grant` need not ask for the app.
 */

/** What an app is called: a value, or a row `name` to join LATERAL. */
export const appName = (id: Sql): Sql => sql`(SELECT name FROM app WHERE app.id = ${id})`;

/** Its name, its first redirect address, which says where it lives, and whether it is the service's own: a row to join LATERAL. */
export const appCard = (id: Sql): Sql =>
  sql`(SELECT name, redirect_uris[1] AS address, kind = 'test' AS own FROM app WHERE app.id = ${id})`;

/** Whether it is there, and nobody deleted it. */
export const isAppActive = (id: Sql): Sql =>
  sql`EXISTS (SELECT FROM app WHERE app.id = ${id} AND app.deleted_at IS NULL)`;

/** Whether the owner registered it, and it is there. */
export const ownsApp = (ownerId: string, id: Sql): Sql =>
  sql`EXISTS (SELECT FROM app WHERE app.id = ${id} AND app.owner_id = ${ownerId} AND app.deleted_at IS NULL)`;

/** The service's own app for this owner, if it was ever made: a value. */
export const serviceApp = (ownerId: string): Sql =>
  sql`(SELECT id FROM app WHERE app.owner_id = ${ownerId} AND app.kind = 'test')`;
