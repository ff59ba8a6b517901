import { sql } from "@/lib/sql";

/*
 * When grants, their scopes and tokens were last used. Ages in seconds, not times: the clock that counts is the database's. Rows
 * that another copy is writing are left to it.
 */

const usedAt = sql`greatest(last_used_at, now() - make_interval(secs => used.age))`;

const ages = (uses: readonly { age: number }[]) => sql`${uses.map(({ age }) => age)}::float8[]`;

export async function writeTokensUsed(uses: readonly { hash: Buffer; age: number }[]): Promise<void> {
  const hashes = uses.map(({ hash }) => hash);
  await sql`UPDATE token t SET last_used_at = ${usedAt} FROM unnest(${hashes}::bytea[], ${ages(uses)}) AS used (hash, age)
    WHERE t.hash = used.hash AND t.id IN (SELECT id FROM token WHERE hash = ANY (${hashes}) FOR NO KEY UPDATE SKIP LOCKED)`.run();
}

export async function writeGrantsUsed(uses: readonly { grantId: string; age: number }[]): Promise<void> {
  const ids = uses.map(({ grantId }) => grantId);
  await sql`UPDATE app_grant g SET last_used_at = ${usedAt} FROM unnest(${ids}::text[], ${ages(uses)}) AS used (id, age)
    WHERE g.id = used.id AND g.id IN (SELECT id FROM app_grant WHERE id = ANY (${ids}) FOR NO KEY UPDATE SKIP LOCKED)`.run();
}

export async function writeScopesUsed(uses: readonly { grantId: string; scope: string; age: number }[]): Promise<void> {
  const [ids, scopes] = [uses.map(({ grantId }) => grantId), uses.map(({ scope }) => scope)];
  await sql`UPDATE grant_scope s SET last_used_at = ${usedAt}
    FROM unnest(${ids}::text[], ${scopes}::text[], ${ages(uses)}) AS used (id, scope, age)
    WHERE s.grant_id = used.id AND s.scope = used.scope AND (s.grant_id, s.scope) IN (
      SELECT grant_id, scope FROM grant_scope WHERE grant_id = ANY (${ids}) FOR NO KEY UPDATE SKIP LOCKED)`.run();
}
