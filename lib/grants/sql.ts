import { type Sql, sql } from "@/lib/sql";

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

/** Whose a grant is, whether or not it is live. */
export const ownerOf = (grant: Sql): Sql => sql`(SELECT g.owner_id FROM app_grant g WHERE g.id = ${grant})`;
