import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { db, type Transaction } from "@/lib/db";
import { seal, unseal } from "@/lib/keys/crypto";
import { log } from "@/lib/log";
import { sql } from "@/lib/sql";

/*
 * What receipts are signed with: one Ed25519 key at a time. The private half is sealed under the service's secret, so that
 * whoever has the database alone signs nothing; public halves stay for good, so that no receipt ever becomes unverifiable.
 */

/** A public key as JSON Web Key Sets have it (RFC 8037). */
export type PublicJwk = { kty: "OKP"; crv: "Ed25519"; x: string; kid: string; alg: "EdDSA"; use: "sig" };

export type SigningKey = { kid: string; privateKey: KeyObject };

type Row = { id: string; sealed: Uint8Array };

/**
 * The key to sign with now. The first one ever is made here, and another where the secret is not the one that sealed it: then
 * nobody can sign with that any more, and what it signed stays verifiable.
 */
export async function signingKey(): Promise<SigningKey> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const row = await currentRow();
    const key = row && open(row);
    if (key) return key;
    if (row) log.warn("the receipt signing key cannot be decrypted; a new one replaces it", { kid: row.id });
    await replace(row?.id);
  }
  throw new Error("no key to sign receipts with could be made");
}

/**
 * Sign with a new key from now on, and destroy the private half of the one before.
 * @returns the new key's id, and how many former ones can still be checked with
 */
export async function rotateReceiptKey(): Promise<{ kid: string; former: number }> {
  const kid = await replace((await currentRow())?.id);
  const former = await sql`SELECT FROM receipt_key WHERE retired_at IS NOT NULL`.rows();
  return { kid, former: former.length };
}

/** Every public key there has been, the one in use first. The first one is made here, so that checkers know it in time. */
export async function publicKeys(): Promise<PublicJwk[]> {
  await signingKey();
  const keys = await sql<{ id: string; public_key: Buffer }>`SELECT id, public_key
    FROM receipt_key ORDER BY retired_at DESC NULLS FIRST, id`.rows();
  return keys.map(({ id, public_key }) => ({
    ...asJwk(public_key.toString("base64url")),
    kid: id,
    alg: "EdDSA",
    use: "sig",
  }));
}

const currentRow = (on?: Transaction): Promise<Row | undefined> =>
  sql<Row>`SELECT id, sealed FROM receipt_key WHERE retired_at IS NULL`.row(on);

/** Unsealed once: every receipt asks which key is in use, and finds it here. */
const opened = new Map<string, SigningKey>();

function open({ id, sealed }: Row): SigningKey | undefined {
  const known = opened.get(id);
  if (known) return known;
  try {
    const der = Buffer.from(unseal(purpose, sealed, id), "base64");
    const key = { kid: id, privateKey: createPrivateKey({ key: der, format: "der", type: "pkcs8" }) };
    opened.clear();
    opened.set(id, key);
    return key;
  } catch {
    return undefined;
  }
}

const purpose = "receipt-keys";

/** Put a new key in the place of this one, unless somebody was quicker. @returns the id of the one that counts */
function replace(former: string | undefined): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const x = publicKey.export({ format: "jwk" }).x as string;
  const kid = thumbprint(x);
  const der = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
  return db.$transaction(async (tx: Transaction) => {
    await sql`LOCK TABLE receipt_key IN SHARE ROW EXCLUSIVE MODE`.run(tx);
    const current = await currentRow(tx);
    if (current && current.id !== former) return current.id;
    await sql`UPDATE receipt_key SET sealed = NULL, retired_at = clock_timestamp() WHERE retired_at IS NULL`.run(tx);
    const made = sql`INSERT INTO receipt_key (id, public_key, sealed, created_at)
      VALUES (${kid}, ${Buffer.from(x, "base64url")}, ${seal(purpose, der, kid)}, clock_timestamp())`;
    await made.run(tx);
    return kid;
  });
}

const asJwk = (x: string) => ({ kty: "OKP", crv: "Ed25519", x }) as const;

/** RFC 7638: the required members in the order of their names (RFC 8037 section 2). */
const thumbprint = (x: string) =>
  createHash("sha256")
    .update(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }))
    .digest("base64url");
