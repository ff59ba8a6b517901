import type { Client } from "@/lib/apps/apps";
import { hashSecret, isSecret, newSecret, sameText, sha256 } from "@/lib/crypto";
import { db, type Transaction } from "@/lib/db";
import { record } from "@/lib/events/events";
import { announce } from "@/lib/events/hub";
import { newId } from "@/lib/ids";
import { TokenError } from "./client-authentication";
import type { Resource } from "./resources";

/** What the app shows with the code. */
export type Redemption = {
  code: string;
  verifier: string | undefined;
  redirectUri: string | undefined;
  resource: Resource | undefined;
};

/** `expiresIn` in seconds. */
export type Issued = { token: string; expiresIn: number; scopes: string[] };

/** Tokens live an hour, or until the grant ends. */
const tokenSeconds = 3600;

type CodeRow = {
  app_id: string;
  grant_id: string;
  owner_id: string;
  family_id: string;
  redirect_uri: string;
  code_challenge: string;
  resource: string;
  scopes: string[];
  fresh: boolean;
};

const refused = (description = "The code is wrong, used or too old") => new TokenError("invalid_grant", description);

/**
 * Exchange a code for a token. The first try uses the code up, whatever comes of it; a later one ends everything that was
 * issued from it (OAuth 2.1 section 4.1.3), since one of the two callers stole it.
 * @throws {TokenError} invalid_grant, invalid_target
 */
export async function redeemCode(client: Client, redemption: Redemption): Promise<Issued> {
  const { code } = redemption;
  if (!isSecret(code, ["ac"])) throw refused();
  const hash = hashSecret(code);
  // A refusal is returned and not thrown, for the transaction that used the code up must be committed.
  const outcome = await db.$transaction(async (tx): Promise<Issued | TokenError> => {
    const [used] = await tx.$queryRaw<CodeRow[]>`
      UPDATE authorization_code c SET used_at = now() FROM app_grant g
      WHERE g.id = c.grant_id AND c.hash = ${hash} AND c.app_id = ${client.clientId} AND c.used_at IS NULL
      RETURNING c.app_id, c.grant_id, g.owner_id, c.family_id, c.redirect_uri, c.code_challenge, c.resource, c.scopes,
        c.expires_at > now() AS fresh`;
    if (!used) {
      await endFamily(tx, client, hash);
      return refused();
    }
    return mismatch(used, redemption) ?? (await issue(tx, used));
  });
  if (outcome instanceof TokenError) throw outcome;
  return outcome;
}

function mismatch(used: CodeRow, { verifier, redirectUri, resource }: Redemption): TokenError | undefined {
  if (!used.fresh) return refused();
  if (redirectUri !== undefined && redirectUri !== used.redirect_uri) return refused("redirect_uri is another one");
  if (verifier === undefined || !/^[\w.~-]{43,128}$/.test(verifier))
    return refused("code_verifier is missing or malformed");
  if (!sameText(sha256(verifier).toString("base64url"), used.code_challenge)) return refused("code_verifier is wrong");
  if (resource !== undefined && resource !== used.resource) {
    return new TokenError("invalid_target", "resource is another one than was authorized");
  }
  return undefined;
}

async function issue(tx: Transaction, used: CodeRow): Promise<Issued | TokenError> {
  // The grant is held, so that one revoked at this moment is seen as revoked or revokes this token too.
  const [grant] = await tx.$queryRaw<{ scopes: string[] }[]>`
    SELECT ARRAY(SELECT scope FROM grant_scope s WHERE s.grant_id = g.id AND s.scope = ANY (${used.scopes})) AS scopes
    FROM app_grant g JOIN app ON app.id = g.app_id AND app.deleted_at IS NULL
    WHERE g.id = ${used.grant_id} AND g.revoked_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > now())
    FOR SHARE OF g`;
  const scopes = used.scopes.filter((scope) => grant?.scopes.includes(scope));
  if (scopes.length === 0) return refused("The owner has taken the grant back");
  const token = newSecret("at");
  const id = newId("tok");
  await tx.$executeRaw`
    DELETE FROM token WHERE grant_id = ${used.grant_id} AND kind = 'access' AND expires_at < now() - interval '1 day'`;
  const [made] = await tx.$queryRaw<[{ seconds: number }]>`
    INSERT INTO token (id, hash, kind, grant_id, family_id, scopes, resource, last4, expires_at)
    SELECT ${id}, ${hashSecret(token)}, 'access', g.id, ${used.family_id}, ${scopes}, ${used.resource}, ${token.slice(-4)},
      least(now() + make_interval(secs => ${tokenSeconds}::int), g.expires_at)
    FROM app_grant g WHERE g.id = ${used.grant_id}
    RETURNING floor(extract(epoch FROM expires_at - now()))::int AS seconds`;
  const about = { ownerId: used.owner_id, appId: used.app_id };
  await record(tx, { ...about, type: "token.created", subject: id, data: { scopes } });
  return { token, expiresIn: made.seconds, scopes };
}

/** Only for the app the code was made for: a code found in another's hands proves nothing about this one's tokens. */
async function endFamily(tx: Transaction, client: Client, hash: Buffer) {
  const ended = await tx.$queryRaw<{ id: string; owner_id: string }[]>`
    UPDATE token t SET revoked_at = now() FROM authorization_code c, app_grant g
    WHERE c.hash = ${hash} AND c.app_id = ${client.clientId} AND c.used_at IS NOT NULL AND g.id = c.grant_id
      AND t.family_id = c.family_id AND t.revoked_at IS NULL
    RETURNING t.id, g.owner_id`;
  for (const { id, owner_id } of ended) {
    await record(tx, { ownerId: owner_id, appId: client.clientId, type: "code.reused", subject: id });
    announce(owner_id);
  }
}
