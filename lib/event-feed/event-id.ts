import { createCipheriv, createDecipheriv } from "node:crypto";
import { key } from "@/lib/keys/crypto";

/**
 * An event's position in the log. Both parts are text, because they may be too large for a number.
 */
export type Position = { tx: string; id: string };

/** The position before all events. */
export const startOfLog: Position = { tx: "0", id: "0" };

const alphabet = "0123456789abcdefghijklmnopqrstuv";

/**
 * Returns an event's ID for apps: `evt_`, and the event's log position encrypted as one AES-256
 * block. An event always has the same ID. The ID can't be forged, and reveals nothing about the
 * number of other owners' events.
 */
export function eventId({ tx, id }: Position): string {
  const block = Buffer.alloc(16);
  block.writeBigUInt64BE(BigInt(tx), 0);
  block.writeBigUInt64BE(BigInt(id), 8);
  const cipher = createCipheriv("aes-256-ecb", key("event-id"), null).setAutoPadding(false);
  let rest = BigInt(`0x${cipher.update(block).toString("hex")}`);
  let text = "";
  for (let digit = 0; digit < 26; digit++, rest >>= 5n) text = alphabet[Number(rest & 31n)] + text;
  return `evt_${text}`;
}

/**
 * Returns the position that an ID encodes, if the ID is one of ours. Only the database knows
 * whether the position has an event.
 */
export function readEventId(text: string): Position | undefined {
  if (!/^evt_[0-7][0-9a-v]{25}$/.test(text)) return undefined;
  let value = 0n;
  for (const letter of text.slice(4)) value = (value << 5n) | BigInt(alphabet.indexOf(letter));
  const decipher = createDecipheriv("aes-256-ecb", key("event-id"), null).setAutoPadding(false);
  const block = decipher.update(Buffer.from(value.toString(16).padStart(32, "0"), "hex"));
  const id = block.readBigInt64BE(8);
  return id < 0n ? undefined : { tx: block.readBigUInt64BE(0).toString(), id: id.toString() };
}
