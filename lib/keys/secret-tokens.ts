import { createHmac, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { locateHash } from "@/lib/database/shards/homeless-secrets";
import { type Home, homeOf, homeText, readHome } from "@/lib/database/shards/homes";
import { noteHome } from "@/lib/database/shards/homes-in-values";
import { key } from "./crypto";

/*
 * A secret is `csn_<kind>_`, 43 base62 digits, and a CRC-32 as 6 digits. The digits of an owner's
 * secret are `z`, the owner's home as two base32hex digits, and 40 random digits (238 bits). The
 * digits of a secret of the service, or of an owner's secret from before homes, are 32 random
 * bytes. Such digits never begin with `z`, because 2^256 < 61 × 62^42. A secret's form can
 * therefore be read by every version.
 */

/**
 * Kinds of owners' tokens: `at` access token, `rt` refresh token, `ac` authorization code, `pat`
 * personal token. Kinds of owners' links: `sl` sign-in, `rl` reset, `hl` phone, `al` answer, `ec`
 * email confirmation.
 */
const ownerKinds = ["at", "rt", "ac", "pat", "sl", "rl", "hl", "al", "ec"] as const;
export type OwnerSecret = (typeof ownerKinds)[number];
/** Kinds of the service's secrets: `dc` device code, `cs` client secret, `su` setup link. */
export type ServiceSecret = "dc" | "cs" | "su";
export type SecretKind = OwnerSecret | ServiceSecret;

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The number of base62 digits of a secret, and of an owner's secret after its home. */
const [digits, digitsAfterHome] = [43, 40];

/** Creates a secret that gives access to an owner's data. It contains the owner's home. */
export const newSecret = (kind: OwnerSecret, { ownerId }: { ownerId: string }): string =>
  secretOf(kind, withHome(homeOf(ownerId), randomDigits(digitsAfterHome)));

/**
 * Creates a secret that belongs to no owner.
 * @param bytes 32 secret bytes, random by default
 */
export const newServiceSecret = (kind: ServiceSecret, bytes: Buffer = randomBytes(32)): string =>
  secretOf(kind, toBase62(bytes, digits));

/**
 * Creates an owner's secret from secret bytes. The same bytes always give the same secret.
 * @param bytes 64 bytes with a home, so that every digit is equally likely; 32 bytes without one
 * @param home undefined for a secret in the form from before homes
 */
export const derivedSecret = (kind: OwnerSecret, bytes: Buffer, home: Home | undefined): string =>
  secretOf(kind, home === undefined ? toBase62(bytes, digits) : withHome(home, toBase62(bytes, digitsAfterHome)));

const withHome = (home: Home, random: string) => `z${homeText(home)}${random}`;
const secretOf = (kind: SecretKind, body: string) => `csn_${kind}_${body}${checksum(`${kind}_${body}`)}`;

/**
 * Whether the text has the form and the checksum of a secret. Text without them is rejected without
 * a query.
 */
export function isSecret(text: string, kinds: readonly SecretKind[]): boolean {
  const parts = /^csn_([a-z]{2,3})_((z[0-9a-v]{2}|[0-9A-Za-y][0-9A-Za-z]{2})[0-9A-Za-z]{40})([0-9A-Za-z]{6})$/.exec(
    text,
  );
  if (!parts || !kinds.includes(parts[1] as SecretKind)) return false;
  if (parts[3]?.startsWith("z") && !ownerKinds.includes(parts[1] as OwnerSecret)) return false;
  return checksum(`${parts[1]}_${parts[2]}`) === parts[4];
}

/**
 * Returns the home that a secret's text contains, or undefined if it contains none. Anyone can make
 * a text that names another home, so this only decides where to look the secret up.
 */
export const homeInSecret = (secret: string): Home | undefined => {
  const [, text] = /^csn_[a-z]{2,3}_z(..)/.exec(secret) ?? [];
  return text === undefined ? undefined : readHome(text);
};

/**
 * Returns a text's CRC-32 in base 62. Uses numbers instead of slower bigints, because every request
 * needs a checksum.
 */
function checksum(text: string): string {
  let sum = "";
  for (let rest = crc32(text); sum.length < 6; rest = Math.floor(rest / 62)) sum = base62[rest % 62] + sum;
  return sum;
}

/** Returns the last `width` base62 digits of the number that the bytes represent. */
function toBase62(bytes: Buffer, width: number): string {
  let text = "";
  for (let rest = BigInt(`0x${bytes.toString("hex")}`); text.length < width; rest /= 62n)
    text = base62[Number(rest % 62n)] + text;
  return text;
}

/** Returns random base62 digits. Each digit is equally likely. */
function randomDigits(count: number): string {
  let text = "";
  while (text.length < count) {
    for (const byte of randomBytes(count + 8)) {
      // 248 is a multiple of 62. Without this limit, the first eight digits would be more likely.
      if (byte < 248 && text.length < count) text += base62[byte % 62];
    }
  }
  return text;
}

/**
 * Returns the stored form of a secret: HMAC-SHA-256 with a pepper that is kept outside the
 * database, so that nobody can derive tokens from its rows. The hash of an owner's secret leads
 * statements to the owner's home.
 */
export function hashSecret(secret: string): Buffer {
  const hash = createHmac("sha256", key("token-pepper")).update(secret).digest();
  noteHome(hash, () => (isOfOwner.test(secret) ? (homeInSecret(secret) ?? "none") : undefined));
  return hash;
}
const isOfOwner = new RegExp(`^csn_(?:${ownerKinds.join("|")})_`);

/**
 * Finds the shard of an owner's secret whose text contains no home. This must precede the secret's
 * first statement.
 * @param ownerOf returns the owner of the secret with this hash, if the current shard has it
 * @returns undefined if the secret's text contains a home, or if there is one database
 * @throws {Error} if the secret was not found, and a shard is away
 */
export const locateSecret = (
  hash: Buffer,
  ownerOf: (hash: Buffer) => Promise<string | undefined>,
): Promise<void> | undefined => locateHash(hash, () => ownerOf(hash));
