import type { Client } from "@/lib/apps/apps";
import { sql } from "@/lib/database/sql";
import type { Change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { notifyOwner } from "@/lib/events/service-notification";
import { sign } from "@/lib/keys/crypto";
import { hashSecret } from "@/lib/keys/secret-tokens";

/**
 * The number of consecutive generations of a family that must each be used twice from one network
 * before the owner is notified. A single reuse can be due to a lost response.
 */
const maxRunning = 3;
/**
 * The minimum interval between two notifications about a family, in days, so that no one can flood
 * the owner's feed.
 */
export const reuseWarningDays = 30;

/**
 * A refresh token that was presented a second time. Its row and the row of its successor are
 * locked.
 */
export type RefreshReuse = {
  refreshToken: string;
  successor: string;
  grantId: string;
  ownerId: string;
  /**
   * The number of consecutive earlier generations that were presented twice. `next` is the count
   * that the successor's row contains.
   */
  shared: number;
  next: number;
  /** The network that presented the token first (see `networkOf`). */
  rotatedFrom: string | null;
  /** Whether the owner was notified about this family within `reuseWarningDays`. */
  warned: boolean;
};

/**
 * Returns an identifier for the network that presents a refresh token, for comparison only. It
 * consists of the IP version (4 or 6) and a keyed hash. Returns null if the network is unknown.
 * @param address see `ipPrefix`
 */
export const networkOf = (address: string): string | null =>
  address === "" ? null : `${address.includes(":") ? 6 : 4}${sign("refresh-network", address)}`;

/**
 * Records the reuse of a token within the grace period. A single reuse can be due to a lost
 * response or to two processes. Repeated reuse, or reuse from two networks, may mean that the token
 * was stolen, so the owner is notified.
 * @param from the network that presented the token now
 */
export async function warnOfTokenSharing(
  tx: Change,
  client: Client,
  row: RefreshReuse,
  from: string | null,
): Promise<void> {
  const shared = row.shared + 1;
  const [hash, next] = [hashSecret(row.refreshToken), hashSecret(row.successor)];
  if (row.next !== shared)
    await sql`
      UPDATE refresh_token
      SET shared = ${shared}
      WHERE owner_id = ${row.ownerId} AND hash = ${next}`.run(tx);
  const why = isElsewhere(row.rotatedFrom, from) ? "network" : shared >= maxRunning ? "running" : undefined;
  if (why === undefined || row.warned) return;
  const { ownerId, grantId } = row;
  await sql`
    UPDATE refresh_token
    SET warned_at = now()
    WHERE owner_id = ${ownerId} AND hash IN (${hash}, ${next})`.run(tx);
  await record(tx, { ownerId, appId: client.clientId, type: "token.shared", subject: grantId, data: { why } });
  await notifyOwner(tx, {
    ownerId,
    title: `Someone else may be using ${client.name}’s token`,
    body: `${happened[why]} If you aren’t sure who uses the token, revoke the app’s access. Then connect the app again.`,
    type: "security",
  });
}

const happened = {
  running:
    "The app’s token was refreshed in two places at the same time, three times in a row. Two copies of the app may share the token, or someone else may have the token.",
  network:
    "The app’s token was refreshed from two networks within a minute. The device may have changed networks, or someone else may have the token.",
};

/**
 * Returns whether a token was presented from two networks. Compares only addresses of the same IP
 * version, because many devices have both an IPv4 and an IPv6 address.
 */
const isElsewhere = (first: string | null, now: string | null) =>
  first !== null && now !== null && first !== now && first[0] === now[0];
