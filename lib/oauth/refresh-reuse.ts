import type { Client } from "@/lib/apps/apps";
import { sql } from "@/lib/database/sql";
import type { Change } from "@/lib/events/change";
import { record } from "@/lib/events/events";
import { notifyOwner } from "@/lib/events/own-notification";
import { hashSecret, sign } from "@/lib/keys/crypto";
import { successorToken } from "./token-issuance";

/** Generations of a family that are shown twice before their owner is told. A lost reply is one. */
const mostRunning = 3;
/** An owner is told of a family once in so many days: nobody can fill their feed with it. */
export const reuseWarningDays = 30;

/** What is known of a refresh token that is shown a second time. It and the one after it are held. */
export type RefreshReuse = {
  refreshToken: string;
  grantId: string;
  ownerId: string;
  /** Generations right before it that were shown twice, and the same of the one after it as it is written down. */
  shared: number;
  next: number;
  /** Where it was shown first: see `ipNetwork`. */
  rotatedFrom: string | null;
  /** Whether the owner was told of its family within `reuseWarningDays`. */
  warned: boolean;
};

/**
 * What is kept of the network that a refresh token is shown from, to compare it and nothing else: a keyed hash, after 4 or 6
 * for its kind. Null where it is not known.
 * @param address as `ipPrefix` has it
 */
export const networkOf = (address: string): string | null =>
  address === "" ? null : `${address.includes(":") ? 6 : 4}${sign("refresh-network", address)}`;

/**
 * Note that a token was shown again in time. Once that is a lost reply or two processes; each time, or from two networks, it
 * may be a thief who lives beside the client, and the owner is told.
 * @param from where it was shown now
 */
export async function detectRefreshReuse(
  tx: Change,
  client: Client,
  row: RefreshReuse,
  from: string | null,
): Promise<void> {
  const shared = row.shared + 1;
  const [hash, next] = [hashSecret(row.refreshToken), hashSecret(successorToken(row.refreshToken))];
  if (row.next !== shared) await sql`UPDATE refresh_token SET shared = ${shared} WHERE hash = ${next}`.run(tx);
  const why = isElsewhere(row.rotatedFrom, from) ? "network" : shared >= mostRunning ? "running" : undefined;
  if (why === undefined || row.warned) return;
  await sql`UPDATE refresh_token SET warned_at = now() WHERE hash IN (${hash}, ${next})`.run(tx);
  const { ownerId, grantId } = row;
  await record(tx, { ownerId, appId: client.clientId, type: "token.shared", subject: grantId, data: { why } });
  await notifyOwner(tx, {
    ownerId,
    title: `Somebody else may be using ${client.name}`,
    body: `${happened[why]} If you cannot explain that, revoke its access and connect it again.`,
    type: "security",
  });
}

const happened = {
  running:
    "Its token was renewed twice, three times in a row. That happens when two copies of the app share one token, and when somebody else has a copy of it.",
  network:
    "Its token was renewed from two networks within a minute. That happens when a device changes networks, and when somebody else has a copy of the token.",
};

/** Devices often have an address of each kind: only two of one kind tell. */
const isElsewhere = (first: string | null, now: string | null) =>
  first !== null && now !== null && first !== now && first[0] === now[0];
