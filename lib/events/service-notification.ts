import { sql } from "@/lib/database/sql";
import { newId } from "@/lib/ids";
import { affects, type Change } from "./change-transaction";

/**
 * The client ID of notifications from the service. No app has this ID, so no app can read these
 * notifications.
 */
export const serviceClientId = "countersign";

/**
 * Sends the owner a notification from this service, in the transaction of the change that the
 * notification is about.
 * @param note its `type` is the notification's label in the feed; with `priority`, the owner also
 *   gets an alert
 * @returns the notification's ID
 */
export async function notifyOwner(
  tx: Change,
  note: { ownerId: string; title: string; body: string; type: string; priority?: "high" },
): Promise<string> {
  const id = newId("ntf");
  const { ownerId, title, body, type, priority } = note;
  const data = JSON.stringify(priority ? { inbox: { priority } } : {});
  await sql`
    INSERT INTO own_notification (id, owner_id, app_id, title, body, type, data)
    VALUES (
      ${id}, ${ownerId}, ${serviceClientId}, ${title}, ${body}, ${type}, ${data}::"json"
    )`.run(tx);
  affects(tx, ownerId);
  return id;
}
