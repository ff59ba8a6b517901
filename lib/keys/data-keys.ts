import { createHmac, randomBytes } from "node:crypto";
import { env } from "@/lib/config/env";
import { type Executor, sql } from "@/lib/database/sql";
import { newId } from "../ids";
import { key, sealWith, unsealWith } from "./crypto";

/*
 * The database alone must reveal no secret, so there are two levels of keys. Stored secrets are
 * encrypted with a data key, which the database contains. The data key is encrypted with a wrapping
 * key, which the database never contains: one of INTEGRATION_KEYS, or a key derived from SECRET.
 */

/**
 * Thrown if the operator's keys can't decrypt stored secrets. The message names the missing key,
 * without its value.
 */
export class KeyError extends Error {}

export type DataKeyRow = { id: string; wrapped: Uint8Array; wrapped_by: string };

/** SQL: the data key of an encrypted row `s`, as JSON of a `StoredKey`. */
export const keyOf = sql`(
  SELECT json_build_object(
    'id', k.id, 'wrapped', encode(k.wrapped, 'base64'), 'wrapped_by', k.wrapped_by
  )
  FROM data_key k
  WHERE k.id = s.key_id
)`;

/** A data key's row, as JSON from the database with bytes in base64. */
export type StoredKey = { id: string; wrapped: string; wrapped_by: string };

const secretPrefix = "secret:";

/**
 * Returns the wrapping key derived from SECRET, and its name. The name distinguishes SECRETs
 * without revealing them, and contains a colon, which names in INTEGRATION_KEYS never do.
 */
export function derivedKey(): [name: string, wrapping: Buffer] {
  const wrapping = key("integration-keys");
  const mark = createHmac("sha256", wrapping).update("name").digest("hex").slice(0, 12);
  return [secretPrefix + mark, wrapping];
}

/** Returns the wrapping key for new data keys. */
export function firstWrappingKey(): [name: string, wrapping: Buffer] {
  for (const first of env().integrationKeys) return first;
  return derivedKey();
}

/**
 * Returns the wrapping key with this name, if this instance has it. Even with INTEGRATION_KEYS,
 * includes the key derived from SECRET, so that a rotation can replace it.
 */
function wrappingKey(name: string): Buffer | undefined {
  const [derivedName, derived] = derivedKey();
  return name === derivedName ? derived : env().integrationKeys.get(name);
}

/** Returns what an encrypted value is bound to: its row and its key, encoded unambiguously. */
export const keyContext = (about: readonly string[], keyId: string): string => JSON.stringify([...about, keyId]);

/** Returns what a wrapped data key is bound to. */
const aboutKey = (id: string) => ["data-key", id];

/** Creates a data key and its row, without storing the row. */
export function newDataKey(): { row: DataKeyRow; dataKey: Buffer } {
  const [name, wrapping] = firstWrappingKey();
  const [id, dataKey] = [newId("key"), randomBytes(32)];
  return {
    row: { id, wrapped: sealWith(wrapping, dataKey, keyContext(aboutKey(id), name)), wrapped_by: name },
    dataKey,
  };
}

/**
 * Decrypts a row's data key.
 * @throws {KeyError} if this instance lacks the wrapping key, or its key of that name is a
 * different one
 */
export function openDataKey({ id, wrapped, wrapped_by: name }: DataKeyRow): Buffer {
  const wrapping = wrappingKey(name);
  if (!wrapping)
    throw new KeyError(
      name.startsWith(secretPrefix)
        ? `The stored secrets were encrypted with another SECRET (expected the key ${name}, got the key ${derivedKey()[0]}). Restore the previous SECRET`
        : `INTEGRATION_KEYS lacks the key "${name}", which encrypted the stored secrets. Add the key back`,
    );
  try {
    return unsealWith(wrapping, wrapped, keyContext(aboutKey(id), name));
  } catch {
    throw new KeyError(
      `The key "${name}" in INTEGRATION_KEYS is not the key that encrypted the stored secrets. Restore the key's previous value`,
    );
  }
}

/**
 * Encrypts a value with a data key, and binds the result to the value's row.
 * @throws {KeyError} if there are data keys but none can be decrypted
 */
export async function sealWithDataKey(
  tx: Executor,
  plain: string,
  about: readonly string[],
): Promise<{ keyId: string; sealed: Buffer }> {
  const { id, dataKey } = await keyToSealWith(tx);
  return { keyId: id, sealed: sealWith(dataKey, plain, keyContext(about, id)) };
}

/**
 * Returns the data key for encryption, and creates the first one if necessary. Locks it (FOR KEY
 * SHARE) until the transaction ends, so that it isn't deleted. An instance that can't decrypt the
 * newest data key uses an older one, so that it can still store values. The next rotation
 * re-encrypts them.
 */
async function keyToSealWith(tx: Executor): Promise<{ id: string; dataKey: Buffer }> {
  for (;;) {
    const found = await sql<DataKeyRow>`
      SELECT id, wrapped, wrapped_by
      FROM data_key
      ORDER BY retired_at IS NOT NULL, created_at DESC
      FOR KEY SHARE`.rows(tx);
    let problem: unknown;
    for (const row of found) {
      try {
        return { id: row.id, dataKey: openDataKey(row) };
      } catch (error) {
        problem ??= error;
      }
    }
    if (problem) throw problem;
    const { row, dataKey } = newDataKey();
    // One of several concurrent instances creates the key. The others wait for its commit, and read
    // again.
    const made = await sql`
      INSERT INTO data_key (id, wrapped, wrapped_by)
      VALUES (${row.id}, ${row.wrapped}, ${row.wrapped_by})
      ON CONFLICT DO NOTHING`.run(tx);
    if (made > 0) return { id: row.id, dataKey };
  }
}

/**
 * Decrypts a value with its data key.
 * @returns undefined if the value was changed or moved from another row
 * @throws {KeyError} if the data key can't be decrypted here; another instance may have its
 * wrapping key
 */
export function unsealWithDataKey(key: StoredKey, sealed: Uint8Array, about: readonly string[]): Buffer | undefined {
  const dataKey = openDataKey({ ...key, wrapped: Buffer.from(key.wrapped, "base64") });
  try {
    return unsealWith(dataKey, sealed, keyContext(about, key.id));
  } catch {
    return undefined;
  }
}
