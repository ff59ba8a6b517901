import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { env } from "@/lib/config/env";

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
