import { literal, sql } from "@/lib/database/sql";
import { sqlGauge } from "@/lib/database/sql-gauge";
import type { Gauge } from "@/lib/telemetry/declare-metrics";
import { coalesce } from "@/lib/work/coalesce-calls";
import { hasActiveEndpoint, nextEvent } from "./fan-out";
import { isFrozen } from "./lease-deliveries";

/** Limits at which the counts stop, because exact higher numbers would not be worth their cost. */
const [maxCounted, maxPerEndpoint, maxEndpoints] = [10_000, 1000, 10];

type Behind = { endpoint: string; due: number; seconds: number };

/**
 * Returns the endpoints whose next delivery has been due for the longest time. After a failure, a
 * delivery is due only at its retry time.
 */
const behind = () =>
  sql<Behind>`
    SELECT b.id AS endpoint,
      extract(epoch FROM greatest(now() - b.due_at, interval '0'))::float8 AS seconds,
      (
        SELECT count(*)::int
        FROM (
          SELECT FROM webhook_delivery d
          WHERE d.endpoint_id = b.id
            AND d.state = 'pending'
            AND d.due_at <= now()
            AND NOT ${isFrozen}
          LIMIT ${literal(maxPerEndpoint)}
        ) AS n
      ) AS due
    FROM (
      SELECT ep.id, first.due_at
      FROM webhook_endpoint ep
        CROSS JOIN LATERAL (
          SELECT d.due_at
          FROM webhook_delivery d
          WHERE d.endpoint_id = ep.id
            AND d.state = 'pending'
            AND d.due_at <= now()
            AND NOT ${isFrozen}
          ORDER BY d.due_at, d.id LIMIT 1
        ) AS first
      WHERE ep.state = 'on'
      ORDER BY first.due_at LIMIT ${literal(maxEndpoints)}
    ) AS b`.rows();

/** Both gauges share one query for each shard. */
const once = coalesce<Behind[]>(1, 1000);

/** Gauges that show how far webhook deliveries are behind. */
export const backlog: readonly Gauge[] = [
  sqlGauge(
    "countersign_webhook_pending_deliveries",
    `Pending webhook deliveries, including retries, counted up to ${maxCounted}.`,
    () => sql`
      SELECT count(*)::int AS value
      FROM (
        SELECT FROM webhook_delivery WHERE state = 'pending' LIMIT ${literal(maxCounted)}
      ) AS counted`,
  ),
  {
    name: "countersign_webhook_oldest_due_seconds",
    help: "Age in seconds of the oldest due webhook delivery, or 0 if no delivery is due.",
    labels: [],
    read: async (shard = "") => [[Math.max(0, ...(await once(shard, behind)).map(({ seconds }) => seconds))]],
  },
  {
    name: "countersign_webhook_endpoint_due_deliveries",
    help: `Due deliveries for each of the ${maxEndpoints} endpoints with the oldest due deliveries, counted up to ${maxPerEndpoint} each.`,
    labels: ["endpoint"],
    read: async (shard = "") => (await once(shard, behind)).map(({ endpoint, due }) => [endpoint, due]),
  },
  sqlGauge(
    "countersign_webhook_unread_event_seconds",
    "Age in seconds of the oldest event not yet checked for webhook deliveries, or 0 if every event is checked.",
    () => sql`
      SELECT CASE
        WHEN ${hasActiveEndpoint}
          THEN (SELECT extract(epoch FROM now() - e.created_at)::float8 FROM (${nextEvent}) AS e)
      END AS value
      FROM webhook_cursor c
      WHERE c.id = 1`,
  ),
];
