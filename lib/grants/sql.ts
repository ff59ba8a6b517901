import { type Sql, sql } from "@/lib/database/sql";

/*
 * SQL for other domains' queries about grants, next to the views `live_grant`, `live_token`,
 * `connected_app` and `shared_account`. A grant is given as an expression for its ID.
 */

/** Whether a grant has a scope. */
export const hasScope = (grant: Sql, scope: Sql): Sql =>
  sql`EXISTS (SELECT FROM grant_scope s WHERE s.grant_id = ${grant} AND s.scope = ${scope})`;

/**
 * The subset of some scopes that a grant has held continuously since a time, as an array. A scope
 * that was revoked and granted again is excluded for tokens issued before.
 */
export const scopesSince = (grant: Sql, scopes: Sql, time: Sql): Sql =>
  sql`ARRAY(
    SELECT s.scope
    FROM grant_scope s
    WHERE s.grant_id = ${grant} AND s.scope = ANY (${scopes}) AND s.granted_at <= ${time}
  )`;

/**
 * The number of apps that the owner had connected before this one first connected: a permanent
 * number, unique among the owner's apps. For an app that never connected, the number it would get.
 */
export const hueOf = (ownerId: Sql, appId: Sql): Sql =>
  sql`(
    SELECT count(DISTINCT g.app_id)::int
    FROM app_grant g
    WHERE g.owner_id = ${ownerId}
      AND NOT EXISTS (
        SELECT FROM app_grant f
        WHERE f.owner_id = ${ownerId}
          AND f.app_id = ${appId}
          AND (f.created_at, f.id) <= (g.created_at, g.id)
      )
  )`;

/** The owner of a grant, live or not. */
export const ownerOf = (grant: Sql): Sql => sql`(
  SELECT g.owner_id FROM app_grant g WHERE g.id = ${grant}
)`;
