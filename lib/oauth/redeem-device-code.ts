import type { Client } from "@/lib/apps/apps";
import { sql } from "@/lib/database/sql";
import { type Change, change } from "@/lib/events/change-transaction";
import { newId } from "@/lib/ids";
import { hashSecret, isSecret } from "@/lib/keys/secret-tokens";
import { TokenError } from "./client-authentication";
import { type IssuedTokens, issueTokens, type TokenSource } from "./token-issuance";

export const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

type DeviceCodeRow = Pick<TokenSource, "ownerId" | "scopes" | "resource"> & {
  id: string;
  grantId: string | null;
  beganAt: Date | null;
  used: boolean;
  over: boolean;
  early: boolean;
};

/**
 * The seconds that each early poll adds to the interval (RFC 8628 section 3.5), and the seconds
 * that a poll may be early without this consequence.
 */
const [slowerSeconds, slackSeconds] = [5, 0.5];

/**
 * Handles a device's poll (RFC 8628 section 3.4). After the owner has allowed the request, only one
 * poll gets the tokens.
 * @throws {TokenError} authorization_pending, slow_down, access_denied, expired_token,
 * invalid_grant
 */
export async function redeemDeviceCode(client: Client, deviceCode: string): Promise<IssuedTokens> {
  if (!isSecret(deviceCode, ["dc"])) throw refused();
  // Errors are returned instead of thrown, because the transaction must record the poll.
  return change(null, async (tx) => {
    const row = await hold(tx, client, deviceCode);
    if (!row || row.used) return refused();
    if (row.over) return new TokenError("expired_token", "The code has expired. Request a new code.");
    const { grantId, beganAt } = row;
    if (beganAt === null) return pending(tx, row);
    if (grantId === null) return new TokenError("access_denied", "The owner denied the request");
    const used = await sql`
      UPDATE device_code
      SET used_at = now()
      WHERE id = ${row.id} AND used_at IS NULL`.run(tx);
    if (used === 0) return refused();
    return issueTokens(tx, { ...row, client, grantId, beganAt, familyId: newId("fam") });
  });
}

const refused = () => new TokenError("invalid_grant", "The device code is invalid or already used");

/** Reads one of the app's own device codes, and locks its row to serialize concurrent polls. */
function hold(tx: Change, client: Client, deviceCode: string): Promise<DeviceCodeRow | undefined> {
  return sql<DeviceCodeRow>`
    SELECT id, owner_id AS "ownerId", grant_id AS "grantId", granted AS scopes, resource,
      decided_at AS "beganAt", used_at IS NOT NULL AS used, expires_at <= now() AS over,
      coalesce(
        last_polled_at > now() - make_interval(secs => interval_seconds - ${slackSeconds}::float8),
        false
      ) AS early
    FROM device_code
    WHERE hash = ${hashSecret(deviceCode)} AND app_id = ${client.clientId}
    FOR UPDATE`.row(tx);
}

/**
 * Records a poll while the decision is pending. The polling interval applies only during that time.
 */
async function pending(tx: Change, { id, early }: DeviceCodeRow): Promise<TokenError> {
  const slower = early ? slowerSeconds : 0;
  await sql`
    UPDATE device_code
    SET last_polled_at = now(), interval_seconds = interval_seconds + ${slower}::int
    WHERE id = ${id}`.run(tx);
  return early
    ? new TokenError("slow_down", "Increase the polling interval by five seconds")
    : new TokenError("authorization_pending", "The owner has not decided yet");
}
