import { appName } from "@/lib/apps/app-sql-for-other-domains";
import { acquireTimeoutMs, poolTimeoutError } from "@/lib/database/partitioned-pool";
import { empty, type Sql, sql } from "@/lib/database/sql";
import { type Change, change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { notifyOwner } from "@/lib/events/service-notification";
import { Batcher } from "@/lib/work/batcher";
import {
  hasEndpointsHere,
  isOneDatabase,
  onReachableShards,
  onTheirShards,
  withEndpointOwner,
} from "./deliveries-by-shard";
import { countFailure, forgetFailures, hasFailedForDays } from "./endpoint-failures";
import type { DueDelivery } from "./lease-deliveries";
import { nextAttemptIn } from "./retry-schedule";
import type { DisabledReason } from "./schema";
import type { AttemptResult } from "./send-webhook";

type Result = Exclude<AttemptResult, { how: "unsigned" }>;
type Failure = Extract<Result, { how: "failed" }>;
type Success = { it: DueDelivery; status: number; ms: number };

/**
 * Returns a function that records the result of an attempt and the time of the next one, if this
 * sender still holds the lease. Successes are recorded in batches. `ms` is how long the attempt
 * took, in milliseconds.
 */
export function attemptRecorder(lease: string): (delivery: DueDelivery, result: Result, ms: number) => Promise<void> {
  const successes = new Batcher<Success, void>({
    ...{ concurrency: 2, maxBatch: { items: 64, bytes: Number.POSITIVE_INFINITY } },
    ...{ timeoutMs: acquireTimeoutMs(), timeoutError: poolTimeoutError, fairnessKey: () => "", bytes: () => 0 },
    acquire: async () => async (batch) => {
      await onTheirShards(
        batch,
        ({ it }) => it.ownerId,
        (some) => recordSuccesses(lease, some),
      );
      return batch.map(() => undefined);
    },
  });
  return (delivery, result, ms) =>
    result.how === "delivered"
      ? successes.add({ it: delivery, status: result.status, ms })
      : recordFailure(lease, delivery, result, ms);
}

const column = <T extends string | number>(all: readonly Success[], of: (one: Success) => T) => all.map(of);

const recoveredHere = sql`, recovered AS (
      SELECT ep.id
      FROM webhook_endpoint ep
      WHERE ep.id IN (SELECT endpoint_id FROM mine) AND ep.failures > 0
      ORDER BY ep.id
      FOR NO KEY UPDATE
    ), counted AS (
      UPDATE webhook_endpoint ep
      SET failures = 0, failing_since = NULL
      FROM recovered
      WHERE ep.id = recovered.id
    )`;

async function recordSuccesses(lease: string, all: readonly Success[]): Promise<void> {
  const isHere = hasEndpointsHere();
  await sql`
    WITH mine AS (
      UPDATE webhook_delivery d
      SET attempts = d.attempts + 1, lease = NULL, lease_until = NULL, state = 'delivered',
        ended_at = now()
      FROM unnest(
        ${column(all, ({ it: delivery }) => delivery.id)}::text[],
        ${column(all, ({ it: delivery }) => delivery.now)}::float8[],
        ${column(all, ({ ms }) => Math.round(ms))}::int[],
        ${column(all, ({ status }) => status)}::int[]
      ) AS n(id, at, ms, status)
      WHERE d.id = n.id AND d.lease = ${lease}
      RETURNING d.id, d.owner_id, d.endpoint_id, d.attempts, d.type, d.body, n.at, n.ms, n.status
    ), noted AS (
      INSERT INTO webhook_attempt (owner_id, delivery_id, number, at, ms, status)
      SELECT owner_id, id, attempts, to_timestamp(at / 1000), ms, status
      FROM mine
    )${isHere ? recoveredHere : empty}
    -- Records that the app has received the delivered answer.
    SELECT approval_mark_delivered(body::"json" #>> '{data,id}')
    FROM mine
    WHERE type = 'approval.resolved'`.rows();
  if (!isHere) await forgetFailures(all.flatMap(({ it }) => (it.failing ? it.endpointId : [])));
}

const countedHere = (attemptedAt: Sql) => sql`, counted AS (
      UPDATE webhook_endpoint ep
      SET failures = ep.failures + 1, failing_since = coalesce(ep.failing_since, ${attemptedAt})
      FROM mine
      WHERE ep.id = mine.endpoint_id
      RETURNING ${hasFailedForDays} AS long
    )
    SELECT long
    FROM counted`;

async function recordFailure(lease: string, delivery: DueDelivery, result: Failure, ms: number): Promise<void> {
  const pause = result.gone ? undefined : nextAttemptIn(delivery.tried + 1, result.retryAfter);
  const state = pause === undefined ? "failed" : "pending";
  const attemptedAt = sql`to_timestamp(${delivery.now}::float8 / 1000)`;
  const isHere = hasEndpointsHere();
  const recorded = await sql<{ long: boolean | null }>`
    WITH mine AS (
      UPDATE webhook_delivery d
      SET attempts = d.attempts + 1, lease = NULL, lease_until = NULL,
        due_at = now() + make_interval(secs => ${pause ?? 0}::float8), state = n.state,
        ended_at = CASE WHEN n.state <> 'pending' THEN now() END
      -- There is no next attempt if the endpoint was turned off in the meantime.
      FROM (
        SELECT CASE
          WHEN ${state}::text = 'pending' AND ep.state <> 'on' THEN 'dropped'
          ELSE ${state}::text
        END AS state
        FROM webhook_endpoint ep
        WHERE ep.id = ${delivery.endpointId}
      ) AS n
      WHERE d.id = ${delivery.id} AND d.lease = ${lease}
      RETURNING d.id, d.owner_id, d.endpoint_id, d.attempts
    ), noted AS (
      INSERT INTO webhook_attempt (owner_id, delivery_id, number, at, ms, status, problem)
      SELECT owner_id, id, attempts, ${attemptedAt}, ${Math.round(ms)}::int,
        ${result.status ?? null}::int, ${result.problem}::text
      FROM mine
    )${isHere ? countedHere(attemptedAt) : sql` SELECT NULL AS long FROM mine`}`.row();
  const ended = isHere || !recorded ? recorded : await countFailure(delivery.endpointId, attemptedAt);
  if (result.gone) await disableEndpoint(delivery.endpointId, "gone");
  else if (state === "failed" && ended?.long) await disableEndpoint(delivery.endpointId, "failing");
}

/**
 * Cancels a delivery that may no longer be sent. Deletes the delivery's body if no attempt was
 * made.
 */
export const cancelDelivery = (lease: string, id: string) =>
  sql`UPDATE webhook_delivery SET ${dropped} WHERE id = ${id} AND lease = ${lease}`.run();

const dropped = sql`state = 'dropped', ended_at = now(), lease = NULL, lease_until = NULL,
  body = CASE WHEN attempts = 0 THEN '' ELSE body END`;

/** Cancels the pending deliveries of an endpoint, except those with a running attempt. */
export const cancelPending = (endpointId: string) =>
  sql`
    UPDATE webhook_delivery
    SET ${dropped}
    WHERE endpoint_id = ${endpointId}
      AND state = 'pending'
      AND (lease IS NULL OR lease_until <= now())`;

/**
 * Disables an endpoint and notifies its owner, once. With several databases, the three steps are
 * separate transactions, of which the first decides. If the process ends between them, the owner
 * is not notified, but the Developer page shows the reason.
 */
export async function disableEndpoint(endpointId: string, reason: DisabledReason): Promise<void> {
  const turnOff = sql<Disabled>`
    UPDATE webhook_endpoint ep
    SET state = 'disabled', disabled_reason = ${reason}
    WHERE ep.id = ${endpointId} AND ep.state = 'on'
    RETURNING ep.owner_id AS "ownerId", ep.app_id AS "appId", ep.url,
      ${appName(sql`ep.app_id`)} AS name`;
  if (isOneDatabase()) {
    await change(null, async (tx) => {
      const off = await turnOff.row(tx);
      if (!off) return;
      await cancelPending(endpointId).run(tx);
      await notifyOfDisabled(tx, off, endpointId, reason);
    });
    return;
  }
  const off = await turnOff.row();
  if (!off) return;
  await withEndpointOwner(off.ownerId, () => change(null, (tx) => notifyOfDisabled(tx, off, endpointId, reason)));
  await onReachableShards(() => cancelPending(endpointId).run());
}

type Disabled = { ownerId: string; appId: string; url: string; name: string };

async function notifyOfDisabled(
  tx: Change,
  { ownerId, appId, url, name }: Disabled,
  endpointId: string,
  reason: DisabledReason,
): Promise<void> {
  const { host } = new URL(url);
  await record(tx, { ownerId, appId, type: "webhook.disabled", subject: endpointId, data: { host, reason } });
  const body = `${whyDisabled[reason]} We stopped sending events to ${host}. ${name} can read the missed events at /api/events. After you fix the problem, turn on the webhook again on the Developer page.`;
  await notifyOwner(tx, { ownerId, title: `A webhook for ${name} was turned off`, body, type: "webhook" });
}

const whyDisabled: Record<DisabledReason, string> = {
  gone: "The endpoint responded with 410 Gone.",
  failing: "The endpoint accepted no events for three days.",
  secret: "We can no longer decrypt the webhook’s signing secret. To fix the problem, create a new secret.",
};
