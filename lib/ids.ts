import { randomBytes } from "node:crypto";
import { clock } from "@/lib/clock";
import { drawHome, homeOf, homeText } from "@/lib/database/shards/homes";

const alphabet = "0123456789abcdefghijklmnopqrstuv";
/**
 * The ID prefixes of records whose ID comes back to the service without the owner's ID. These IDs
 * contain the owner's home.
 */
type HomedPrefix = "alt" | "chn";
/** The ID prefixes of owners' records. */
type OwnerPrefix = HomedPrefix | "apr" | "ntf" | "int" | "own" | "ses" | "psh";
/** The ID prefixes of apps' records. */
type AppPrefix = "app" | "grt" | "tok" | "fam" | "con" | "dev" | "req" | "whk" | "whs" | "whd";
/** The ID prefix of each kind of record. `key` is a data key, `tst` a test event or message. */
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
export function newId(prefix: Exclude<Prefix, HomedPrefix | "own">, now = clock.now()): string {
  latest.count = now > latest.at ? 0 : (latest.count + 1) & 0xffff;
  latest.at = Math.max(now, latest.at);
  return idText(prefix, latest.at, latest.count);
}

/**
 * Creates the ID of a new owner. Instead of the counter, the ID contains the owner's home, so the
 * IDs of owners created in the same millisecond are in no order.
 */
export const newOwnerId = (home = drawHome()): string => idText("own", now(), home << 4);

/** The current time, or the time of the last ID if the clock was set back. */
const now = () => Math.max(clock.now(), latest.at);

/** Creates the ID of an owner's record. Instead of the counter, the ID contains the owner's home. */
export const newHomedId = (prefix: HomedPrefix, { ownerId }: { ownerId: string }): string =>
  idText(prefix, now(), homeOf(ownerId) << 4);

/** Returns the two digits of an owner's home, for a text that comes back from elsewhere. */
export const homeDigitsOf = ({ ownerId }: { ownerId: string }): string => homeText(homeOf(ownerId));

/**
 * @param middle the 16 bits after the time. The first two are 0 in an ID with a home, so that the
 *   home's ten bits are the digits 10 and 11.
 */
function idText(prefix: Prefix, at: number, middle: number): string {
  const bytes = Buffer.allocUnsafe(20);
  bytes.writeUIntBE(at, 0, 6);
  bytes.writeUInt16BE(middle, 6);
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
 * Random bytes, generated for many IDs at a time, because the call costs far more than the bytes.
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

/**
 * Returns whether a text has the form of our IDs. Any other text can be rejected without a query.
 */
export const isId = (prefix: Prefix, text: string) =>
  text.length === 36 && text.startsWith(`${prefix}_`) && /^[a-z]{3}_[0-9a-v]{32}$/.test(text);
