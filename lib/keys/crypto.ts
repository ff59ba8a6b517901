import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { crc32 } from "node:zlib";
import { env } from "@/lib/config/env";

/**
 * Kinds of tokens: at access token, rt refresh token, ac authorization code, dc device code, pat
 * personal token, cs client secret.
 */
type AppSecret = "at" | "rt" | "ac" | "dc" | "pat" | "cs";
/** Kinds of links: su setup, sl sign-in, rl reset, hl phone, al answer, ec email confirmation. */
type LinkSecret = "su" | "sl" | "rl" | "hl" | "al" | "ec";
export type SecretKind = AppSecret | LinkSecret;

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Creates a secret: `csn_<kind>_<43 base62 of 32 random bytes><6 base62 of CRC32>` */
export function newSecret(kind: SecretKind, bytes = randomBytes(32)): string {
  const body = toBase62(BigInt(`0x${bytes.toString("hex")}`), 43);
  return `csn_${kind}_${body}${checksum(`${kind}_${body}`)}`;
}

/**
 * Whether the text has the form and the checksum of a secret, so that invalid text is rejected
 * without a query.
 */
export function isSecret(text: string, kinds: readonly SecretKind[]): boolean {
  const parts = /^csn_([a-z]{2,3})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(text);
  if (!parts || !kinds.includes(parts[1] as SecretKind)) return false;
  return checksum(`${parts[1]}_${parts[2]}`) === parts[3];
}

/**
 * Returns a text's CRC-32 in base 62. Uses plain numbers, which are faster than bigints, because
 * every request needs a checksum.
 */
function checksum(text: string): string {
  let sum = "";
  for (let rest = crc32(text); sum.length < 6; rest = Math.floor(rest / 62)) sum = base62[rest % 62] + sum;
  return sum;
}

function toBase62(value: bigint, width: number): string {
  let text = "";
  for (let rest = value; text.length < width; rest /= 62n) text = base62[Number(rest % 62n)] + text;
  return text;
}

/**
 * Returns the stored form of a secret: HMAC-SHA-256 with a pepper that is outside the database, so
 * that nobody can derive tokens from rows.
 */
export const hashSecret = (secret: string): Buffer => createHmac("sha256", key("token-pepper")).update(secret).digest();

/** Derives a 32-byte key for one purpose from the service's SECRET (HKDF-SHA-256, RFC 5869). */
export function key(purpose: string): Buffer {
  const { secret } = env();
  if (derived.from !== secret) Object.assign(derived, { from: secret, keys: new Map() });
  let found = derived.keys.get(purpose);
  if (!found) {
    found = Buffer.from(hkdfSync("sha256", secret, "countersign", purpose, 32));
    derived.keys.set(purpose, found);
  }
  return found;
}
const derived = { from: "", keys: new Map<string, Buffer>() };

/**
 * Signs a value that passes through a browser, with a key that only the service has. The signature
 * has 43 characters (base64url).
 */
export const sign = (purpose: string, value: string): string =>
  createHmac("sha256", key(purpose)).update(value).digest("base64url");

/**
 * Encrypts a text with AES-256-GCM under the purpose's key. The result is a random 96-bit nonce,
 * the ciphertext, and a 128-bit tag.
 * @param about an ID that is authenticated too, so that the value can't be decrypted in another row
 */
export const seal = (purpose: string, text: string, about: string): Buffer => sealWith(key(purpose), text, about);

/**
 * Decrypts a value from `seal`.
 * @throws if the value was changed, or sealed for another purpose, `about` or SECRET
 */
export const unseal = (purpose: string, sealed: Uint8Array, about: string): string =>
  unsealWith(key(purpose), sealed, about).toString("utf8");

/** Like `seal`, under a key that the caller provides. @param aesKey 32 bytes */
export function sealWith(aesKey: Uint8Array, plain: string | Uint8Array, about: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", aesKey, nonce).setAAD(Buffer.from(about));
  return Buffer.concat([nonce, cipher.update(Buffer.from(plain)), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Decrypts a value from `sealWith`.
 * @throws if the value was changed, or sealed with another key or `about`
 */
export function unsealWith(aesKey: Uint8Array, sealed: Uint8Array, about: string): Buffer {
  const all = Buffer.from(sealed);
  const decipher = createDecipheriv("aes-256-gcm", aesKey, all.subarray(0, 12), { authTagLength: 16 })
    .setAAD(Buffer.from(about))
    .setAuthTag(all.subarray(-16));
  return Buffer.concat([decipher.update(all.subarray(12, -16)), decipher.final()]);
}

/** Compares two texts in a time that does not depend on where they differ. */
export const constantTimeEqual = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b));

export const sha256 = (text: string | Buffer): Buffer => createHash("sha256").update(text).digest();
