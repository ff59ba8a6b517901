import { grantedBy } from "@/lib/access/admission";
import type { Client } from "@/lib/apps/apps";
import { env } from "@/lib/env";
import { hashSecret, isSecret } from "@/lib/keys/crypto";
import { empty, sql } from "@/lib/sql";
import { authenticateClient, TokenError } from "./client-authentication";
import { formEndpoint, needed } from "./form-endpoint";

/**
 * POST /oauth/introspect (RFC 7662): what a token of the calling app is worth now. Only for apps that can prove who they
 * are; of any token that is not theirs or not live they learn nothing but that.
 */
export const introspectEndpoint = formEndpoint(async (request, form) => {
  const client = await authenticateClient(request, form);
  if (client.public) throw new TokenError("invalid_client", "Only a client with a secret may introspect tokens", 401);
  return { body: (await describe(client, needed(form, "token"))) ?? { active: false } };
});

type Row = { scopes: string[]; resource: string; issued: number; ends: number; owner_id: string };

/** The scopes are those that both the token and the grant have; times are epoch seconds. */
async function describe(client: Client, token: string): Promise<object | undefined> {
  const refresh = isSecret(token, ["rt"]);
  if (!refresh && !isSecret(token, ["at", "pat"])) return undefined;
  const [table, began] = refresh ? [sql`refresh_token`, sql`t.began_at`] : [sql`token`, sql`t.created_at`];
  const found = await sql<Row>`SELECT t.resource, g.owner_id, floor(extract(epoch FROM t.created_at))::float8 AS issued,
      floor(extract(epoch FROM least(t.expires_at, g.expires_at)))::float8 AS ends,
      ARRAY(SELECT scope FROM grant_scope s WHERE s.grant_id = g.id AND s.scope = ANY (t.scopes) AND ${grantedBy(began)}) AS scopes
    FROM ${table} t JOIN live_grant g ON g.id = t.grant_id
    WHERE t.hash = ${hashSecret(token)} AND g.app_id = ${client.clientId} AND t.revoked_at IS NULL AND t.expires_at > now()
      ${refresh ? sql`AND t.rotated_at IS NULL` : empty}`.row();
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
