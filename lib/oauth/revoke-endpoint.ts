import type { Client } from "@/lib/apps/apps";
import { sql } from "@/lib/database/sql";
import { type Change, change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { locateToken, revokeTokenRow } from "@/lib/grants/token-store";
import { hashSecret, isSecret } from "@/lib/keys/secret-tokens";
import { authenticateClient } from "./client-authentication";
import { formEndpoint, requiredParam } from "./form-endpoint";
import { locateRefreshToken, revokeFamily } from "./token-issuance";

/**
 * Handles POST /oauth/revoke (RFC 7009): an app revokes one of its own tokens. Revoking a refresh
 * token ends its whole family. Revoking an access or personal token ends only that token. For any
 * other token, the response is the same, but nothing changes.
 */
export const revokeEndpoint = formEndpoint(async (request, form) => {
  const client = await authenticateClient(request, form);
  const token = requiredParam(form, "token");
  if (isSecret(token, ["rt"])) await revokeRefresh(client, hashSecret(token));
  else if (isSecret(token, ["at", "pat"])) await revokeAccess(client, token);
  return {};
});

type RevokedRow = { owner_id: string; subject: string };

async function revokeRefresh(client: Client, hash: Buffer): Promise<void> {
  await locateRefreshToken(hash);
  await change(null, async (tx) => {
    const found = await sql<RevokedRow & { family_id: string }>`
      UPDATE refresh_token r
      SET revoked_at = now()
      FROM live_grant g
      WHERE r.hash = ${hash}
        AND r.revoked_at IS NULL
        AND g.owner_id = r.owner_id
        AND g.id = r.grant_id
        AND g.app_id = ${client.clientId}
      RETURNING r.owner_id, r.grant_id AS subject, r.family_id`.row(tx);
    if (!found) return;
    await revokeFamily(tx, found.owner_id, found.family_id);
    await recordRevoked(tx, client, found);
  });
}

async function revokeAccess(client: Client, token: string): Promise<void> {
  await locateToken(hashSecret(token));
  await change(null, async (tx) => {
    const found = await revokeTokenRow(tx, client.clientId, token);
    if (found) await recordRevoked(tx, client, found);
  });
}

const recordRevoked = (tx: Change, { clientId: appId }: Client, { owner_id: ownerId, subject }: RevokedRow) =>
  record(tx, { ownerId, appId, type: "token.revoked", subject, data: { by: "app" } });
