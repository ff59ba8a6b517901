import { randomBytes } from "node:crypto";

const alphabet = "0123456789abcdefghijklmnopqrstuv";
/** The prefixes of owners' records. */
type OwnerPrefix = "apr" | "ntf" | "int" | "own" | "ses" | "psh" | "alt" | "chn";
/** The prefixes of apps' records. */
type AppPrefix = "app" | "grt" | "tok" | "fam" | "con" | "dev" | "req" | "whk" | "whs" | "whd";
/** The ID prefix of each kind of record. `key` is a data key, `tst` a test. */
export type Prefix = OwnerPrefix | AppPrefix | "key" | "tst";

/**
 * The time of the last ID, and the number of IDs that were created before it in the same
 * millisecond.
 */
const latest = { at: 0, count: 0 };

/**
 * Creates a URL-safe ID that can't be guessed: a prefix, 48 bits of epoch milliseconds, a 16-bit
 * counter and 96 random bits, in lowercase base32hex (RFC 4648 section 7). An instance's IDs sort
 * in the order of their creation.
 */
export function newId(prefix: Prefix, now = Date.now()): string {
  latest.count = now > latest.at ? 0 : (latest.count + 1) & 0xffff;
  latest.at = Math.max(now, latest.at);
  const bytes = Buffer.allocUnsafe(20);
  bytes.writeUIntBE(latest.at, 0, 6);
  bytes.writeUInt16BE(latest.count, 6);
  random(12).copy(bytes, 8);
  let text = `${prefix}_`;
  for (let index = 0; index < 20; index += 5) {
    const high = bytes.readUInt32BE(index);
    const low = bytes[index + 4] as number;
    for (let shift = 27; shift >= 2; shift -= 5) text += alphabet[(high >>> shift) & 31];
    text += alphabet[((high & 3) << 3) | (low >>> 5)] as string;
    text += alphabet[low & 31] as string;
  }
  return text;
}

/**
 * Random bytes, generated for many IDs at a time, because each call costs far more than its bytes.
 * No byte is used twice.
 */
const drawn = { bytes: Buffer.alloc(0), used: 0 };

function random(count: number): Buffer {
  if (drawn.used + count > drawn.bytes.length) {
    drawn.bytes = randomBytes(count * 256);
    drawn.used = 0;
  }
  drawn.used += count;
  return drawn.bytes.subarray(drawn.used - count, drawn.used);
}

/** Whether a text has the form of our IDs. Otherwise, no query is needed. */
export const isId = (prefix: Prefix, text: string) =>
  text.length === 36 && text.startsWith(`${prefix}_`) && /^[a-z]{3}_[0-9a-v]{32}$/.test(text);
