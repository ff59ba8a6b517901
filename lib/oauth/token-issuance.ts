import { createHmac } from "node:crypto";
import type { Resource } from "@/lib/access/resources";
import type { Client } from "@/lib/apps/apps";
import { sql } from "@/lib/database/sql";
import type { Change } from "@/lib/events/change";
import { record } from "@/lib/events/events";
import { scopesSince } from "@/lib/grants/sql";
import { deleteExpiredTokens, insertToken, revokeTokens } from "@/lib/grants/token-store";
import { hashSecret, key, newSecret } from "@/lib/keys/crypto";
import { TokenError } from "./client-authentication";

/** What a token reply says. `expiresIn` in seconds; no refresh token for an app that does not use them; whose it is. */
export type IssuedTokens = {
  token: string;
  refreshToken?: string;
  expiresIn: number;
  scopes: string[];
  ownerId: string;
};

/** What tokens are issued from: the owner's grant, and everything that came of one consent by its family. */
export type TokenSource = {
  client: Client;
  grantId: string;
  ownerId: string;
  familyId: string;
  /** What was consented to, and when; the tokens have what of it the grant has had ever since. */
  scopes: readonly string[];
  beganAt: Date;
  resource: Resource;
};

/** How long tokens live, in seconds, unless the grant ends before. A refresh token's second number is its whole family's. */
const accessSeconds = 3600;
const [idleSeconds, familySeconds] = [30 * 86_400, 365 * 86_400];

/**
 * The first tokens of a family: an access token and, for an app that uses them, a refresh token.
 * @returns invalid_grant, not thrown, when the owner has taken the grant back: the transaction that used a code up is committed
 */
export async function issueTokens(tx: Change, source: TokenSource): Promise<IssuedTokens | TokenError> {
  const issued = await issueAccess(tx, source, source.scopes);
  if (issued instanceof TokenError || !source.client.grantTypes.includes("refresh_token")) return issued;
  const refreshToken = newSecret("rt");
  await sql`INSERT INTO refresh_token (hash, grant_id, family_id, scopes, resource, began_at, expires_at, ends_at)
    SELECT ${hashSecret(refreshToken)}, g.id, ${source.familyId}, ${[...source.scopes]}, ${source.resource}, ${source.beganAt},
      least(now() + make_interval(secs => ${idleSeconds}::int), g.expires_at),
      least(now() + make_interval(secs => ${familySeconds}::int), g.expires_at)
    FROM live_grant g WHERE g.id = ${source.grantId}`.run(tx);
  return { ...issued, refreshToken };
}

/**
 * An access token for these scopes, as far as the grant has had them since the consent: one that was taken back meanwhile and
 * given anew was given to another installation.
 * @param event how it came about, in the owner's activity
 */
export async function issueAccess(
  tx: Change,
  { client, grantId, ownerId, familyId, resource, beganAt }: Omit<TokenSource, "scopes">,
  wanted: readonly string[],
  event: "token.created" | "token.refreshed" = "token.created",
): Promise<IssuedTokens | TokenError> {
  // The grant is held, so that one revoked at this moment is seen as revoked or revokes this token too.
  const grant = await sql<{ scopes: string[] }>`
    SELECT ${scopesSince(sql`g.id`, sql`${[...wanted]}`, sql`${beganAt}`)} AS scopes
    FROM live_grant g
    WHERE g.id = ${grantId} FOR SHARE OF g`.row(tx);
  const scopes = wanted.filter((scope) => grant?.scopes.includes(scope));
  if (scopes.length === 0) return new TokenError("invalid_grant", "The owner has revoked the grant");
  const token = newSecret("at");
  await deleteExpiredTokens(tx, grantId);
  const kept = { token, kind: "access", grantId, familyId, scopes, resource, seconds: accessSeconds } as const;
  const { id, seconds: expiresIn } = await insertToken(tx, kept);
  await record(tx, { ownerId, appId: client.clientId, type: event, subject: id, data: { scopes } });
  return { token, expiresIn, scopes, ownerId };
}

/** The family of what comes of a code: known from the code alone, so that using it again ends that when its row is long gone. */
export const tokenFamilyId = (code: string): string =>
  `fam_${createHmac("sha256", key("code-family")).update(code).digest("hex").slice(0, 32)}`;

/** The refresh token that follows this one: only we can derive it, always the same, so that nothing reversible is stored. */
export const successorToken = (refreshToken: string): string =>
  newSecret("rt", createHmac("sha256", key("refresh-successor")).update(refreshToken).digest());

/**
 * Put the successor in place of a refresh token; the family's end stays what it was.
 * @param from where it was shown: see `ipNetwork`
 */
export async function rotate(tx: Change, refreshToken: string, from: string | null): Promise<void> {
  await sql`WITH used AS (
      UPDATE refresh_token SET rotated_at = now(), rotated_from = ${from} WHERE hash = ${hashSecret(refreshToken)} AND rotated_at IS NULL RETURNING *
    )
    INSERT INTO refresh_token (hash, grant_id, family_id, scopes, resource, began_at, warned_at, expires_at, ends_at)
    SELECT ${hashSecret(successorToken(refreshToken))}, grant_id, family_id, scopes, resource, began_at, warned_at,
      least(now() + make_interval(secs => ${idleSeconds}::int), ends_at), ends_at FROM used`.run(tx);
}

/**
 * End every token of a family. A refresh under way has locked what it replaces, and its successor shows only to a statement
 * that begins after it: hence again until there is none. Oldest first, as refreshes lock them.
 * @returns how many tokens that ended
 */
export async function revokeFamily(tx: Change, familyId: string): Promise<number> {
  let all = 0;
  let ended: number;
  do {
    ended = await sql`UPDATE refresh_token r SET revoked_at = now() FROM (
        SELECT hash FROM refresh_token WHERE family_id = ${familyId} AND revoked_at IS NULL ORDER BY created_at FOR UPDATE
      ) AS live WHERE r.hash = live.hash`.run(tx);
    all += ended;
  } while (ended > 0);
  return all + (await revokeTokens(tx, familyId));
}
