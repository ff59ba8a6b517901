import { forEachReachableShardOf, inEveryShard, inReachableShards } from "@/lib/database/shards/marks";
import { sql } from "@/lib/database/sql";
import type { Change } from "@/lib/events/change-transaction";
import { newId } from "@/lib/ids";
import { hashSecret, isSecret, locateSecret } from "@/lib/keys/secret-tokens";
import type { GrantRef } from "./create-and-change-grant";

export type GrantToken = {
  /** The token itself. Only its last four characters are stored in plain text. */
  token: string;
  kind: "access" | "personal";
  grant: GrantRef;
  /**
   * The token's family: the tokens of one consent, which end together. By default, the token starts
   * a new family.
   */
  familyId?: string;
  scopes: readonly string[];
  resource: string;
  name?: string | null;
  /** Lifetime in seconds. The token expires no later than its grant. */
  seconds: number;
};

/**
 * Stores a token as a hash, in the caller's transaction.
 * @returns the token's ID, its expiry time, and the seconds until then
 */
export async function insertToken(
  tx: Change,
  { token, kind, grant, familyId = newId("fam"), scopes, resource, name = null, seconds }: GrantToken,
): Promise<{ id: string; expiresAt: Date; seconds: number }> {
  const made = await sql<{ id: string; expiresAt: Date; seconds: number }>`
    INSERT INTO token (
      id, hash, kind, owner_id, grant_id, family_id, scopes, resource, name, last4, created_at,
      expires_at
    )
    SELECT ${newId("tok")}, ${hashSecret(token)}, ${kind}, g.owner_id, g.id, ${familyId},
      ${[...scopes]}, ${resource}, ${name}, ${token.slice(-4)}, moment.at,
      least(moment.at + make_interval(secs => ${seconds}), g.expires_at)
    FROM app_grant g CROSS JOIN (SELECT clock_timestamp() AS at) AS moment
    WHERE g.owner_id = ${grant.ownerId} AND g.id = ${grant.id}
    RETURNING id, expires_at AS "expiresAt",
      floor(extract(epoch FROM expires_at - created_at))::int AS seconds`.row(tx);
  return made!;
}

/** Deletes a grant's access tokens that expired over a day ago. */
export const deleteExpiredTokens = (tx: Change, grant: GrantRef) =>
  sql`
    DELETE FROM token
    WHERE owner_id = ${grant.ownerId}
      AND grant_id = ${grant.id}
      AND kind = 'access'
      AND expires_at < now() - interval '1 day'`.run(tx);

/** Ends a family's tokens. @returns the number of tokens ended */
export const revokeTokens = (tx: Change, ownerId: string, familyId: string): Promise<number> =>
  sql`
    UPDATE token
    SET revoked_at = now()
    WHERE owner_id = ${ownerId} AND family_id = ${familyId} AND revoked_at IS NULL`.run(tx);

/**
 * Ends an app's own token at the app's request.
 * @returns the token's owner and ID; undefined if the token is unknown or was revoked before
 */
export const revokeTokenRow = (tx: Change, appId: string, token: string) =>
  sql<{ owner_id: string; subject: string }>`
    UPDATE token t
    SET revoked_at = now()
    FROM app_grant g
    WHERE t.hash = ${hashSecret(token)}
      AND t.revoked_at IS NULL
      AND g.id = t.grant_id
      AND g.app_id = ${appId}
    RETURNING t.owner_id, t.id AS subject`.row(tx);

/**
 * Returns the ID of the owner of a token that an operator gives in full or by its ID. Only a full
 * token names its owner's shard.
 */
export async function findTokenOwner(tokenOrId: string): Promise<string | undefined> {
  const find = async (hash: Buffer | null) => {
    const token = await sql<{ owner_id: string }>`
      SELECT owner_id FROM token WHERE hash = ${hash} OR id = ${tokenOrId}`.row();
    return token?.owner_id;
  };
  if (isSecret(tokenOrId, ["at", "pat"])) return find(hashSecret(tokenOrId));
  return (await inEveryShard(() => find(null))).find((ownerId) => ownerId !== undefined);
}

/** Finds the shard of an app's token without a home: see `locateSecret`. */
export const locateToken = (hash: Buffer): Promise<void> | undefined =>
  locateSecret(
    hash,
    async () => (await sql<{ owner_id: string }>`SELECT owner_id FROM token WHERE hash = ${hash}`.row())?.owner_id,
  );

/**
 * A token's owner and app, whether or not the token is live. `reason` is why the token no longer
 * works, or empty if it works.
 */
export type TokenGrant = { grantId: string; ownerId: string; appId: string; last4: string; reason: string };

/**
 * Returns the grants of tokens, keyed by the token's hash as Latin-1 text. Omits hashes of unknown
 * tokens.
 */
export async function grantsOf(hashes: Buffer[]): Promise<Map<string, TokenGrant>> {
  const find = (some: Buffer[]) =>
    sql<TokenGrant & { hash: Buffer }>`
    SELECT t.hash, t.last4, g.id AS "grantId", t.owner_id AS "ownerId", g.app_id AS "appId",
      CASE
        WHEN g.revoked_at IS NOT NULL OR g.expires_at <= now() THEN 'disconnected'
        WHEN t.revoked_at IS NOT NULL THEN 'revoked'
        WHEN t.expires_at <= now() THEN 'expired'
        ELSE ''
      END AS reason
    FROM token t JOIN app_grant g ON g.id = t.grant_id
    WHERE t.hash = ANY (${some})`.rows();
  const known = await forEachReachableShardOf(
    hashes,
    (hash) => hash,
    (some) => find(some),
  );
  return new Map(known.flat().map(({ hash, ...grant }) => [hash.toString("latin1"), grant]));
}

/*
 * Records the last use of grants, scopes and tokens. Takes ages in seconds instead of times,
 * because the database's clock is authoritative. Skips rows that another instance is writing. Runs
 * on every shard, because an ID of a grant does not name the shard.
 */

const usedAt = sql`greatest(last_used_at, now() - make_interval(secs => used.age))`;

const ages = (uses: readonly { age: number }[]) => sql`${uses.map(({ age }) => age)}::float8[]`;

export async function writeTokensUsed(uses: readonly { hash: Buffer; age: number }[]): Promise<void> {
  const hashes = uses.map(({ hash }) => hash);
  const write = sql`
    UPDATE token t
    SET last_used_at = ${usedAt}
    FROM unnest(${hashes}::bytea[], ${ages(uses)}) AS used (hash, age)
    WHERE t.hash = used.hash
      AND t.id IN (
        SELECT id FROM token WHERE hash = ANY (${hashes}) FOR NO KEY UPDATE SKIP LOCKED
      )`;
  await inReachableShards(() => write.run());
}

export async function writeGrantsUsed(uses: readonly { grantId: string; age: number }[]): Promise<void> {
  const ids = uses.map(({ grantId }) => grantId);
  const write = sql`
    UPDATE app_grant g
    SET last_used_at = ${usedAt}
    FROM unnest(${ids}::text[], ${ages(uses)}) AS used (id, age)
    WHERE g.id = used.id
      AND g.id IN (
        SELECT id FROM app_grant WHERE id = ANY (${ids}) FOR NO KEY UPDATE SKIP LOCKED
      )`;
  await inReachableShards(() => write.run());
}

export async function writeScopesUsed(uses: readonly { grantId: string; scope: string; age: number }[]): Promise<void> {
  const [ids, scopes] = [uses.map(({ grantId }) => grantId), uses.map(({ scope }) => scope)];
  const write = sql`
    UPDATE grant_scope s
    SET last_used_at = ${usedAt}
    FROM unnest(${ids}::text[], ${scopes}::text[], ${ages(uses)}) AS used (id, scope, age)
    WHERE s.grant_id = used.id
      AND s.scope = used.scope
      AND (s.grant_id, s.scope) IN (
        SELECT grant_id, scope
        FROM grant_scope
        WHERE grant_id = ANY (${ids})
        FOR NO KEY UPDATE SKIP LOCKED
      )`;
  await inReachableShards(() => write.run());
}
