import {
  calculateJwkThumbprint,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importPKCS8,
  type JWTPayload,
  SignJWT,
} from "jose";
import { env } from "@/lib/config/env";
import { db, type Transaction } from "@/lib/database/db";
import { lockKeyTable } from "@/lib/database/directory-locks";
import { sql } from "@/lib/database/sql";
import { resealed, seal, unseal } from "@/lib/keys/crypto";
import { log } from "@/lib/log";

/*
 * Receipts must stay verifiable permanently, so public keys are never deleted. Only one Ed25519 key
 * at a time signs new receipts. Its private key is encrypted with a key derived from SECRET, so
 * that nobody can sign with the database alone.
 *
 * Someone who has stolen a private key can sign any claims, including a false time. Therefore, no
 * time in a receipt can show that a receipt is older than the theft. A revoked key leaves `keys`,
 * so even verifiers that ignore revocations reject all its receipts. `revoked_keys` publishes the
 * key with the time of the theft, for verifiers that know from their own records that they had a
 * receipt before the theft. The service signs a receipt again, with the current key, when an app or
 * the owner reads it again.
 */

/**
 * A public key in the format of JSON Web Key Sets (RFC 8037). `nbf` and `exp` are in epoch seconds:
 * when the key was created, and the end of the time in which it may sign. `exp` is absent if the
 * key signs without a planned end.
 */
export type PublicJwk = {
  kty: "OKP";
  crv: "Ed25519";
  x: string;
  kid: string;
  alg: "EdDSA";
  use: "sig";
  nbf: number;
  exp?: number;
};

/** A revoked key. `revoked` has the format of OpenID Federation 1.0, section 8.7.2. */
export type RevokedJwk = PublicJwk & { revoked: { revoked_at: number; reason: "compromised" } };

/** The published JSON Web Key Set. Verifiers ignore members that they don't know (RFC 7517, 5). */
export type PublishedKeys = { keys: PublicJwk[]; revoked_keys?: RevokedJwk[] };

/**
 * A key that signs receipts. `sign` creates a compact JWS (RFC 7515) of these claims. The private
 * key is never exposed.
 */
export type SigningKey = { kid: string; sign(typ: string, claims: JWTPayload): Promise<string> };

/**
 * SQL: the current key as columns to include in other statements. They are NULL if there is no key.
 */
export const currentKey = sql`(SELECT id FROM receipt_key WHERE retired_at IS NULL) AS kid,
  (SELECT sealed FROM receipt_key WHERE retired_at IS NULL) AS sealed,
  (
    SELECT extract(epoch FROM now() - created_at)::float8
    FROM receipt_key
    WHERE retired_at IS NULL
  ) AS age`;
/** `age` is in seconds. */
export type CurrentKey = { kid: string | null; sealed: Uint8Array | null; age: number | null };

/**
 * Returns the current signing key. Creates a new one if there is none, if the key has reached its
 * planned end (RECEIPT_KEY_DAYS), or if neither SECRET nor SECRET_PREVIOUS decrypts the key. Receipts
 * signed with a former key stay verifiable.
 * @param found the key's row, if the caller has already read it
 */
export async function signingKey(found?: CurrentKey): Promise<SigningKey> {
  let current = found ?? (await readCurrent());
  for (let attempt = 0; attempt < 3; attempt++) {
    const { kid, age } = current;
    const ended = age !== null && age >= plannedSeconds();
    const key = ended ? undefined : await open(current);
    if (key) return key;
    if (kid && ended) log.info("a new receipt signing key replaces the key that reached its planned end", { kid });
    else if (kid) log.warn("could not decrypt the receipt signing key; a new key replaces it", { kid });
    await replace(kid);
    current = await readCurrent();
  }
  throw new Error("could not create a key to sign receipts");
}

/**
 * Replaces the signing key, and deletes the previous private key.
 * @returns the new key's ID, and the number of former keys that still verify receipts
 */
export async function rotateReceiptKey(): Promise<{ kid: string; former: number }> {
  const kid = await replace((await readCurrent()).kid);
  const former = await sql`SELECT FROM receipt_key WHERE retired_at IS NOT NULL`.rows();
  return { kid, former: former.length };
}

/**
 * Returns every public key that was ever used and not revoked, the current one first. Creates the
 * first key if there is none, so that verifiers can cache it early.
 */
export const publicKeys = async (): Promise<PublicJwk[]> => (await publishedKeys()).keys;

/** Returns the public keys like `publicKeys`, and the revoked ones. */
export async function publishedKeys(): Promise<PublishedKeys> {
  await signingKey();
  const rows = await sql<PublicRow>`
    SELECT id, public_key, extract(epoch FROM created_at)::float8 AS created,
      extract(epoch FROM retired_at)::float8 AS retired,
      extract(epoch FROM revoked_since)::float8 AS revoked
    FROM receipt_key
    ORDER BY retired_at DESC NULLS FIRST, id`.rows();
  const revoked = rows.flatMap((row) =>
    row.revoked === null
      ? []
      : [{ ...jwkOf(row), revoked: { revoked_at: Math.floor(row.revoked), reason: "compromised" as const } }],
  );
  return {
    keys: rows.filter((row) => row.revoked === null).map(jwkOf),
    ...(revoked.length > 0 && { revoked_keys: revoked }),
  };
}

/** A public key's row, with times in epoch seconds. */
type PublicRow = {
  id: string;
  public_key: Buffer;
  created: number;
  retired: number | null;
  revoked: number | null;
};

function jwkOf({ id, public_key, created, retired }: PublicRow): PublicJwk {
  const end = retired ?? created + plannedSeconds();
  return {
    ...{ kty: "OKP", crv: "Ed25519", x: public_key.toString("base64url"), kid: id, alg, use: "sig" },
    nbf: Math.floor(created),
    ...(Number.isFinite(end) && { exp: Math.ceil(end) + requestSeconds }),
  };
}

/** How long the current key may sign, in seconds. */
function plannedSeconds(): number {
  const { receiptKeyDays } = env();
  return receiptKeyDays === 0 ? Number.POSITIVE_INFINITY : receiptKeyDays * 86_400;
}

/**
 * The number of seconds by which `exp` is later than the key's end. A request that read the key
 * before its end may still sign an answer.
 */
const requestSeconds = 60;

const readCurrent = async (on?: Transaction): Promise<CurrentKey> =>
  (await sql<CurrentKey>`SELECT ${currentKey}`.row(on)) as CurrentKey;

/**
 * The decrypted signing keys by ID. They are cached, because every receipt needs the current one.
 */
const opened = new Map<string, SigningKey>();

async function open({ kid, sealed }: CurrentKey): Promise<SigningKey | undefined> {
  if (!kid || !sealed) return undefined;
  const known = opened.get(kid);
  if (known) return known;
  let der: string;
  try {
    der = unseal(purpose, sealed, kid);
  } catch {
    return undefined;
  }
  const privateKey = await importPKCS8(`${begin}${der}${end}`, alg);
  const key: SigningKey = {
    kid,
    sign: (typ, claims) => new SignJWT(claims).setProtectedHeader({ alg, typ, kid }).sign(privateKey),
  };
  opened.clear();
  opened.set(kid, key);
  return key;
}

/**
 * Encrypts the current private key under SECRET, if SECRET_PREVIOUS encrypts it.
 * @returns whether SECRET_PREVIOUS encrypted it
 */
export async function resealReceiptKey(): Promise<boolean> {
  const { kid, sealed } = await readCurrent();
  if (!kid || !sealed) return false;
  const next = resealed(purpose, sealed, kid);
  if (!next) return false;
  return (await sql`UPDATE receipt_key SET sealed = ${next} WHERE id = ${kid} AND sealed IS NOT NULL`.run()) > 0;
}

const purpose = "receipt-keys";
const alg = "EdDSA";

/** The PEM delimiters. Only the text between them is encrypted and stored. */
const [begin, end] = ["-----BEGIN PRIVATE KEY-----\n", "\n-----END PRIVATE KEY-----"];

/**
 * Replaces this key with a new one, unless another instance has already done so.
 * @returns the ID of the current key
 */
async function replace(former: string | null): Promise<string> {
  const created = await newKey();
  return db.$transaction(async (tx: Transaction) => {
    await lockKeys(tx);
    const current = await readCurrent(tx);
    if (current.kid && current.kid !== former) return current.kid;
    await install(tx, created);
    return created.kid;
  });
}

/** Waits for concurrent changes of the keys, and prevents them until the transaction ends. */
export const lockKeys = (tx: Transaction) => lockKeyTable("receipt_key", tx);

/** A new key, not stored yet. */
export type NewKey = { kid: string; publicKey: Buffer; sealed: Buffer };

/** Creates a key. Its ID never begins with a dash, so that it is easy to pass to a command. */
export async function newKey(): Promise<NewKey> {
  for (;;) {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const der = (await exportPKCS8(privateKey)).replace(begin, "").replace(end, "");
    const jwk = await exportJWK(publicKey);
    const kid = await calculateJwkThumbprint(jwk);
    if (kid.startsWith("-")) continue;
    return { kid, publicKey: Buffer.from(jwk.x as string, "base64url"), sealed: seal(purpose, der, kid) };
  }
}

/** Deletes the current private key, and stores the new key as the current one. */
export async function install(tx: Transaction, { kid, publicKey, sealed }: NewKey): Promise<void> {
  await sql`
    UPDATE receipt_key
    SET sealed = NULL, retired_at = clock_timestamp()
    WHERE retired_at IS NULL`.run(tx);
  await sql`
    INSERT INTO receipt_key (id, public_key, sealed, created_at)
    VALUES (${kid}, ${publicKey}, ${sealed}, clock_timestamp())`.run(tx);
}
