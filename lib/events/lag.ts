import { sql } from "@/lib/database/sql";
import type { Gauge } from "@/lib/telemetry/metrics";
import { isBlocked } from "./event-log";

/** How late apps are told of what happened, since an earlier transaction of somebody is still open (see `isAboveHorizon`). */
export const feedLag: Gauge = {
  name: "countersign_feed_lag_seconds",
  help: "For how long the oldest event has waited that no app may read yet, since an earlier transaction is still open.",
  labels: [],
  read: async () => {
    const found = await sql<{ seconds: number }>`SELECT extract(epoch FROM now() - e.created_at)::float8 AS seconds
      FROM event e WHERE ${isBlocked} ORDER BY e.tx, e.id LIMIT 1`.row();
    return [[Math.max(0, found?.seconds ?? 0)]];
  },
};
