import type { Resource } from "@/lib/access/resource-indicator";
import type { Client } from "@/lib/apps/apps";
import { sql } from "@/lib/database/sql";
import { type Change, change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { constantTimeEqual, sha256 } from "@/lib/keys/crypto";
import { hashSecret, isSecret } from "@/lib/keys/secret-tokens";
import { TokenError } from "./client-authentication";
import { type IssuedTokens, issueTokens, revokeFamily, type TokenSource, tokenFamilyId } from "./token-issuance";

/** The app's parameters for the exchange. */
export type Redemption = {
  code: string;
  verifier: string | undefined;
  redirectUri: string | undefined;
  resource: Resource | undefined;
};

type CodeRow = Omit<TokenSource, "client"> & { redirectUri: string; codeChallenge: string; fresh: boolean };

const refused = (description = "The code is invalid, already used or expired") =>
  new TokenError("invalid_grant", description);

/**
 * Exchanges a code for tokens. The first attempt consumes the code, even if it fails. A second
 * attempt means that the code was stolen, so it revokes everything that was issued from the code
 * (OAuth 2.1 section 4.1.3).
 * @throws {TokenError} invalid_grant, invalid_target
 */
export async function redeemCode(client: Client, redemption: Redemption): Promise<IssuedTokens> {
  const { code } = redemption;
  if (!isSecret(code, ["ac"])) throw refused();
  const hash = hashSecret(code);
  // Returns errors instead of throwing them, because the transaction must consume the code.
  return change(null, async (tx): Promise<IssuedTokens | TokenError> => {
    const used = await sql<CodeRow>`
      UPDATE authorization_code c
      SET used_at = now()
      WHERE c.hash = ${hash} AND c.app_id = ${client.clientId} AND c.used_at IS NULL
      RETURNING c.grant_id AS "grantId", c.owner_id AS "ownerId",
        c.family_id AS "familyId", c.scopes, c.resource, c.created_at AS "beganAt",
        c.redirect_uri AS "redirectUri", c.code_challenge AS "codeChallenge",
        c.expires_at > now() AS fresh`.row(tx);
    if (!used) {
      await codeReused(tx, client, code);
      return refused();
    }
    return mismatch(used, redemption) ?? (await issueTokens(tx, { client, ...used }));
  });
}

function mismatch(used: CodeRow, { verifier, redirectUri, resource }: Redemption): TokenError | undefined {
  if (!used.fresh) return refused();
  if (redirectUri !== undefined && redirectUri !== used.redirectUri)
    return refused("redirect_uri does not match the authorization request");
  if (verifier === undefined || !/^[\w.~-]{43,128}$/.test(verifier))
    return refused("code_verifier is missing or malformed");
  if (!constantTimeEqual(sha256(verifier).toString("base64url"), used.codeChallenge))
    return refused("code_verifier is wrong");
  if (resource !== undefined && resource !== used.resource) {
    return new TokenError("invalid_target", "resource does not match the authorized resource");
  }
  return undefined;
}

/**
 * Revokes everything that was issued from a reused code, even if the code's row was deleted. Only
 * the code's own app can cause this, because another app's attempt proves nothing.
 */
async function codeReused(tx: Change, client: Client, code: string): Promise<void> {
  const family = await sql<{ family_id: string; grant_id: string; owner_id: string }>`
    SELECT f.family_id, f.grant_id, f.owner_id
    FROM (
      SELECT family_id, grant_id, owner_id
      FROM authorization_code
      WHERE hash = ${hashSecret(code)} AND used_at IS NOT NULL
      UNION
      SELECT family_id, grant_id, owner_id
      FROM refresh_token
      WHERE family_id = ${tokenFamilyId(code)}
    ) AS f
      JOIN live_grant g ON g.owner_id = f.owner_id AND g.id = f.grant_id
    WHERE g.app_id = ${client.clientId}
    LIMIT 1`.row(tx);
  if (!family) return;
  const { owner_id: ownerId, grant_id: subject } = family;
  if ((await revokeFamily(tx, ownerId, family.family_id)) === 0) return;
  await record(tx, { ownerId, appId: client.clientId, type: "code.reused", subject });
}
