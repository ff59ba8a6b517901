import type { Transaction } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { keyOf, type StoredKey, sealWithDataKey, unsealWithDataKey } from "@/lib/keys/data-keys";
import type { EncryptedTable } from "@/lib/keys/encrypted-tables";
import { newId } from "@/lib/keys/ids";
import { newSigningSecret } from "./signature";

/** Most secrets that sign at a time. */
const most = 4;

/**
 * Give an endpoint another secret, in the transaction of what it comes with. What was in use signs too for 24 hours, so that
 * receivers can be given the new one meanwhile.
 * @returns the secret, for this once
 * @throws {KeyError} when no data key can be opened
 */
export async function keepNewSecret(tx: Transaction, endpointId: string): Promise<string> {
  await sql`UPDATE webhook_secret SET retires_at = now() + interval '24 hours'
    WHERE endpoint_id = ${endpointId} AND retires_at IS NULL`.run(tx);
  await sql`DELETE FROM webhook_secret WHERE endpoint_id = ${endpointId} AND (retires_at <= now() OR id NOT IN (
      SELECT id FROM webhook_secret WHERE endpoint_id = ${endpointId} ORDER BY id DESC LIMIT ${most - 1}))`.run(tx);
  const [id, secret] = [newId("whs"), newSigningSecret()];
  const { keyId, sealed } = await sealWithDataKey(tx, secret, about(endpointId, id));
  await sql`INSERT INTO webhook_secret (id, endpoint_id, key_id, sealed)
    VALUES (${id}, ${endpointId}, ${keyId}, ${sealed})`.run(tx);
  return secret;
}

/** What webhooks are signed with, for `lib/keys`. */
export const signingSecrets: EncryptedTable = {
  table: "webhook_secret",
  id: "id",
  about: sql`ARRAY['webhook', s.endpoint_id, s.id]`,
  from: sql`webhook_secret s`,
  protects: { what: "webhook", by: "endpoint_id" },
};

/** As `signingSecrets` says too. */
const about = (endpointId: string, id: string) => ["webhook", endpointId, id];

/** A secret as it is kept, its bytes in base64 as JSON of the database has them, and the key that closes it. */
export type SealedSecret = { id: string; sealed: string; key: StoredKey };

/** The secrets with which an endpoint `ep` is signed now, the newest first, as SQL that gives JSON. */
export const sealedSecrets = sql`(SELECT json_agg(json_build_object('id', s.id, 'sealed', encode(s.sealed, 'base64'), 'key', ${keyOf}) ORDER BY s.id DESC)
  FROM webhook_secret s WHERE s.endpoint_id = ep.id AND (s.retires_at IS NULL OR s.retires_at > now()))`;

/**
 * To sign with and for nothing else.
 * @returns undefined for one that does not open
 * @throws {KeyError} when it may be this copy alone that cannot open it: it was not given the key
 */
export const openSecret = (endpointId: string, { id, sealed, key }: SealedSecret): string | undefined =>
  unsealWithDataKey(key, Buffer.from(sealed, "base64"), about(endpointId, id))?.toString("utf8");
