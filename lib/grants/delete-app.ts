import type { OwnerActor } from "@/lib/actor";
import { closeApp } from "@/lib/apps/apps";
import { closeRegistration, type Manager } from "@/lib/apps/registration";
import { type Change, change } from "@/lib/events/change";
import { record } from "@/lib/events/events";
import { sql } from "@/lib/sql";

/**
 * Delete an app: nobody can connect it again, and every owner's grant to it ends, so its next call is 401. What it asked
 * and was answered stays.
 * @throws {AppError} 404
 */
export const deleteApp = (owner: OwnerActor, clientId: string): Promise<void> =>
  change(owner, async (tx) => {
    await closeApp(tx, owner.ownerId, clientId);
    await endGrants(tx, clientId);
  });

/**
 * Delete a registration: nobody can let the client in again, and every owner's grant to it ends (RFC 7592 section 2.3).
 * @throws {Unauthorized} as readRegistration
 */
export const deleteRegistration = (manager: Manager): Promise<void> =>
  change(null, async (tx) => {
    await closeRegistration(tx, manager);
    await endGrants(tx, manager.clientId);
  });

async function endGrants(tx: Change, clientId: string) {
  const grants = await sql<{ id: string; owner_id: string }>`UPDATE app_grant SET revoked_at = now()
    WHERE app_id = ${clientId} AND revoked_at IS NULL RETURNING id, owner_id`.rows(tx);
  const ended = { appId: clientId, type: "grant.revoked", data: { deleted: true } } as const;
  await record(tx, ...grants.map(({ id, owner_id: ownerId }) => ({ ...ended, ownerId, subject: id })));
}
