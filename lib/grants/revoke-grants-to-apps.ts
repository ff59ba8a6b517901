import { type Sql, sql } from "@/lib/database/sql";
import type { Change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";

/**
 * Ends all grants to deleted apps, and records the end for the grants' owners.
 * @param but the owner whose account is being deleted, and whose own grants are left out
 */
export async function revokeGrantsTo(tx: Change, appIds: string[], but = ""): Promise<void> {
  const ended = await sql<{ subject: string; ownerId: string; appId: string }>`
    UPDATE app_grant
    SET revoked_at = now()
    WHERE app_id = ANY (${appIds}) AND revoked_at IS NULL AND owner_id <> ${but}
    RETURNING id AS subject, owner_id AS "ownerId", app_id AS "appId"`.rows(tx);
  await record(tx, ...ended.map((it) => ({ ...it, type: "grant.revoked", data: { deleted: true } }) as const));
}

/** SQL: whether any current owner has ever connected an app. */
export const wasEverConnected = (appId: Sql): Sql => sql`EXISTS (
  SELECT FROM app_grant g WHERE g.app_id = ${appId}
)`;
