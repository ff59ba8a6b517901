import { type Executor, sql } from "@/lib/database/sql";
import { KeyError, type StoredKey, sealWithDataKey, unsealWithDataKey } from "@/lib/keys/data-keys";
import type { EncryptedTable } from "@/lib/keys/encrypted-table";
import type { ChannelKind, OpenChannel } from "./channel-interface";
import { channelTypes } from "./channel-types";

/** The description of the channels' encrypted credentials, for `lib/keys`. */
export const sealedChannels: EncryptedTable = {
  table: "alert_channel",
  id: "id",
  about: sql`ARRAY['alert-channel', s.owner_id, s.kind, s.id]`,
  from: sql`alert_channel s`,
  protects: { what: "alert channel", column: "id" },
};

/** The columns of a channel's row that its encrypted credentials are bound to. */
export type ChannelRef = { id: string; ownerId: string; kind: ChannelKind };

/** Returns the context that a channel's credentials are bound to. Must match `sealedChannels`. */
const about = ({ ownerId, kind, id }: ChannelRef) => ["alert-channel", ownerId, kind, id];

/** Encrypts a channel's credentials. @throws {KeyError} if no data key can be decrypted */
export const sealChannel = (tx: Executor, channel: ChannelRef, given: object) =>
  sealWithDataKey(tx, JSON.stringify(given), about(channel));

/**
 * Returns a channel with its decrypted credentials, or why it can't be used. `later`: another
 * instance may have the key. `refused`: only the owner or the operator can fix the problem.
 */
export function openChannel(
  channel: ChannelRef,
  { sealed, key }: { sealed: Uint8Array; key: StoredKey },
): OpenChannel | { how: "refused" | "later"; problem: string } {
  try {
    const plain = unsealWithDataKey(key, sealed, about(channel));
    if (!plain)
      return {
        how: "refused",
        problem: "We can no longer decrypt the channel’s stored credentials. Add the channel again",
      };
    return channelTypes[channel.kind].open(JSON.parse(plain.toString("utf8")));
  } catch (error) {
    if (error instanceof KeyError)
      return {
        how: "later",
        problem: "We couldn’t decrypt the channel’s stored credentials. Ask the operator to check the encryption keys",
      };
    return {
      how: "refused",
      problem: "This service no longer allows the channel’s address. Ask the operator to allow the address",
    };
  }
}
