import type { Client } from "@/lib/apps/apps";
import { env } from "@/lib/config/env";
import { sql } from "@/lib/database/sql";
import { scopesSince } from "@/lib/grants/grant-sql-for-other-domains";
import { locateToken } from "@/lib/grants/token-store";
import { hashSecret, isSecret } from "@/lib/keys/secret-tokens";
import { authenticateClient, TokenError } from "./client-authentication";
import { formEndpoint, requiredParam } from "./form-endpoint";
import { locateRefreshToken } from "./token-issuance";

/**
 * Handles POST /oauth/introspect (RFC 7662): describes one of the calling app's own tokens.
 * Requires a client secret. For any other token, the response contains only `active: false`.
 */
export const introspectEndpoint = formEndpoint(async (request, form) => {
  const client = await authenticateClient(request, form);
  if (client.public) throw new TokenError("invalid_client", "Only a client with a secret may introspect tokens", 401);
  return (await describe(client, requiredParam(form, "token"))) ?? { active: false };
});

type TokenRow = { scopes: string[]; resource: string; issued: number; ends: number; owner_id: string };

/**
 * SQL: valid refresh tokens, without rotated ones. For access tokens, the view `live_token` serves
 * this purpose.
 */
const liveRefreshToken = sql`(
  SELECT r.hash, r.resource, r.created_at, least(r.expires_at, g.expires_at) AS expires_at,
    r.owner_id, g.app_id,
    ${scopesSince(sql`r.owner_id`, sql`r.grant_id`, sql`r.scopes`, sql`r.began_at`)} AS scopes
  FROM refresh_token r JOIN live_grant g ON g.owner_id = r.owner_id AND g.id = r.grant_id
  WHERE r.revoked_at IS NULL AND r.rotated_at IS NULL AND r.expires_at > now()
)`;

/**
 * Describes a valid token. Its scopes are those that both the token and the grant have. Times are
 * in epoch seconds.
 */
async function describe(client: Client, token: string): Promise<object | undefined> {
  const refresh = isSecret(token, ["rt"]);
  if (!refresh && !isSecret(token, ["at", "pat"])) return undefined;
  const hash = hashSecret(token);
  await (refresh ? locateRefreshToken(hash) : locateToken(hash));
  const found = await sql<TokenRow>`
    SELECT t.resource, t.owner_id, t.scopes,
      floor(extract(epoch FROM t.created_at))::float8 AS issued,
      floor(extract(epoch FROM t.expires_at))::float8 AS ends
    FROM ${refresh ? liveRefreshToken : sql`live_token`} AS t
    WHERE t.hash = ${hash} AND t.app_id = ${client.clientId}`.row();
  if (!found) return undefined;
  const { publicUrl } = env();
  return {
    active: true,
    scope: found.scopes.join(" "),
    client_id: client.clientId,
    sub: found.owner_id,
    ...(refresh ? {} : { token_type: "Bearer" }),
    iat: found.issued,
    exp: found.ends,
    iss: publicUrl,
    aud: `${publicUrl}/${found.resource === "mcp" ? "api/mcp" : "api"}`,
  };
}
