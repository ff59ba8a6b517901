import { clock } from "@/lib/clock";
import { type Executor, sql } from "@/lib/database/sql";
import { keyOf, type StoredKey, sealWithDataKey, unsealWithDataKey } from "@/lib/keys/data-keys";
import type { EncryptedTable } from "@/lib/keys/encrypted-table";
import type { Credential } from "./providers/provider";

/*
 * A leaked database must not reveal credentials, so only this module reads and writes them. A
 * credential is encrypted with AES-256-GCM under a data key, and bound to its account, owner,
 * provider and that key. In another row, it can't be decrypted.
 */

/** The account that a credential is bound to. */
export type AccountRef = { id: string; ownerId: string; provider: string };

/**
 * Thrown if a credential can't be decrypted because it was altered or belongs to another account.
 */
export class CredentialUnreadable extends Error {}

/** The table of encrypted credentials, as `lib/keys` needs it. */
export const sealedCredentials: EncryptedTable = {
  table: "integration_secret",
  id: "integration_id",
  about: sql`ARRAY[i.id, i.owner_id, i.provider]`,
  from: sql`integration_secret s JOIN integration i ON i.id = s.integration_id`,
  protects: { what: "account", column: "integration_id" },
};

/** Returns the values that a credential is bound to. Must match `sealedCredentials`. */
const about = ({ id, ownerId, provider }: AccountRef) => [id, ownerId, provider];

/**
 * Stores a credential in the caller's transaction, together with the related changes to the
 * account.
 * @param ifVersion the version that the stored credential must have, so that a newer credential is
 * not overwritten
 * @returns whether it was stored
 * @throws {KeyError} if no data key can be decrypted
 */
export async function storeCredential(
  tx: Executor,
  account: AccountRef,
  credential: Credential,
  ifVersion?: number,
): Promise<boolean> {
  const { keyId, sealed } = await sealWithDataKey(tx, JSON.stringify(credential), about(account));
  const kept =
    ifVersion === undefined
      ? await sql`
        INSERT INTO integration_secret (owner_id, integration_id, key_id, sealed, version)
        VALUES (${account.ownerId}, ${account.id}, ${keyId}, ${sealed}, ${firstVersion()})
        ON CONFLICT (integration_id) DO UPDATE SET
          key_id = excluded.key_id, sealed = excluded.sealed,
          version = integration_secret.version + 1, updated_at = now()`.run(tx)
      : await sql`
        UPDATE integration_secret
        SET key_id = ${keyId}, sealed = ${sealed}, version = version + 1, updated_at = now()
        WHERE owner_id = ${account.ownerId}
          AND integration_id = ${account.id}
          AND version = ${ifVersion}`.run(tx);
  return kept > 0;
}

/**
 * Returns a random first version, so that an erased credential's version never matches that of a
 * later credential.
 */
const firstVersion = () => 1 + Math.floor(clock.random() * 1_000_000_000);

/**
 * Decrypts an account's credential.
 * @returns the credential and its version; undefined if none is stored
 * @throws {CredentialUnreadable | KeyError}
 */
export async function openCredential(
  tx: Executor,
  account: AccountRef,
): Promise<{ credential: Credential; version: number } | undefined> {
  const found = await sql<{ sealed: Uint8Array; version: number; key: StoredKey }>`
    SELECT s.sealed, s.version, ${keyOf} AS key
    FROM integration_secret s
    WHERE s.owner_id = ${account.ownerId} AND s.integration_id = ${account.id}`.row(tx);
  if (!found) return undefined;
  const plain = unsealWithDataKey(found.key, found.sealed, about(account));
  if (!plain) throw new CredentialUnreadable(`Could not decrypt the credential of ${account.id}`);
  return { credential: JSON.parse(plain.toString("utf8")) as Credential, version: found.version };
}

export async function destroyCredential(tx: Executor, { id, ownerId }: AccountRef): Promise<void> {
  await sql`
    DELETE FROM integration_secret
    WHERE owner_id = ${ownerId} AND integration_id = ${id}`.run(tx);
}
