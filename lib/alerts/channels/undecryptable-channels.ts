import { sql } from "@/lib/database/sql";
import { change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { notifyOwner } from "@/lib/events/service-notification";
import { undecryptable } from "@/lib/keys/encrypted-table";
import { sealedChannels } from "./credential-encryption";

/** Counts the channels whose credentials no key can decrypt. */
export const countUndecryptableChannels = async (): Promise<number> => (await undecryptable(sealedChannels)).size;

/**
 * Removes channels whose credentials no key can decrypt, and notifies their owners.
 * @returns the number of removed channels
 */
export async function removeUndecryptableChannels(): Promise<number> {
  const lost = [...(await undecryptable(sealedChannels)).keys()];
  for (const id of lost)
    await change(null, async (tx) => {
      const gone = await sql<{ owner_id: string; name: string }>`
        DELETE FROM alert_channel
        WHERE id = ${id}
        RETURNING owner_id, name`.row(tx);
      if (!gone) return;
      const { owner_id: ownerId, name } = gone;
      await record(tx, { ownerId, type: "channel.lost", subject: id, data: { name } });
      const body =
        "We can no longer decrypt the channel’s stored credentials. Add the channel again in Settings › Alerts.";
      await notifyOwner(tx, { ownerId, title: `The alert channel ${name} was removed`, body, type: "alerts" });
    });
  return lost.length;
}
