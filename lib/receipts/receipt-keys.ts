import {
  calculateJwkThumbprint,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importPKCS8,
  type JWTPayload,
  SignJWT,
} from "jose";
import { db, type Transaction } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { seal, unseal } from "@/lib/keys/crypto";
import { log } from "@/lib/log";

/*
 * Receipts must stay verifiable permanently, so public keys are never deleted. One Ed25519 key at a
 * time signs new receipts. Its private key is encrypted with a key derived from SECRET, so that the
 * database alone can't sign.
 */

/** A public key as in JSON Web Key Sets (RFC 8037). */
export type PublicJwk = { kty: "OKP"; crv: "Ed25519"; x: string; kid: string; alg: "EdDSA"; use: "sig" };

/** `sign` creates a compact JWS (RFC 7515) of these claims. The private key is never exposed. */
export type SigningKey = { kid: string; sign(typ: string, claims: JWTPayload): Promise<string> };

/** SQL: the current key as columns, to add to other statements. Null if there is none. */
export const currentKey = sql`(SELECT id FROM receipt_key WHERE retired_at IS NULL) AS kid,
  (SELECT sealed FROM receipt_key WHERE retired_at IS NULL) AS sealed`;
export type CurrentKey = { kid: string | null; sealed: Uint8Array | null };

/**
 * Returns the current signing key. Creates a new one if there is none, or if SECRET has changed.
 * Receipts signed with a former key stay verifiable.
 * @param found the key's row, if already read
 */
export async function signingKey(found?: CurrentKey): Promise<SigningKey> {
  let current = found ?? (await readCurrent());
  for (let attempt = 0; attempt < 3; attempt++) {
    const key = await open(current);
    if (key) return key;
    const { kid } = current;
    if (kid) log.warn("could not decrypt the receipt signing key; a new key replaces it", { kid });
    await replace(kid);
    current = await readCurrent();
  }
  throw new Error("could not create a key to sign receipts");
}

/**
 * Replaces the signing key, and deletes the previous private key.
 * @returns the new key's ID, and the number of former keys that can still verify
 */
export async function rotateReceiptKey(): Promise<{ kid: string; former: number }> {
  const kid = await replace((await readCurrent()).kid);
  const former = await sql`SELECT FROM receipt_key WHERE retired_at IS NOT NULL`.rows();
  return { kid, former: former.length };
}

/**
 * Returns every public key ever used, the current one first. Creates the first key if there is
 * none, so that verifiers can cache it early.
 */
export async function publicKeys(): Promise<PublicJwk[]> {
  await signingKey();
  const keys = await sql<{ id: string; public_key: Buffer }>`
    SELECT id, public_key
    FROM receipt_key
    ORDER BY retired_at DESC NULLS FIRST, id`.rows();
  return keys.map(({ id, public_key }) => {
    const x = public_key.toString("base64url");
    return { kty: "OKP", crv: "Ed25519", x, kid: id, alg, use: "sig" };
  });
}

const readCurrent = async (on?: Transaction): Promise<CurrentKey> =>
  (await sql<CurrentKey>`SELECT ${currentKey}`.row(on)) as CurrentKey;

/** Decrypted signing keys by ID, because every receipt needs the current one. */
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

const purpose = "receipt-keys";
const alg = "EdDSA";

/** The delimiters of PEM. Only the text between them is encrypted and stored. */
const [begin, end] = ["-----BEGIN PRIVATE KEY-----\n", "\n-----END PRIVATE KEY-----"];

/**
 * Replaces this key with a new one, unless another instance has already done so.
 * @returns the ID of the current key
 */
async function replace(former: string | null): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const der = (await exportPKCS8(privateKey)).replace(begin, "").replace(end, "");
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  return db.$transaction(async (tx: Transaction) => {
    await sql`LOCK TABLE receipt_key IN SHARE ROW EXCLUSIVE MODE`.run(tx);
    const current = await readCurrent(tx);
    if (current.kid && current.kid !== former) return current.kid;
    await sql`
      UPDATE receipt_key
      SET sealed = NULL, retired_at = clock_timestamp()
      WHERE retired_at IS NULL`.run(tx);
    const made = sql`
      INSERT INTO receipt_key (id, public_key, sealed, created_at)
      VALUES (
        ${kid}, ${Buffer.from(jwk.x as string, "base64url")}, ${seal(purpose, der, kid)},
        clock_timestamp()
      )`;
    await made.run(tx);
    return kid;
  });
}
