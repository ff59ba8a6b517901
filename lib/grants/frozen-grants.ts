import { empty, sql } from "@/lib/database/sql";
import type { Change } from "@/lib/events/change-transaction";

/*
 * Every request reads the row of its grant, so a freeze is stored there, and costs a request
 * nothing. A trigger freezes the grants that are created during a freeze.
 */

/** Returns whether the owner has connected an app. */
export const hasConnected = async (tx: Change, ownerId: string, appId: string): Promise<boolean> =>
  (await sql`SELECT FROM live_grant WHERE owner_id = ${ownerId} AND app_id = ${appId}`.row(tx)) !== undefined;

/**
 * Freezes an owner's live grants that are not frozen yet. From the commit on, every statement
 * rejects the apps' tokens.
 * @param appId the frozen app, or "" for all apps
 * @returns the IDs of the apps that this call froze
 */
export async function freezeGrants(tx: Change, ownerId: string, appId: string, since: Date): Promise<string[]> {
  const frozen = await sql<{ app_id: string }>`
    WITH locked AS MATERIALIZED (
      SELECT id
      FROM app_grant
      WHERE owner_id = ${ownerId} AND revoked_at IS NULL AND frozen_at IS NULL ${ofApp(appId)}
      ORDER BY id
      FOR NO KEY UPDATE
    )
    UPDATE app_grant g
    SET frozen_at = ${since}
    FROM locked
    WHERE g.id = locked.id
    RETURNING g.app_id`.rows(tx);
  return frozen.map(({ app_id }) => app_id).sort();
}

/**
 * Unfreezes an owner's grants.
 * @param appId the app to unfreeze, or "" for all apps
 * @param except the apps that stay frozen
 * @returns the IDs of the apps that this call unfroze
 */
export async function unfreezeGrants(tx: Change, ownerId: string, appId: string, except: string[]): Promise<string[]> {
  const unfrozen = await sql<{ app_id: string }>`
    WITH locked AS MATERIALIZED (
      SELECT id
      FROM app_grant
      WHERE owner_id = ${ownerId}
        AND revoked_at IS NULL
        AND frozen_at IS NOT NULL
        AND NOT app_id = ANY (${except}::text[]) ${ofApp(appId)}
      ORDER BY id
      FOR NO KEY UPDATE
    )
    UPDATE app_grant g
    SET frozen_at = NULL
    FROM locked
    WHERE g.id = locked.id
    RETURNING g.app_id`.rows(tx);
  return unfrozen.map(({ app_id }) => app_id).sort();
}

const ofApp = (appId: string) => (appId === "" ? empty : sql`AND app_id = ${appId}`);
