import type { OwnerActor } from "@/lib/actor";
import { closeApp } from "@/lib/apps/apps";
import { changeOnAllShards } from "@/lib/events/change-transaction";
import { revokeGrantsTo } from "./revoke-grants-to-apps";

/**
 * Deletes an app, so that no one can connect it again. Every owner's grant to the app ends, and the
 * app's next call returns 401. The app's questions and answers are kept.
 * @throws {AppError} 404
 */
export async function deleteApp(owner: OwnerActor, clientId: string): Promise<void> {
  await changeOnAllShards(
    owner,
    (tx) => closeApp(tx, owner.ownerId, clientId),
    (tx) => revokeGrantsTo(tx, [clientId]),
  );
}
