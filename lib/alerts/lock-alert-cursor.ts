import type { Transaction } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";

/**
 * Locks the owner's `alert_cursor` row before a browser or channel is added; the scheduler locks the
 * same row. Concurrent additions therefore run one after another, and each counts the earlier ones.
 * For the owner's first browser or channel, `since` becomes now, so that earlier questions cause no
 * alerts.
 */
export async function lockAlertCursor(tx: Transaction, ownerId: string): Promise<void> {
  await sql`
    INSERT INTO alert_cursor (owner_id)
    VALUES (${ownerId})
    ON CONFLICT (owner_id) DO UPDATE SET owner_id = excluded.owner_id`.run(tx);
  await sql`
    UPDATE alert_cursor
    SET since = now()
    WHERE owner_id = ${ownerId}
      AND NOT EXISTS (SELECT FROM alert_target t WHERE t.owner_id = ${ownerId})`.run(tx);
}
