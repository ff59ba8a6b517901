import type { OwnerActor } from "@/lib/actor";
import { isAppActive } from "@/lib/apps/app-sql-for-other-domains";
import { clock } from "@/lib/clock";
import { empty, epochMs, omitNulls, sql } from "@/lib/database/sql";
import { AppError, notFound, unavailable } from "@/lib/errors";
import { changeByStatement } from "@/lib/events/change-transaction";
import { isId, newId } from "@/lib/ids";
import { consumeAttempt } from "@/lib/owners/fixed-window-limiter";
import { firstPage } from "@/lib/text/record-search";
import { isOneDatabase, onReachableShards } from "./deliveries-by-shard";
import { getEndpoint } from "./endpoints";
import type { Delivery, DeliveryFilter, DeliveryPage, WholeDelivery } from "./schema";
import { webhookBody } from "./webhook-body";

const pageSize = 30;
/**
 * How long the owner's page waits for an attempt that the owner requested, and how often it checks,
 * in milliseconds.
 */
const [waitMs, lookMs] = [6000, 60];

/**
 * Returns a page of deliveries to one of the owner's endpoints, latest first. A delivery is deleted
 * seven days after it ends. The page lacks the deliveries in a database that is away.
 * @throws {AppError} 404
 */
export async function listDeliveries(
  owner: OwnerActor,
  endpointId: string,
  { state, before }: DeliveryFilter = {},
): Promise<DeliveryPage> {
  await getEndpoint(owner, endpointId);
  const page = sql<Delivery>`
    SELECT ${columns}
    FROM webhook_delivery d ${latest}
    WHERE d.endpoint_id = ${endpointId}
      AND (${state ?? null}::text IS NULL OR d.state = ${state ?? null})
      AND (${before ?? null}::text IS NULL OR d.id < ${before ?? null})
    ORDER BY d.id DESC LIMIT ${pageSize + 1}`;
  const { results, isComplete } = await onReachableShards(() => page.rows());
  const [first = [], ...others] = results;
  const found = others.length === 0 ? first : [first, ...others].flat().sort(latestFirst);
  return { ...firstPage(found.map(omitNulls), pageSize), isComplete };
}

/** The order of IDs, which begin with their time, is the same as in each shard's statement. */
const latestFirst = (a: Delivery, b: Delivery) => (a.id < b.id ? 1 : -1);

/**
 * Returns one delivery with its attempts and its body.
 * @throws {AppError} 404; 503 if the delivery may be in a database that is away
 */
export async function getDelivery(owner: OwnerActor, id: string): Promise<WholeDelivery> {
  if (!isId("whd", id)) throw notFound();
  // With several databases, the work is not the endpoint owner's, so the owner is checked afterwards.
  const isOwn = isOneDatabase() ? sql`AND ep.owner_id = ${owner.ownerId}` : empty;
  const delivery = sql<WholeDelivery>`
    SELECT ${columns}, d.endpoint_id AS "endpointId", d.body,
      coalesce(
        (
          SELECT json_agg(${attempt} ORDER BY w.number DESC)
          FROM webhook_attempt w
          WHERE w.owner_id = d.owner_id AND w.delivery_id = d.id
        ),
        '[]'
      ) AS tries
    FROM webhook_delivery d
      JOIN webhook_endpoint ep
        ON ep.id = d.endpoint_id ${isOwn} AND ${isAppActive(sql`ep.app_id`)} ${latest}
    WHERE d.id = ${id}`;
  const { results, isComplete } = await onReachableShards(() => delivery.rows());
  const [found] = results.flat();
  if (!found) throw isComplete ? notFound() : unavailable();
  if (!isOneDatabase()) await getEndpoint(owner, found.endpointId);
  return omitNulls(found);
}

/**
 * Sends a test event to one of the owner's endpoints.
 * @returns the delivery's ID
 * @throws {AppError} 404; 409 while the endpoint is off; 429 after thirty test events and resends
 *   in ten minutes
 */
export async function sendTest(owner: OwnerActor, endpointId: string): Promise<{ id: string }> {
  await requireOn(owner, endpointId);
  const id = newId("whd");
  const event = newId("tst");
  const content = {
    event,
    type: "webhook.test",
    at: clock.now(),
    owner: owner.ownerId,
    data: { endpoint: endpointId },
  };
  await changeByStatement(
    owner,
    sql`
      INSERT INTO webhook_delivery (id, endpoint_id, owner_id, event, type, body)
      VALUES (
        ${id}, ${endpointId}, ${owner.ownerId}, ${event}, ${content.type}, ${webhookBody(content)}
      )
      RETURNING id`,
  );
  return { id };
}

/**
 * Sends a delivered or failed event again. If the attempt fails, the whole retry schedule starts
 * again. The delivery keeps its `webhook-id`, by which the receiver can detect a duplicate.
 * @throws {AppError} 404; 409 if the delivery is pending, its body was deleted, or its endpoint is
 *   off; 429
 */
export async function resend(owner: OwnerActor, id: string): Promise<void> {
  const { endpointId } = await getDelivery(owner, id);
  await requireOn(owner, endpointId);
  const again = sql`
    UPDATE webhook_delivery
    SET state = 'pending', ended_at = NULL, due_at = now(), former_attempts = attempts
    WHERE id = ${id} AND state <> 'pending' AND body <> ''
    RETURNING id`;
  const { results } = await onReachableShards(() => changeByStatement(owner, again));
  if (results.flat().length === 0)
    throw new AppError(
      409,
      "This delivery can’t be resent. Either the delivery is already pending, or the app may not read the event.",
    );
}

async function requireOn(owner: OwnerActor, endpointId: string) {
  const { state } = await getEndpoint(owner, endpointId);
  if (state !== "on") throw new AppError(409, "The webhook is off. Turn on the webhook first.");
  const limit = { max: 30, seconds: 600 };
  await consumeAttempt(
    "webhook-try",
    endpointId,
    limit,
    "Too many test events and resends. Try again in a few minutes.",
  );
}

/**
 * Waits a few seconds until a delivery has more than `before` attempts.
 * @returns the delivery, whether or not it has another attempt
 */
export async function awaitAttempt(owner: OwnerActor, id: string, before = 0): Promise<WholeDelivery> {
  const until = clock.elapsed() + waitMs;
  for (;;) {
    const delivery = await getDelivery(owner, id);
    if (delivery.attempts > before || delivery.state === "dropped" || clock.elapsed() > until) return delivery;
    await clock.pause(lookMs);
  }
}

/** SQL: an attempt `w` as JSON, without its NULL columns. */
const attempt = sql`json_strip_nulls(json_build_object(
  'number', w.number, 'at', extract(epoch FROM w.at) * 1000, 'ms', w.ms, 'status', w.status,
  'problem', w.problem
))`;
const columns = sql`d.id, d.event, d.type, d.state, d.attempts,
  ${epochMs("d.created_at")} AS "createdAt",
  CASE WHEN d.state = 'pending' THEN ${epochMs("d.due_at")} END AS "dueAt",
  l.latest`;
const latest = sql`
    LEFT JOIN LATERAL (
      SELECT ${attempt} AS latest
      FROM webhook_attempt w
      WHERE w.owner_id = d.owner_id AND w.delivery_id = d.id
      ORDER BY w.number DESC LIMIT 1
    ) AS l ON true`;
