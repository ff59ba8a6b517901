import type { Transaction } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";

/**
 * Hold the row that says how far the owner has been told, before there is one more place to tell them: whoever looks for alerts
 * holds it too, and of two that are added at once the second counts the first. While there was none, nobody was told anything,
 * and what waits from then is old news.
 */
export async function lockAlertCursor(tx: Transaction, ownerId: string): Promise<void> {
  await sql`INSERT INTO alert_watch (owner_id) VALUES (${ownerId})
    ON CONFLICT (owner_id) DO UPDATE SET owner_id = excluded.owner_id`.run(tx);
  await sql`UPDATE alert_watch SET since = now() WHERE owner_id = ${ownerId}
    AND NOT EXISTS (SELECT FROM alert_target t WHERE t.owner_id = ${ownerId})`.run(tx);
}
