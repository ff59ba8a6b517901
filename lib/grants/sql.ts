import { type Sql, sql } from "@/lib/database/sql";

/*
 * What other domains' statements ask of grants, beside the views `live_grant`, `live_token`, `connected_app` and
 * `shared_account`. A grant is named by an expression for its id.
 */

/** Whether a grant has a scope. */
export const hasScope = (grant: Sql, scope: Sql): Sql =>
  sql`EXISTS (SELECT FROM grant_scope s WHERE s.grant_id = ${grant} AND s.scope = ${scope})`;

/**
 * Which of some scopes a grant has had ever since a time, as an array: one that was taken back and given anew is none of what was
 * issued before.
 */
export const scopesSince = (grant: Sql, scopes: Sql, time: Sql): Sql =>
  sql`ARRAY(SELECT s.scope FROM grant_scope s WHERE s.grant_id = ${grant} AND s.scope = ANY (${scopes}) AND s.granted_at <= ${time})`;

/**
 * How many apps the owner had let in before this one first came: a number that it keeps, and that no other app of the owner's
 * has. For one that was never let in, the number it would get.
 */
export const hueOf = (ownerId: Sql, appId: Sql): Sql =>
  sql`(SELECT count(DISTINCT g.app_id)::int FROM app_grant g WHERE g.owner_id = ${ownerId} AND NOT EXISTS (
    SELECT FROM app_grant f WHERE f.owner_id = ${ownerId} AND f.app_id = ${appId} AND (f.created_at, f.id) <= (g.created_at, g.id)))`;

/** Whose a grant is, whether or not it is live. */
export const ownerOf = (grant: Sql): Sql => sql`(SELECT g.owner_id FROM app_grant g WHERE g.id = ${grant})`;
