import { type Sql, sql } from "@/lib/database/sql";

/*
 * SQL about grants for other domains' queries, in addition to the views `live_grant`, `live_token`,
 * `connected_app` and `shared_account`. A grant is passed as SQL expressions for its ID and, before
 * that, its owner's ID.
 */

/** Returns SQL for whether a grant has a scope. */
export const hasScope = (ownerId: Sql, grant: Sql, scope: Sql): Sql => sql`EXISTS (
  SELECT FROM grant_scope s
  WHERE s.owner_id = ${ownerId} AND s.grant_id = ${grant} AND s.scope = ${scope}
)`;

/**
 * Returns SQL for an array of those `scopes` that a grant has held continuously since `time`. A
 * scope that was revoked and granted again does not count for tokens issued before the new grant.
 */
export const scopesSince = (ownerId: Sql, grant: Sql, scopes: Sql, time: Sql): Sql =>
  sql`ARRAY(
    SELECT s.scope
    FROM grant_scope s
    WHERE s.owner_id = ${ownerId}
      AND s.grant_id = ${grant}
      AND s.scope = ANY (${scopes})
      AND s.granted_at <= ${time}
  )`;

/**
 * Returns SQL for how many apps the owner had connected before this app first connected. This
 * number is permanent and unique among the owner's apps. For an app that has never connected, it is
 * the number that the app would get.
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

/** SQL: whether any grant is frozen. PostgreSQL evaluates it once for each statement. */
export const anyFreeze = sql`(SELECT EXISTS (SELECT FROM app_grant z WHERE z.frozen_at IS NOT NULL))`;

/**
 * Returns SQL for the grant of an owner and app `from`, if it is live and not frozen. Locks the
 * grant, so that it stays so until the transaction ends.
 * @param from a table or CTE with owner_id and app_id
 */
export const lockedActiveGrant = (from: Sql): Sql => sql`
  SELECT g.owner_id, g.app_id
  FROM app_grant g JOIN ${from} AS o ON g.owner_id = o.owner_id AND g.app_id = o.app_id
  WHERE g.revoked_at IS NULL
    AND (g.expires_at IS NULL OR g.expires_at > now())
    AND g.frozen_at IS NULL
  FOR SHARE OF g`;

/** Returns SQL for whether the owner's grant to an app is frozen. */
export const hasFrozenGrant = (ownerId: Sql, appId: Sql): Sql => sql`EXISTS (
  SELECT FROM live_grant g
  WHERE g.owner_id = ${ownerId} AND g.app_id = ${appId} AND g.frozen_at IS NOT NULL
)`;

/** Returns SQL for whether a grant is frozen. */
export const isFrozenGrant = (grant: Sql): Sql =>
  sql`EXISTS (SELECT FROM app_grant g WHERE g.id = ${grant} AND g.frozen_at IS NOT NULL)`;
