import { deletedApps } from "@/lib/apps/expiry-rules";
import { sql } from "@/lib/database/sql";
import { type Change, change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";

/** Ends all grants to deleted apps, and records the end for the grants' owners. */
export async function revokeGrantsTo(tx: Change, appIds: string[]): Promise<void> {
  const ended = await sql<{ subject: string; ownerId: string; appId: string }>`
    UPDATE app_grant
    SET revoked_at = now()
    WHERE app_id = ANY (${appIds}) AND revoked_at IS NULL
    RETURNING id AS subject, owner_id AS "ownerId", app_id AS "appId"`.rows(tx);
  await record(tx, ...ended.map((it) => ({ ...it, type: "grant.revoked", data: { deleted: true } }) as const));
}

/** Returns which of these apps any current owner has ever connected, on one shard. */
export const everConnectedAmong = async (appIds: string[]): Promise<string[]> =>
  (
    await sql<{ id: string }>`
      SELECT DISTINCT app_id AS id
      FROM app_grant
      WHERE app_id = ANY (${appIds})`.rows()
  ).map(({ id }) => id);

/** The maximum number of apps whose grants one run ends. */
const maxApps = 1000;

/**
 * Ends a shard's remaining grants to deleted apps. The deletion of an app skips shards that are
 * away, so with several shards, every instance runs this regularly for each shard.
 */
export async function revokeGrantsToDeletedApps(): Promise<void> {
  const apps = await sql<{ id: string }>`
    SELECT DISTINCT app_id AS id
    FROM app_grant
    WHERE revoked_at IS NULL AND app_id IN (${deletedApps})
    LIMIT ${maxApps}`.rows();
  if (apps.length > 0)
    await change(null, (tx) =>
      revokeGrantsTo(
        tx,
        apps.map(({ id }) => id),
      ),
    );
}
