import type { OwnerActor } from "@/lib/actor";
import { env } from "@/lib/config/env";
import { db } from "@/lib/database/db";
import { inOtherShards } from "@/lib/database/shards/marks";
import { epochMs, omitNulls, sql } from "@/lib/database/sql";
import { AppError, badRequest, notFound } from "@/lib/errors";
import { change, changeByStatement, changeUnannounced } from "@/lib/events/change-transaction";
import { newId } from "@/lib/ids";
import { seal, unseal } from "@/lib/keys/crypto";
import { hashSecret } from "@/lib/keys/secret-tokens";
import { consumeAttempt } from "@/lib/owners/fixed-window-limiter";
import { describeDevice } from "@/lib/owners/user-agent";
import { showMessage } from "./alert-message";
import { lockAlertCursor } from "./lock-alert-cursor";
import { type PushResult, sendPush } from "./push";
import {
  type CloseMessage,
  type DeviceSummary,
  NewSubscription,
  type RenewedSubscription,
  type ShowMessage,
} from "./push-schema";

type BrowserSession = OwnerActor & { session: string };

/** The maximum number of browsers per owner. */
const maxDevices = 20;

/**
 * Adds this browser to the owner's alert devices until its session ends. A repeated call records
 * that the browser is still in use.
 * @param userAgent the browser's User-Agent header
 * @throws {AppError} 400 for an invalid push subscription, or if the owner has too many browsers
 */
export async function addDevice(
  { ownerId, session }: BrowserSession,
  device: NewSubscription,
  userAgent: string,
): Promise<void> {
  const given = NewSubscription.parse(device);
  const endpoint = pushAddress(given.endpoint);
  const [plain, hash] = [plainOf(given), hashOf(given)];
  // Another owner who used this browser before has signed out, so their alerts must not appear here.
  await inOtherShards(ownerId, () => sql`DELETE FROM push_subscription WHERE hash = ${hash}`.run());
  await change({ ownerId }, async (tx) => {
    await lockAlertCursor(tx, ownerId);
    const others = await tx.pushSubscription.count({ where: { ownerId, NOT: { hash } } });
    if (others >= maxDevices)
      throw badRequest(
        `Alerts are on in ${maxDevices} browsers, which is the limit. Remove a browser first.`,
        "endpoint",
      );
    await tx.pushSubscription.deleteMany({ where: { hash, NOT: { ownerId } } });
    const id = newId("psh");
    const sealed = seal("push-subscription", plain, id);
    await sql`
      INSERT INTO push_subscription (id, owner_id, session_id, hash, sealed, service, device)
      VALUES (
        ${id}, ${ownerId}, ${session}, ${hash}, ${sealed}, ${endpoint.host},
        ${describeDevice(userAgent)}
      )
      ON CONFLICT (hash) DO UPDATE SET
        session_id = excluded.session_id, device = excluded.device, last_seen_at = now()`.run(tx);
  });
}

/**
 * Records that a browser is still in use in its current session.
 * @returns whether the browser shows the owner's alerts
 */
export async function checkInDevice({ ownerId, session }: BrowserSession, device: NewSubscription): Promise<boolean> {
  const hash = hashOf(NewSubscription.parse(device));
  // Open pages are not notified, because every page load runs this statement.
  const seen = await changeUnannounced(sql`
    UPDATE push_subscription
    SET session_id = ${session}, last_seen_at = now()
    WHERE hash = ${hash} AND owner_id = ${ownerId}`);
  return seen > 0;
}

/**
 * Replaces a browser's push address after the push service changed it. Only that browser knows the
 * old address and its keys, so the call adds no destination and needs no recent sign-in.
 * @returns whether the old address was the owner's and was replaced
 * @throws {AppError} 400 for an invalid push subscription
 */
export async function renewDevice(
  { ownerId, session }: BrowserSession,
  { oldEndpoint, oldP256dh, oldAuth, ...now }: RenewedSubscription,
): Promise<boolean> {
  const { host } = pushAddress(now.endpoint);
  const before = hashOf({ endpoint: oldEndpoint, p256dh: oldP256dh, auth: oldAuth });
  const known = await db.pushSubscription.findFirst({ where: { ownerId, hash: before }, select: { id: true } });
  if (!known) return false;
  const sealed = seal("push-subscription", plainOf(now), known.id);
  const renewed = await sql`
    UPDATE push_subscription
    SET hash = ${hashOf(now)}, sealed = ${sealed}, service = ${host}, session_id = ${session},
      last_seen_at = now()
    WHERE id = ${known.id}
      AND hash = ${before}
      AND NOT EXISTS (SELECT FROM push_subscription WHERE hash = ${hashOf(now)})`.run();
  return renewed > 0;
}

const plainOf = ({ endpoint, p256dh, auth }: NewSubscription) =>
  JSON.stringify({ endpoint: URL.canParse(endpoint) ? new URL(endpoint).href : endpoint, p256dh, auth });
const hashOf = (device: NewSubscription) => new Uint8Array(hashSecret(plainOf(device)));

/**
 * Returns a push service's address as a URL.
 * @throws {AppError} 400 if no push service can have this address
 */
function pushAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const allowed = url && (url.protocol === "https:" || env().allowPrivateFetch.includes(url.origin));
  if (!url || !allowed || url.username || url.password)
    throw badRequest("Must be the https address of a push service", "endpoint");
  return url;
}

/**
 * Lists the browsers that show the owner's alerts: the requesting browser first, then the most
 * recently added.
 */
export async function listDevices({ ownerId, session }: BrowserSession): Promise<DeviceSummary[]> {
  const devices = sql<DeviceSummary>`
    SELECT id, device, ${epochMs("created_at")} AS "createdAt",
      ${epochMs("last_delivered_at")} AS "toldAt", session_id = ${session} AS current
    FROM push_subscription
    WHERE owner_id = ${ownerId}
    ORDER BY current DESC, id DESC`.rows();
  return (await devices).map(omitNulls);
}

/**
 * Removes a browser.
 * @throws {AppError} 404
 */
export async function removeDevice(owner: OwnerActor, id: string): Promise<void> {
  const removed = await changeByStatement(
    owner,
    sql`
      DELETE FROM push_subscription
      WHERE id = ${id} AND owner_id = ${owner.ownerId}
      RETURNING id`,
  );
  if (removed.length === 0) throw notFound();
}

/**
 * Sends a browser a test alert immediately.
 * @throws {AppError} 404; 429 after ten tests in ten minutes; 502 with the reason if the test
 *   failed
 */
export async function testDevice({ ownerId }: OwnerActor, id: string): Promise<void> {
  const row = await db.pushSubscription.findFirst({ where: { id, ownerId } });
  if (!row) throw notFound();
  await consumeTest("push-test", ownerId);
  const message = showMessage(testWords, `${env().publicUrl}/settings/alerts`, { tag: "test" });
  const result = await sendTo(row, message).catch(() => undefined);
  if (result?.how === "sent") {
    await recordDelivered(id);
    return;
  }
  if (result?.how !== "gone")
    throw new AppError(502, "Couldn’t send the alert to the browser’s push service. Try again later.");
  await db.pushSubscription.deleteMany({ where: { id } });
  throw new AppError(
    502,
    "That browser no longer accepts alerts, so we removed it from your list. Turn on alerts in that browser again.",
  );
}

export const testWords = { title: "Alerts are working", body: "This is the test alert you requested." };

/**
 * Counts a test toward the owner's limit for this kind of test.
 * @throws {AppError} 429 after ten tests in ten minutes
 */
export const consumeTest = (kind: string, ownerId: string) =>
  consumeAttempt(kind, ownerId, { max: 10, seconds: 600 }, "Too many tests. Try again in a few minutes.");

/** Records that a browser received a message. */
export const recordDelivered = (id: string) =>
  sql`UPDATE push_subscription SET last_delivered_at = now() WHERE id = ${id}`.run();

type Sealed = { id: string; sealed: Uint8Array };

/**
 * Sends a message to a browser. A subscription encrypted under another SECRET counts as gone: the
 * VAPID key that it requires is lost too, so the browser has to subscribe again.
 * @throws as sendPush
 */
export async function sendTo({ id, sealed }: Sealed, message: ShowMessage | CloseMessage): Promise<PushResult> {
  let subscription: NewSubscription;
  try {
    subscription = NewSubscription.parse(JSON.parse(unseal("push-subscription", sealed, id)));
  } catch {
    return { how: "gone", status: 0 };
  }
  return sendPush(subscription, message);
}
