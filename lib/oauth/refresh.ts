import type { Resource } from "@/lib/access/resource-indicator";
import type { Client } from "@/lib/apps/apps";
import { sql } from "@/lib/database/sql";
import { type Change, change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { notifyOwner } from "@/lib/events/service-notification";
import { hashSecret, isSecret } from "@/lib/keys/secret-tokens";
import { pausePoint } from "@/lib/pause-points";
import { TokenError } from "./client-authentication";
import {
  type IssuedTokens,
  issueAccess,
  locateRefreshToken,
  revokeFamily,
  rotate,
  successorToken,
  successorTokens,
  type TokenSource,
} from "./token-issuance";
import { networkOf, type RefreshReuse, reuseWarningDays, warnOfTokenSharing } from "./warn-of-token-sharing";

/**
 * The parameters of a refresh: the refresh token, optionally narrower scopes, and the caller's
 * address.
 */
export type Renewal = {
  refreshToken: string;
  /**
   * The value of the form's `scope` field, which narrows the access token. The next refresh token
   * keeps all scopes.
   */
  scope: string | undefined;
  resource: Resource | undefined;
  /** The caller's network, as returned by `ipPrefix`. Empty if unknown. */
  address: string;
};

type RefreshRow = Omit<RefreshReuse, "refreshToken" | "successor" | "next"> &
  Pick<TokenSource, "familyId" | "beganAt" | "resource"> & {
    scopes: string[];
    live: boolean;
    rotated: boolean;
    late: boolean;
  };

/**
 * How long a refresh token is still accepted after its rotation, in seconds. It is accepted because
 * the response may have been lost, or a second process may use the token.
 */
const graceSeconds = 60;

const refused = () => new TokenError("invalid_grant", "The refresh token is invalid, already used or expired");

/**
 * Exchanges a refresh token for an access token and the next refresh token (OAuth 2.1 section 4.3).
 * If the token is used again within a minute, returns the same next token, unless that was already
 * used (see `warnOfTokenSharing`). Any other reuse counts as theft, so the whole family is revoked
 * (RFC 9700 section 4.14.2).
 * @throws {TokenError} invalid_grant, invalid_scope, invalid_target
 */
export async function refresh(client: Client, renewal: Renewal): Promise<IssuedTokens> {
  const { refreshToken } = renewal;
  if (!isSecret(refreshToken, ["rt"])) throw refused();
  const from = networkOf(renewal.address);
  await locateRefreshToken(hashSecret(refreshToken));
  // Returns errors instead of throwing them, because the transaction must commit the revocation of
  // a stolen family.
  return change(null, async (tx) => {
    const row = await hold(tx, client, refreshToken);
    if (!row?.live) return refused();
    await pausePoint("refresh token read, tokens not issued");
    const next = row.rotated ? await holdSuccessor(tx, row.ownerId, refreshToken) : undefined;
    if (row.rotated && (row.late || !next?.unused)) {
      await endStolen(tx, client, row);
      return refused();
    }
    const wanted = narrowed(row, renewal);
    if (wanted instanceof TokenError) return wanted;
    const issued = await issueAccess(tx, { client, ...row }, wanted, "token.refreshed");
    if (issued instanceof TokenError) return issued;
    if (!next) await rotate(tx, row.ownerId, refreshToken, from);
    else await warnOfTokenSharing(tx, client, { refreshToken, successor: next.token, ...row, next: next.shared }, from);
    return { ...issued, refreshToken: next?.token ?? successorToken(refreshToken) };
  });
}

/**
 * Reads one of the app's own refresh tokens, and locks its row so that concurrent refreshes run one
 * after another.
 */
function hold(tx: Change, client: Client, refreshToken: string): Promise<RefreshRow | undefined> {
  return sql<RefreshRow>`
    SELECT r.grant_id AS "grantId", r.owner_id AS "ownerId", r.family_id AS "familyId", r.scopes,
      r.began_at AS "beganAt", r.resource, r.shared, r.rotated_from AS "rotatedFrom",
      coalesce(
        r.warned_at > now() - make_interval(days => ${reuseWarningDays}::int), false
      ) AS warned, r.revoked_at IS NULL AND r.expires_at > now() AS live,
      r.rotated_at IS NOT NULL AS rotated,
      coalesce(r.rotated_at < now() - make_interval(secs => ${graceSeconds}::int), false) AS late
    FROM refresh_token r JOIN live_grant g ON g.owner_id = r.owner_id AND g.id = r.grant_id
    WHERE r.hash = ${hashSecret(refreshToken)} AND g.app_id = ${client.clientId}
    FOR UPDATE OF r`.row(tx);
}

/** Reads the successor that was issued for a refresh token, and locks its row. */
async function holdSuccessor(tx: Change, ownerId: string, refreshToken: string) {
  for (const token of successorTokens(refreshToken)) {
    const row = await sql<{ unused: boolean; shared: number }>`
      SELECT rotated_at IS NULL AS unused, shared
      FROM refresh_token
      WHERE owner_id = ${ownerId} AND hash = ${hashSecret(token)}
      FOR UPDATE`.row(tx);
    if (row) return { token, ...row };
  }
  return undefined;
}

async function endStolen(tx: Change, { clientId: appId, name }: Client, { familyId, ownerId, grantId }: RefreshRow) {
  await revokeFamily(tx, ownerId, familyId);
  await record(tx, { ownerId, appId, type: "token.reused", subject: grantId });
  await notifyOwner(tx, {
    ownerId,
    title: `Tokens for ${name} were revoked`,
    body: "An old token was used again, which may mean that someone stole the token. We revoked all tokens from the same connection. If you still use the app, connect the app again.",
    type: "security",
  });
}

/**
 * Returns the access token's scopes: all scopes of the refresh token, or the requested subset (RFC
 * 6749 section 6).
 */
function narrowed(row: RefreshRow, { scope, resource }: Renewal): string[] | TokenError {
  if (resource !== undefined && resource !== row.resource) {
    return new TokenError("invalid_target", "resource does not match the authorized resource");
  }
  const named = new Set(scope?.split(" ").filter((name) => name !== "" && name !== "offline_access"));
  if (named.size === 0) return row.scopes;
  if (![...named].every((name) => row.scopes.includes(name))) {
    return new TokenError("invalid_scope", "scope must be within the granted scopes");
  }
  return row.scopes.filter((name) => named.has(name));
}
