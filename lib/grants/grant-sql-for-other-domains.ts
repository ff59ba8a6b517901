import { type Sql, sql } from "@/lib/database/sql";

/*
 * SQL for other domains' queries about grants, in addition to the views `live_grant`, `live_token`,
 * `connected_app` and `shared_account`. A grant is given as an SQL expression for its ID.
 */

/** SQL: whether a grant has a scope. */
export const hasScope = (grant: Sql, scope: Sql): Sql =>
  sql`EXISTS (SELECT FROM grant_scope s WHERE s.grant_id = ${grant} AND s.scope = ${scope})`;

/**
 * SQL: the subset of some scopes that a grant has held continuously since a time, as an array. A
 * scope that was revoked and granted again does not count for tokens issued before the new grant.
 */
export const scopesSince = (grant: Sql, scopes: Sql, time: Sql): Sql =>
  sql`ARRAY(
    SELECT s.scope
    FROM grant_scope s
    WHERE s.grant_id = ${grant} AND s.scope = ANY (${scopes}) AND s.granted_at <= ${time}
  )`;

/**
 * SQL: how many apps the owner had connected before this app first connected. This number is
 * permanent and unique among the owner's apps. For an app that never connected, it is the number
 * that the app would get.
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

/** SQL: the owner of a grant, live or not. */
export const ownerOf = (grant: Sql): Sql => sql`(
  SELECT g.owner_id FROM app_grant g WHERE g.id = ${grant}
)`;
