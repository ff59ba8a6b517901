import { sql } from "@/lib/database/sql";
import { newId } from "@/lib/keys/ids";
import { affects, type Change } from "./change";

/** Stands in the feed where an app's id would: no app has it, so none can ever read what we say. */
export const serviceClientId = "countersign";

/**
 * Say something to the owner ourselves, in their feed between what apps say, in the change that it tells of.
 * @param type how the feed labels it
 * @returns the notification's id
 */
export async function notifyOwner(
  tx: Change,
  note: { ownerId: string; title: string; body: string; type: string },
): Promise<string> {
  const id = newId("ntf");
  const { ownerId, title, body, type } = note;
  await sql`INSERT INTO own_notification (id, owner_id, app_id, title, body, type)
    VALUES (${id}, ${ownerId}, ${serviceClientId}, ${title}, ${body}, ${type})`.run(tx);
  affects(tx, ownerId);
  return id;
}
