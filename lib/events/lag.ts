import { sql } from "@/lib/database/sql";
import type { Gauge } from "@/lib/telemetry/metrics";
import { isBlocked } from "./event-log";

/** The delay of apps' events while an earlier transaction is still open (see `isAboveHorizon`). */
export const feedLag: Gauge = {
  name: "countersign_feed_lag_seconds",
  help: "Age in seconds of the oldest event not yet readable by apps, because an earlier transaction is still open.",
  labels: [],
  read: async () => {
    const found = await sql<{ seconds: number }>`
      SELECT extract(epoch FROM now() - e.created_at)::float8 AS seconds
      FROM event e
      WHERE ${isBlocked}
      ORDER BY e.tx, e.id LIMIT 1`.row();
    return [[Math.max(0, found?.seconds ?? 0)]];
  },
};
