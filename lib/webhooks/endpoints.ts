import type { OwnerActor } from "@/lib/actor";
import { isAppActive } from "@/lib/apps/app-sql-for-other-domains";
import { getApp } from "@/lib/apps/apps";
import { lockAppForUpdate } from "@/lib/apps/lock-app";
import { db } from "@/lib/database/db";
import { empty, epochMs, omitNulls, type Sql, sql } from "@/lib/database/sql";
import { AppError, notFound } from "@/lib/errors";
import { type Change, change } from "@/lib/events/change-transaction";
import { type EventType, record } from "@/lib/events/record-events";
import { isId, newId } from "@/lib/ids";
import { validate } from "@/lib/text/validate";
import { isOneDatabase, onReachableShards } from "./deliveries-by-shard";
import { deleteDeliveries } from "./finish-removals";
import { cancelPending } from "./record-attempt";
import { NewEndpoint, type WebhookEndpoint } from "./schema";
import { keepNewSecret } from "./signing-secrets";

/** The maximum number of endpoints per app. */
export const maxEndpoints = 10;

/**
 * Creates an endpoint. It receives the later events that the app may read, for all owners who
 * connect the app.
 * @returns the signing secret, which is shown only once
 * @throws {AppError} 400 with a message that names the error; 404 unless the owner registered the
 * app; 409 at the limit of endpoints
 */
export async function addEndpoint(
  owner: OwnerActor,
  clientId: string,
  input: NewEndpoint,
): Promise<{ id: string; secret: string }> {
  const { url, description, types } = validate(NewEndpoint, input);
  await getApp(owner, clientId);
  const { ownerId } = owner;
  const id = newId("whk");
  const secret = await change(owner, async (tx) => {
    await lockAppForUpdate(tx, owner, clientId);
    if ((await tx.webhookEndpoint.count({ where: { appId: clientId } })) >= maxEndpoints)
      throw new AppError(409, `An app can have at most ${maxEndpoints} webhooks. Remove a webhook first.`);
    await tx.webhookEndpoint.create({
      data: { id, ownerId, appId: clientId, url: new URL(url).href, description, types },
    });
    await recordEvent(tx, { id, ownerId, appId: clientId, url }, "webhook.added");
    return keepNewSecret(tx, id);
  });
  return { id, secret };
}

/**
 * Returns the endpoints of one of the owner's registered apps or, by default, of all of them,
 * oldest first.
 */
export const listEndpoints = (owner: OwnerActor, clientId?: string): Promise<WebhookEndpoint[]> =>
  findEndpoints(owner, clientId === undefined ? empty : sql`AND ep.app_id = ${clientId}`);

/**
 * Returns an endpoint of an app that the owner registered.
 * @throws {AppError} 404 if there is none
 */
export async function getEndpoint(owner: OwnerActor, id: string): Promise<WebhookEndpoint> {
  const [endpoint] = isId("whk", id) ? await findEndpoints(owner, sql`AND ep.id = ${id}`) : [];
  if (!endpoint) throw notFound();
  return endpoint;
}

/**
 * Returns the owner of an endpoint, for the operator's commands.
 * @throws {AppError} 404 if there is no such endpoint
 */
export async function managerOf(id: string): Promise<OwnerActor> {
  const row = await db.webhookEndpoint.findFirst({
    where: { id, app: { deletedAt: null } },
    select: { ownerId: true },
  });
  if (!row) throw notFound();
  return { kind: "owner", ownerId: row.ownerId };
}

/**
 * Changes an endpoint.
 * @throws {AppError} 400 with a message that names the error; 404 if there is no such endpoint
 */
export async function changeEndpoint(owner: OwnerActor, id: string, input: NewEndpoint): Promise<void> {
  const { url, description, types } = validate(NewEndpoint, input);
  await changeOwn(owner, id, "webhook.changed", async (tx) => {
    await tx.webhookEndpoint.update({ where: { id }, data: { url: new URL(url).href, description, types } });
  });
}

/**
 * Turns an endpoint on or off. Turning it off cancels its pending deliveries. Events recorded while
 * it is off are never sent.
 * @throws {AppError} 404 if there is no such endpoint
 */
export async function switchEndpoint(owner: OwnerActor, id: string, on: boolean): Promise<void> {
  const state = on ? "on" : "off";
  const begin = async (tx: Change) => {
    await sql`
      UPDATE webhook_endpoint
      SET state = ${state}, disabled_reason = NULL, failures = 0, failing_since = NULL,
        since = event_tx(), since_time = now()
      WHERE id = ${id}`.run(tx);
    // This is also needed when the endpoint is turned on. If an instance failed during an attempt,
    // the delivery stayed pending while the endpoint was off, and must not be sent now. With several
    // databases, deliveries are canceled only after the endpoint is off in the directory.
    if (on || isOneDatabase()) await cancelPending(id).run(tx);
  };
  const cancelEverywhere = async () =>
    void (isOneDatabase() || (await onReachableShards(() => cancelPending(id).run())));
  // Before the endpoint is on, because later deliveries must remain.
  if (on) {
    await getEndpoint(owner, id);
    await cancelEverywhere();
  }
  await changeOwn(owner, id, "webhook.changed", begin, { state });
  if (!on) await cancelEverywhere();
}

/**
 * Creates a new signing secret. For 24 hours, webhooks are also signed with the previous secret.
 * @returns the new secret, which is shown only once
 * @throws {AppError} 404 if there is no such endpoint
 */
export async function rotateEndpointSecret(owner: OwnerActor, id: string): Promise<{ secret: string }> {
  return { secret: await changeOwn(owner, id, "webhook.secret_rotated", (tx) => keepNewSecret(tx, id)) };
}

/**
 * Deletes an endpoint and its deliveries.
 * @throws {AppError} 404 if there is no such endpoint
 */
export async function removeEndpoint(owner: OwnerActor, id: string): Promise<void> {
  const { state } = await getEndpoint(owner, id);
  if (state === "on")
    await sql`
      UPDATE webhook_endpoint
      SET state = 'off'
      WHERE id = ${id} AND state = 'on'`.run();
  // A chore deletes the deliveries in a database that is away.
  await onReachableShards(() => deleteDeliveries(id));
  await changeOwn(owner, id, "webhook.removed", async (tx) => {
    await tx.webhookEndpoint.delete({ where: { id } });
  });
}

/** Locks one of the owner's endpoints, changes it, and records the change. */
async function changeOwn<T>(
  { ownerId }: OwnerActor,
  id: string,
  type: EndpointEvent,
  work: (tx: Change) => Promise<T>,
  data: Record<string, string> = {},
): Promise<Exclude<T, Error>> {
  return change({ ownerId }, async (tx) => {
    const found = await sql<{ app_id: string; url: string }>`
      SELECT ep.app_id, ep.url
      FROM webhook_endpoint ep
      WHERE ep.id = ${id} AND ep.owner_id = ${ownerId} AND ${isAppActive(sql`ep.app_id`)}
      FOR UPDATE OF ep`.row(tx);
    if (!found) throw notFound();
    await recordEvent(tx, { id, ownerId, appId: found.app_id, url: found.url }, type, data);
    return work(tx);
  });
}

type EndpointRef = { id: string; ownerId: string; appId: string; url: string };
type EndpointEvent = Extract<EventType, `webhook.${string}`>;

const recordEvent = (tx: Change, endpoint: EndpointRef, type: EndpointEvent, data: Record<string, string> = {}) =>
  record(tx, {
    ownerId: endpoint.ownerId,
    appId: endpoint.appId,
    type,
    subject: endpoint.id,
    data: { host: new URL(endpoint.url).host, ...data },
  });

async function findEndpoints({ ownerId }: OwnerActor, which: Sql): Promise<WebhookEndpoint[]> {
  const found = await sql<WebhookEndpoint>`
    SELECT ep.id, ep.app_id AS "clientId", ep.url, ep.description, ep.types, ep.state,
      ep.disabled_reason AS "disabledReason", ${epochMs("ep.failing_since")} AS "failingSince",
      ${epochMs("ep.created_at")} AS "createdAt",
      (
        SELECT ${epochMs("s.retires_at")}
        FROM webhook_secret s
        WHERE s.endpoint_id = ep.id AND s.retires_at > now()
        ORDER BY s.retires_at DESC LIMIT 1
      ) AS "oldSecretUntil"
    FROM webhook_endpoint ep
    WHERE ep.owner_id = ${ownerId} AND ${isAppActive(sql`ep.app_id`)} ${which}
    ORDER BY ep.id LIMIT 1000`.rows();
  return found.map(omitNulls);
}
