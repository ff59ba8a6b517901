import { identifier, sql } from "@/lib/database/sql";
import type { Change } from "@/lib/events/change-transaction";

const ofService = ["device_code", "consent_request"];

/** Deletes the pending requests of these apps, whose owner is deleting their account. */
export const deletePendingRequests = (tx: Change, appIds: string[]): Promise<void> => deleteFrom(tx, ofService, appIds);

/** Deletes these apps' unused authorization codes on one shard. */
export const deletePendingCodes = (tx: Change, appIds: string[]): Promise<void> =>
  deleteFrom(tx, ["authorization_code"], appIds);

async function deleteFrom(tx: Change, tables: string[], appIds: string[]): Promise<void> {
  for (const table of tables.map(identifier))
    await sql`
      DELETE FROM ${table}
      WHERE app_id = ANY (${appIds})`.run(tx);
}
