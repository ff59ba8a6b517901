import { literal, sql } from "@/lib/database/sql";
import type { Gauge } from "@/lib/telemetry/metrics";

/** Counts stop here, because a higher number is not worth its cost. */
const maxCounted = 10_000;

/** The delay of deliveries to browsers and channels. */
export const backlog: readonly Gauge[] = [
  {
    name: "countersign_alert_pending_deliveries",
    help: `Pending messages to browsers and alert channels, including retries; counted up to ${maxCounted}.`,
    labels: [],
    read: async () => {
      const found = await sql<{ n: number }>`
        SELECT count(*)::int AS n
        FROM (
          SELECT FROM alert_delivery WHERE ended_at IS NULL LIMIT ${literal(maxCounted)}
        ) AS counted`.row();
      return [[found?.n ?? 0]];
    },
  },
  {
    name: "countersign_alert_oldest_due_seconds",
    help: "Age in seconds of the oldest due message to a browser or alert channel; 0 if none is due.",
    labels: [],
    read: async () => {
      const found = await sql<{ seconds: number }>`
        SELECT extract(epoch FROM now() - due_at)::float8 AS seconds
        FROM alert_delivery
        WHERE ended_at IS NULL AND due_at <= now()
        ORDER BY due_at LIMIT 1`.row();
      return [[Math.max(0, found?.seconds ?? 0)]];
    },
  },
];
