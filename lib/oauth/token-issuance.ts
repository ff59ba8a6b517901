import { createHmac } from "node:crypto";
import type { Resource } from "@/lib/access/resource-indicator";
import type { Client } from "@/lib/apps/apps";
import { sql } from "@/lib/database/sql";
import type { Change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { scopesSince } from "@/lib/grants/grant-sql-for-other-domains";
import { deleteExpiredTokens, insertToken, revokeTokens } from "@/lib/grants/token-store";
import { acceptedKeys, key } from "@/lib/keys/crypto";
import { derivedSecret, hashSecret, homeInSecret, locateSecret, newSecret } from "@/lib/keys/secret-tokens";
import { TokenError } from "./client-authentication";

/**
 * The tokens for a token response. `expiresIn` is in seconds. `refreshToken` is absent if the app
 * doesn't use refresh tokens.
 */
export type IssuedTokens = {
  token: string;
  refreshToken?: string;
  expiresIn: number;
  scopes: string[];
  ownerId: string;
};

/**
 * What tokens are issued from: the owner's grant, and the token family that began with the consent.
 */
export type TokenSource = {
  client: Client;
  grantId: string;
  ownerId: string;
  familyId: string;
  /**
   * The scopes of the consent and its time. Tokens get only the scopes that the grant has had ever
   * since.
   */
  scopes: readonly string[];
  beganAt: Date;
  resource: Resource;
};

/**
 * Lifetimes in seconds: of an access token, of an unused refresh token, and of a whole family of
 * refresh tokens. Tokens also end when the grant ends.
 */
const accessSeconds = 3600;
const [idleSeconds, familySeconds] = [30 * 86_400, 365 * 86_400];

/**
 * Issues a family's first tokens: an access token and, if the app uses them, a refresh token.
 * @returns the tokens, or the error invalid_grant if the owner has revoked the grant; the error is
 * not thrown, because the transaction must consume the code
 */
export async function issueTokens(tx: Change, source: TokenSource): Promise<IssuedTokens | TokenError> {
  const issued = await issueAccess(tx, source, source.scopes);
  if (issued instanceof TokenError || !source.client.grantTypes.includes("refresh_token")) return issued;
  const refreshToken = newSecret("rt", source);
  await sql`
    INSERT INTO refresh_token (
      hash, owner_id, grant_id, family_id, scopes, resource, began_at, expires_at, ends_at
    )
    SELECT ${hashSecret(refreshToken)}, g.owner_id, g.id, ${source.familyId},
      ${[...source.scopes]}, ${source.resource}, ${source.beganAt},
      least(now() + make_interval(secs => ${idleSeconds}::int), g.expires_at),
      least(now() + make_interval(secs => ${familySeconds}::int), g.expires_at)
    FROM live_grant g
    WHERE g.owner_id = ${source.ownerId} AND g.id = ${source.grantId}`.run(tx);
  return { ...issued, refreshToken };
}

/**
 * Issues an access token for the scopes that the grant has had ever since the consent. A scope that
 * was revoked and granted again belongs to a later consent.
 * @param event the type of the event in the owner's activity
 * @returns the token, or the error invalid_grant (not thrown) if no scope is left
 */
export async function issueAccess(
  tx: Change,
  { client, grantId, ownerId, familyId, resource, beganAt }: Omit<TokenSource, "scopes">,
  wanted: readonly string[],
  event: "token.created" | "token.refreshed" = "token.created",
): Promise<IssuedTokens | TokenError> {
  const held = scopesSince(sql`g.owner_id`, sql`g.id`, sql`${[...wanted]}`, sql`${beganAt}`);
  // Locks the grant, so that this statement either sees a concurrent revocation, or the revocation
  // also revokes the new token.
  const live = await sql<{ scopes: string[] }>`
    SELECT ${held} AS scopes
    FROM live_grant g
    WHERE g.owner_id = ${ownerId} AND g.id = ${grantId}
    FOR SHARE OF g`.row(tx);
  const scopes = wanted.filter((scope) => live?.scopes.includes(scope));
  if (scopes.length === 0) return new TokenError("invalid_grant", "The owner has revoked the grant");
  const token = newSecret("at", { ownerId });
  const grant = { id: grantId, ownerId };
  await deleteExpiredTokens(tx, grant);
  const kept = { token, kind: "access", grant, familyId, scopes, resource, seconds: accessSeconds } as const;
  const { id, seconds: expiresIn } = await insertToken(tx, kept);
  await record(tx, { ownerId, appId: client.clientId, type: event, subject: id, data: { scopes } });
  return { token, expiresIn, scopes, ownerId };
}

/**
 * Returns the ID of a code's token family. The ID is derived from the code alone, so that reuse is
 * detected even after the code's row was deleted.
 */
export const tokenFamilyId = (code: string): string =>
  `fam_${createHmac("sha256", key("code-family")).update(code).digest("hex").slice(0, 32)}`;

/**
 * Returns a refresh token's successor, derived from the token and our key. A repeated request
 * therefore gets the same successor, although the database stores only hashes.
 */
export const successorToken = (refreshToken: string): string => successorTokens(refreshToken)[0] as string;

/**
 * Returns the tokens that may be a refresh token's successor: first the one that `rotate` creates.
 * The others were created with SECRET_PREVIOUS, or by an instance from before homes. A successor
 * contains the home that the token contains. The successor of a token without a home never changes
 * its form, because instances from before homes create the same successor.
 */
export function successorTokens(refreshToken: string): string[] {
  const home = homeInSecret(refreshToken);
  const derived = (algorithm: "sha256" | "sha512", to: typeof home) =>
    acceptedKeys("refresh-successor").map((hmacKey) =>
      derivedSecret("rt", createHmac(algorithm, hmacKey).update(refreshToken).digest(), to),
    );
  const former = derived("sha256", undefined);
  return home === undefined ? former : [...derived("sha512", home), ...former];
}

/** Finds the shard of a refresh token without a home: see `locateSecret`. */
export const locateRefreshToken = (hash: Buffer): Promise<void> | undefined =>
  locateSecret(
    hash,
    async () =>
      (await sql<{ owner_id: string }>`SELECT owner_id FROM refresh_token WHERE hash = ${hash}`.row())?.owner_id,
  );

/**
 * Replaces a refresh token with its successor. The family's end does not change.
 * @param from the network that presented the token: see `networkOf`
 */
export async function rotate(tx: Change, ownerId: string, refreshToken: string, from: string | null): Promise<void> {
  await sql`
    WITH used AS (
      UPDATE refresh_token
      SET rotated_at = now(), rotated_from = ${from}
      WHERE owner_id = ${ownerId}
        AND hash = ${hashSecret(refreshToken)}
        AND rotated_at IS NULL
      RETURNING *
    )
    INSERT INTO refresh_token (
      hash, owner_id, grant_id, family_id, scopes, resource, began_at, warned_at, expires_at,
      ends_at
    )
    SELECT ${hashSecret(successorToken(refreshToken))}, owner_id, grant_id, family_id, scopes,
      resource, began_at, warned_at,
      least(now() + make_interval(secs => ${idleSeconds}::int), ends_at), ends_at
    FROM used`.run(tx);
}

/**
 * Revokes every token of a family. Repeats until no token is left, because a successor that is
 * issued concurrently is visible only to a later statement. Locks the oldest token first, in the
 * same order as refreshes.
 * @returns the number of revoked tokens
 */
export async function revokeFamily(tx: Change, ownerId: string, familyId: string): Promise<number> {
  let all = 0;
  let ended: number;
  do {
    ended = await sql`
      UPDATE refresh_token r
      SET revoked_at = now()
      FROM (
        SELECT hash
        FROM refresh_token
        WHERE owner_id = ${ownerId} AND family_id = ${familyId} AND revoked_at IS NULL
        ORDER BY created_at
        FOR UPDATE
      ) AS live
      WHERE r.hash = live.hash`.run(tx);
    all += ended;
  } while (ended > 0);
  return all + (await revokeTokens(tx, ownerId, familyId));
}
