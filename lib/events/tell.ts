import type { Transaction } from "@/lib/db";
import { newId } from "@/lib/keys/ids";

/** Stands in the feed where an app's id would: no app has it, so none can ever read what we say. */
export const ourselves = "countersign";

/**
 * Say something to the owner ourselves, in their feed between what apps say, in the transaction of what it tells of. Call
 * `announce(ownerId)` after the commit.
 * @param type how the feed labels it
 */
export const tellOwner = (
  tx: Pick<Transaction, "notification">,
  note: { ownerId: string; title: string; body: string; type: string },
) => tx.notification.create({ data: { ...note, id: newId("ntf"), appId: ourselves, data: {} } });
