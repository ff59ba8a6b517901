import type { OwnerActor } from "@/lib/actor";
import { closeApp } from "@/lib/apps/apps";
import { closeRegistration, type Manager } from "@/lib/apps/registration";
import { change } from "@/lib/events/change";
import { revokeGrantsTo } from "./account-deletion";

/**
 * Deletes an app. No one can connect it again, and every owner's grant to it ends, so its next call
 * returns 401. Its questions and answers are kept.
 * @throws {AppError} 404
 */
export const deleteApp = (owner: OwnerActor, clientId: string): Promise<void> =>
  change(owner, async (tx) => {
    await closeApp(tx, owner.ownerId, clientId);
    await revokeGrantsTo(tx, [clientId]);
  });

/**
 * Deletes a registration. No one can connect the client again, and every owner's grant to it ends
 * (RFC 7592 section 2.3).
 * @throws {Unauthorized} as readRegistration
 */
export const deleteRegistration = (manager: Manager): Promise<void> =>
  change(null, async (tx) => {
    await closeRegistration(tx, manager);
    await revokeGrantsTo(tx, [manager.clientId]);
  });
