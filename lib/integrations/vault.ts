import { type Executor, sql } from "@/lib/database/sql";
import { keyOf, type StoredKey, sealWithDataKey, unsealWithDataKey } from "@/lib/keys/data-keys";
import type { EncryptedTable } from "@/lib/keys/encrypted-tables";
import type { Credential } from "./providers/provider";

/*
 * The only way in to, and out of, what providers gave us. A credential is closed with AES-256-GCM under a data key, bound to
 * its account, its owner, its provider and that key: put into another row, it does not open.
 */

/** Whose credential: all three are bound to it. */
export type AccountRef = { id: string; ownerId: string; provider: string };

/** A credential that does not open: it was changed, or belongs to another account. */
export class CredentialUnreadable extends Error {}

/** All credentials, for `lib/keys`. */
export const sealedCredentials: EncryptedTable = {
  table: "integration_secret",
  id: "integration_id",
  about: sql`ARRAY[i.id, i.owner_id, i.provider]`,
  from: sql`integration_secret s JOIN integration i ON i.id = s.integration_id`,
  protects: { what: "account", by: "integration_id" },
};

/** What a credential is bound to, as `sealedCredentials` says too. */
const about = ({ id, ownerId, provider }: AccountRef) => [id, ownerId, provider];

/**
 * Keep what the provider gave us, in the transaction of what it came with.
 * @param ifVersion keep it only where what is kept is still of that version, so that nothing newer is overwritten
 * @returns whether it was kept
 * @throws {KeyError} when no data key can be opened
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
      ? await sql`INSERT INTO integration_secret AS s (integration_id, key_id, sealed, version)
          VALUES (${account.id}, ${keyId}, ${sealed}, ${firstVersion()})
          ON CONFLICT (integration_id) DO UPDATE SET
            key_id = excluded.key_id, sealed = excluded.sealed, version = s.version + 1, updated_at = now()`.run(tx)
      : await sql`UPDATE integration_secret SET key_id = ${keyId}, sealed = ${sealed}, version = version + 1, updated_at = now()
          WHERE integration_id = ${account.id} AND version = ${ifVersion}`.run(tx);
  return kept > 0;
}

/** Somewhere, so that one who began with an erased credential does not find its version again on the next one. */
const firstVersion = () => 1 + Math.floor(Math.random() * 1_000_000_000);

/**
 * What the provider gave us, for a call to the provider and nothing else, and its version.
 * @returns undefined where nothing is kept
 * @throws {CredentialUnreadable | KeyError}
 */
export async function openCredential(
  tx: Executor,
  account: AccountRef,
): Promise<{ credential: Credential; version: number } | undefined> {
  const found = await sql<{ sealed: Uint8Array; version: number; key: StoredKey }>`
    SELECT s.sealed, s.version, ${keyOf} AS key FROM integration_secret s WHERE s.integration_id = ${account.id}`.row(
    tx,
  );
  if (!found) return undefined;
  const plain = unsealWithDataKey(found.key, found.sealed, about(account));
  if (!plain) throw new CredentialUnreadable(`What is kept of ${account.id} does not open`);
  return { credential: JSON.parse(plain.toString("utf8")) as Credential, version: found.version };
}

/** Forget what the provider gave us. */
export async function destroyCredential(tx: Executor, id: string): Promise<void> {
  await sql`DELETE FROM integration_secret WHERE integration_id = ${id}`.run(tx);
}
