import { sql } from "@/lib/database/sql";
import { sqlGauge } from "@/lib/database/sql-gauge";
import { isBlocked } from "./event-sql-for-other-domains";

/**
 * A gauge: the age of the oldest event that apps can't read yet, because an earlier transaction is
 * still open (see `isBlocked`).
 */
export const feedLag = sqlGauge(
  "countersign_feed_lag_seconds",
  "Age in seconds of the oldest event that apps can't read yet because an earlier transaction is still open.",
  () => sql`
    SELECT extract(epoch FROM now() - e.created_at)::float8 AS value
    FROM event e
    WHERE ${isBlocked}
    ORDER BY e.tx, e.id LIMIT 1`,
);
