import type { Transaction } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { newId } from "@/lib/ids";
import { keyOf, type StoredKey, sealWithDataKey, unsealWithDataKey } from "@/lib/keys/data-keys";
import type { EncryptedTable } from "@/lib/keys/encrypted-table";
import { newSigningSecret } from "./signature";

/** The maximum number of secrets that sign at the same time. */
const maxSecrets = 4;

/**
 * Gives an endpoint a new secret, in the caller's transaction. For 24 hours, the previous secret
 * signs as well, so that receivers can be updated.
 * @returns the secret, which is shown only once
 * @throws {KeyError} if no data key can be decrypted
 */
export async function keepNewSecret(tx: Transaction, endpointId: string): Promise<string> {
  await sql`
    UPDATE webhook_secret
    SET retires_at = now() + interval '24 hours'
    WHERE endpoint_id = ${endpointId} AND retires_at IS NULL`.run(tx);
  await sql`
    DELETE FROM webhook_secret
    WHERE endpoint_id = ${endpointId}
      AND (
        retires_at <= now()
        OR id NOT IN (
          SELECT id
          FROM webhook_secret
          WHERE endpoint_id = ${endpointId}
          ORDER BY id DESC LIMIT ${maxSecrets - 1}
        )
      )`.run(tx);
  const [id, secret] = [newId("whs"), newSigningSecret()];
  const { keyId, sealed } = await sealWithDataKey(tx, secret, about(endpointId, id));
  await sql`
    INSERT INTO webhook_secret (id, endpoint_id, key_id, sealed)
    VALUES (${id}, ${endpointId}, ${keyId}, ${sealed})`.run(tx);
  return secret;
}

/** The declaration of signing secrets for `lib/keys`. */
export const signingSecrets: EncryptedTable = {
  table: "webhook_secret",
  id: "id",
  about: sql`ARRAY['webhook', s.endpoint_id, s.id]`,
  from: sql`webhook_secret s`,
  protects: { what: "webhook", column: "endpoint_id" },
};

/** Returns what a secret is bound to. Must match `signingSecrets`. */
const about = (endpointId: string, id: string) => ["webhook", endpointId, id];

/** A stored secret with its data key, as JSON from the database with bytes in base64. */
export type SealedSecret = { id: string; sealed: string; key: StoredKey };

/** SQL: the secrets of an endpoint `ep` that still sign, newest first, as JSON. */
export const sealedSecrets = sql`(
  SELECT json_agg(
    json_build_object('id', s.id, 'sealed', encode(s.sealed, 'base64'), 'key', ${keyOf})
    ORDER BY s.id DESC
  )
  FROM webhook_secret s
  WHERE s.endpoint_id = ep.id AND (s.retires_at IS NULL OR s.retires_at > now())
)`;

/**
 * Decrypts a secret for signing.
 * @returns undefined if the secret can't be decrypted anywhere
 * @throws {KeyError} if another instance may have the key that decrypts it
 */
export const openSecret = (endpointId: string, { id, sealed, key }: SealedSecret): string | undefined =>
  unsealWithDataKey(key, Buffer.from(sealed, "base64"), about(endpointId, id))?.toString("utf8");
