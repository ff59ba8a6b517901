import { type Executor, sql } from "@/lib/database/sql";
import { KeyError, type StoredKey, sealWithDataKey, unsealWithDataKey } from "@/lib/keys/data-keys";
import type { EncryptedTable } from "@/lib/keys/encrypted-tables";
import type { ChannelKind, OpenChannel } from "./schema";
import { channelTypes } from "./types";

/** What opens channels, for `lib/keys`. */
export const sealedChannels: EncryptedTable = {
  table: "alert_channel",
  id: "id",
  about: sql`ARRAY['alert-channel', s.owner_id, s.kind, s.id]`,
  from: sql`alert_channel s`,
  protects: { what: "alert channel", by: "id" },
};

/** A channel's row, as far as it is bound to what is sealed in it. */
export type ChannelRef = { id: string; ownerId: string; kind: ChannelKind };

/** As `sealedChannels` says too. */
const about = ({ ownerId, kind, id }: ChannelRef) => ["alert-channel", ownerId, kind, id];

/** Seal what opens a channel. @throws {KeyError} when no data key can be opened */
export const sealChannel = (tx: Executor, channel: ChannelRef, given: object) =>
  sealWithDataKey(tx, JSON.stringify(given), about(channel));

/** A channel to be used, or why it cannot be. `later`: another copy may be able to. */
export function openChannel(
  channel: ChannelRef,
  { sealed, key }: { sealed: Uint8Array; key: StoredKey },
): OpenChannel | { how: "refused" | "later"; problem: string } {
  try {
    const plain = unsealWithDataKey(key, sealed, about(channel));
    if (!plain) return { how: "refused", problem: "What was stored for it can no longer be decrypted: add it again" };
    return channelTypes[channel.kind].open(JSON.parse(plain.toString("utf8")));
  } catch (error) {
    if (error instanceof KeyError) return { how: "later", problem: "What is stored for it could not be decrypted" };
    return { how: "refused", problem: "Its address is no longer allowed here" };
  }
}
