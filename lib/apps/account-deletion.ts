import { sql } from "@/lib/database/sql";
import type { Change } from "@/lib/events/change-transaction";

/**
 * Deactivates the apps that an owner registered, when the owner's account is deleted. No one can
 * connect them again.
 * @returns the apps' IDs
 */
export async function deactivateAppsOf(tx: Change, ownerId: string): Promise<string[]> {
  const ended = await sql<{ id: string }>`
    UPDATE app
    SET deleted_at = coalesce(deleted_at, now()), owner_id = NULL, secret_hash = NULL,
      secret_last4 = NULL, old_secret_hash = NULL, old_secret_last4 = NULL, old_secret_until = NULL,
      redirect_uris = '{}'
    WHERE owner_id = ${ownerId}
    RETURNING id`.rows(tx);
  return ended.map(({ id }) => id);
}

/**
 * Deletes deactivated apps, in the directory.
 * @param but the IDs of apps whose names are still displayed
 */
export const deleteApps = (ids: string[], but: string[]) =>
  sql`DELETE FROM app WHERE id = ANY (${ids}) AND NOT id = ANY (${but})`.run();
