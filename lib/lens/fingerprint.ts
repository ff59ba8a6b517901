import { wordlist } from "@scure/bip39/wordlists/english.js";
import { sha256 } from "@/lib/client/content-hash";

/*
 * An owner compares two screens: the page that asks for a signature, and the lens. Both show the
 * same digest of the statement, once as words to read aloud and once as digits.
 */

/** The digest of a statement in forms that a person can compare. */
export type Fingerprint = {
  /** Six words of the English BIP-39 list: the first 66 bits, 11 bits for each word. */
  words: string[];
  /** Four groups of four hexadecimal digits: the first 64 bits. */
  groups: string[];
};

const hexOf = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns the SHA-256 of a statement in UTF-8: the WebAuthn challenge of the owner's signature. */
export const challengeBytes = (statement: string): Promise<Uint8Array<ArrayBuffer>> =>
  sha256(new TextEncoder().encode(statement));

/** Returns the fingerprint of a statement. */
export async function fingerprintOf(statement: string): Promise<Fingerprint> {
  const digest = await challengeBytes(statement);
  const bits = [...digest].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const words = [...bits.slice(0, 66).matchAll(/.{11}/g)].map(([index]) => wordlist[Number.parseInt(index, 2)] ?? "");
  return { words, groups: hexOf(digest.slice(0, 8)).match(/.{4}/g) ?? [] };
}
