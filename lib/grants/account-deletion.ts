import { type Sql, sql } from "@/lib/database/sql";
import type { Change } from "@/lib/events/change";
import { record } from "@/lib/events/events";

/** End all grants to apps that end, and tell who gave them. @param but an owner who leaves: theirs go without a word */
export async function revokeGrantsTo(tx: Change, appIds: string[], but = ""): Promise<void> {
  const ended = await sql<{ subject: string; ownerId: string; appId: string }>`UPDATE app_grant SET revoked_at = now()
    WHERE app_id = ANY (${appIds}) AND revoked_at IS NULL AND owner_id <> ${but}
    RETURNING id AS subject, owner_id AS "ownerId", app_id AS "appId"`.rows(tx);
  await record(tx, ...ended.map((it) => ({ ...it, type: "grant.revoked", data: { deleted: true } }) as const));
}

/** Whether anybody ever let in an app, and has not left. */
export const wasEverConnected = (appId: Sql): Sql => sql`EXISTS (SELECT FROM app_grant g WHERE g.app_id = ${appId})`;
