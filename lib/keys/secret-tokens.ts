import { createHmac, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { key } from "./crypto";

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
