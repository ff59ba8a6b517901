import { literal, sql } from "@/lib/database/sql";
import { sqlGauge } from "@/lib/database/sql-gauge";

/** The maximum number of deliveries to count. An exact higher number isn't worth its cost. */
const maxCounted = 10_000;

/** Gauges of the pending and late deliveries to browsers and channels. */
export const backlog = [
  sqlGauge(
    "countersign_alert_pending_deliveries",
    `Pending messages to browsers and alert channels, including retries, counted up to ${maxCounted}.`,
    () => sql`
      SELECT count(*)::int AS value
      FROM (
        SELECT FROM alert_delivery WHERE ended_at IS NULL LIMIT ${literal(maxCounted)}
      ) AS counted`,
  ),
  sqlGauge(
    "countersign_alert_oldest_due_seconds",
    "Age in seconds of the oldest due message to a browser or alert channel, or 0 if no message is due.",
    () => sql`
      SELECT extract(epoch FROM now() - due_at)::float8 AS value
      FROM alert_delivery
      WHERE ended_at IS NULL AND due_at <= now()
      ORDER BY due_at LIMIT 1`,
  ),
];
