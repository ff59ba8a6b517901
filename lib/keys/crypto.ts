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
import { processSingleton } from "@/lib/work/process-singleton";

/**
 * Returns the 32-byte key for one purpose. It derives from the service's SECRET (HKDF-SHA-256, RFC
 * 5869), or is a retained key (`retained-keys.ts`).
 */
export const key = (purpose: string): Buffer => retained().keys.get(purpose) ?? derivedFrom(env().secret, purpose);

/**
 * Returns the keys that a value for one purpose may have been created with: `key` first, and then
 * the key from SECRET_PREVIOUS.
 */
export function acceptedKeys(purpose: string): Buffer[] {
  const { secretPrevious } = env();
  const current = key(purpose);
  return secretPrevious === undefined || retained().keys.has(purpose)
    ? [current]
    : [current, derivedFrom(secretPrevious, purpose)];
}

/** Derives a key for one purpose from a secret. */
export function derivedFrom(secret: string, purpose: string): Buffer {
  let keys = derived.get(secret);
  if (!keys) {
    // Only SECRET and SECRET_PREVIOUS are in use at a time.
    if (derived.size >= 2) derived.clear();
    keys = new Map();
    derived.set(secret, keys);
  }
  let found = keys.get(purpose);
  if (!found) {
    found = Buffer.from(hkdfSync("sha256", secret, "countersign", purpose, 32));
    keys.set(purpose, found);
  }
  return found;
}
const derived = new Map<string, Map<string, Buffer>>();

const retained = processSingleton("retained-keys", () => ({ keys: new Map<string, Buffer>() }));

/** Sets this process's keys that do not derive from SECRET, by purpose. */
export function retainKeys(keys: Map<string, Buffer>): void {
  retained().keys = keys;
}

/**
 * Signs a value that passes through a browser, with a key that only the service has. The signature
 * has 43 characters (base64url).
 */
export const sign = (purpose: string, value: string): string => signWith(key(purpose), value);

const signWith = (hmacKey: Buffer, value: string) => createHmac("sha256", hmacKey).update(value).digest("base64url");

/** Whether a signature is from `sign`, with SECRET or SECRET_PREVIOUS. */
export const isSigned = (purpose: string, value: string, signature: string): boolean =>
  acceptedKeys(purpose).some((hmacKey) => constantTimeEqual(signature, signWith(hmacKey, value)));

/**
 * Encrypts a text with AES-256-GCM under the key for a purpose. The result is a random 96-bit
 * nonce, the ciphertext and a 128-bit tag.
 * @param about an ID that is also authenticated, so that the value can't be decrypted in another
 *   row
 */
export const seal = (purpose: string, text: string, about: string): Buffer => sealWith(key(purpose), text, about);

/**
 * Decrypts a value from `seal`, with SECRET or SECRET_PREVIOUS.
 * @throws if the value was changed, or was encrypted with another purpose, `about` or SECRET
 */
export const unseal = (purpose: string, sealed: Uint8Array, about: string): string =>
  opened(purpose, sealed, about).plain.toString("utf8");

/**
 * Encrypts a value again that `seal` encrypted under SECRET_PREVIOUS.
 * @returns undefined if the value is already encrypted under SECRET
 * @throws as unseal
 */
export function resealed(purpose: string, sealed: Uint8Array, about: string): Buffer | undefined {
  const { plain, former } = opened(purpose, sealed, about);
  return former ? sealWith(key(purpose), plain, about) : undefined;
}

function opened(purpose: string, sealed: Uint8Array, about: string): { plain: Buffer; former: boolean } {
  let problem: unknown;
  for (const [at, aesKey] of acceptedKeys(purpose).entries()) {
    try {
      return { plain: unsealWith(aesKey, sealed, about), former: at > 0 };
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}

/**
 * Encrypts a value like `seal`, but with the caller's own key.
 * @param aesKey 32 bytes
 */
export function sealWith(aesKey: Uint8Array, plain: string | Uint8Array, about: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", aesKey, nonce).setAAD(Buffer.from(about));
  return Buffer.concat([nonce, cipher.update(Buffer.from(plain)), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Decrypts a value from `sealWith`.
 * @throws if the value was changed, or was encrypted with another key or `about`
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
