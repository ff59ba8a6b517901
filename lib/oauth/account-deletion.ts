import { identifier, sql } from "@/lib/database/sql";
import type { Change } from "@/lib/events/change-transaction";

const tables = ["authorization_code", "device_code", "consent_request", "pushed_request"].map(identifier);

/** Deletes the pending authorization requests of these apps, whose owner deletes the account. */
export async function deletePendingRequests(tx: Change, appIds: string[]): Promise<void> {
  for (const table of tables)
    await sql`
      DELETE FROM ${table}
      WHERE app_id = ANY (${appIds})`.run(tx);
}
