import { createHmac, randomBytes } from "node:crypto";
import { env } from "@/lib/config/env";
import { type Executor, sql } from "@/lib/database/sql";
import { newId } from "../ids";
import { acceptedKeys, key, sealWith, unsealWith } from "./crypto";

/*
 * The database alone must reveal no secret, so there are two levels of keys. Stored secrets are
 * encrypted with a data key, which is in the database. The data key is encrypted with a wrapping
 * key, which is never in the database: one of INTEGRATION_KEYS, or a key derived from SECRET.
 */

/**
 * Thrown if the operator's keys can't decrypt stored secrets. The message names the missing key but
 * does not contain its value.
 */
export class KeyError extends Error {}

export type DataKeyRow = { id: string; wrapped: Uint8Array; wrapped_by: string };

/** SQL: the data key of an encrypted row `s`, as a `StoredKey` in JSON. */
export const keyOf = sql`(
  SELECT json_build_object(
    'id', k.id, 'wrapped', encode(k.wrapped, 'base64'), 'wrapped_by', k.wrapped_by
  )
  FROM data_key k
  WHERE k.id = s.key_id
)`;

/** A data key's row as JSON from the database, with bytes in base64. */
export type StoredKey = { id: string; wrapped: string; wrapped_by: string };

const secretPrefix = "secret:";

/**
 * Returns the wrapping key that is derived from SECRET, and its name. Different SECRETs have
 * different names, which don't reveal them. The name contains a colon, unlike the names in
 * INTEGRATION_KEYS.
 */
export const derivedKey = (): NamedKey => named(key("integration-keys"));

type NamedKey = [name: string, wrapping: Buffer];

function named(wrapping: Buffer): NamedKey {
  const mark = createHmac("sha256", wrapping).update("name").digest("hex").slice(0, 12);
  return [secretPrefix + mark, wrapping];
}

/** Returns the wrapping key for new data keys. */
export function firstWrappingKey(): NamedKey {
  for (const first of env().integrationKeys) return first;
  return derivedKey();
}

/**
 * Returns the wrapping key with this name, if this instance has it. Includes the keys derived from
 * SECRET and SECRET_PREVIOUS even if INTEGRATION_KEYS is set, so that a rotation can replace them.
 */
const wrappingKey = (name: string): Buffer | undefined =>
  new Map([...env().integrationKeys, ...acceptedKeys("integration-keys").map(named)]).get(name);

/**
 * Encrypts the data keys that SECRET_PREVIOUS protects with the wrapping key for new data keys. The
 * data keys themselves do not change.
 * @returns the number of these data keys
 */
export async function rewrapDataKeys(): Promise<number> {
  const former = acceptedKeys("integration-keys").slice(1).map(named);
  const rows = await sql<DataKeyRow>`
    SELECT id, wrapped, wrapped_by
    FROM data_key
    WHERE wrapped_by = ANY (${former.map(([name]) => name)})`.rows();
  const [name, wrapping] = firstWrappingKey();
  for (const row of rows) {
    const wrapped = sealWith(wrapping, openDataKey(row), keyContext(aboutKey(row.id), name));
    await sql`
      UPDATE data_key
      SET wrapped = ${wrapped}, wrapped_by = ${name}
      WHERE id = ${row.id} AND wrapped_by = ${row.wrapped_by}`.run();
  }
  return rows.length;
}

/**
 * Returns the context to which an encrypted value is bound: its row and its key, encoded
 * unambiguously.
 */
export const keyContext = (about: readonly string[], keyId: string): string => JSON.stringify([...about, keyId]);

/** Returns the context to which a wrapped data key is bound. */
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
 * @throws {KeyError} if this instance lacks the wrapping key, or has a different key with that name
 */
export function openDataKey({ id, wrapped, wrapped_by: name }: DataKeyRow): Buffer {
  const wrapping = wrappingKey(name);
  if (!wrapping)
    throw new KeyError(
      name.startsWith(secretPrefix)
        ? `The stored secrets were encrypted with a different SECRET (expected the key ${name}, got the key ${derivedKey()[0]}). Restore the previous SECRET`
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
 * @throws {KeyError} if there are data keys but this instance can't decrypt any of them
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
 * Returns the data key for encryption, and creates the first one if necessary. Locks the key (FOR
 * KEY SHARE) until the transaction ends, so that it isn't deleted. An instance that can't decrypt
 * the newest data key uses an older one, and the next rotation re-encrypts the values that it
 * stores.
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
    // Of several concurrent instances, only one creates the key. The others wait for its commit,
    // and then read again.
    if ((await insertUnlessOther(row).run(tx)) > 0) return { id: row.id, dataKey };
  }
}

/**
 * Creates the first data key, unless there is one. With several databases, the key must exist
 * before any transaction that needs it: the value's database must already have a copy of the key.
 */
export const createFirstDataKey = (): Promise<number> => insertUnlessOther(newDataKey().row).run();

const insertUnlessOther = ({ id, wrapped, wrapped_by }: DataKeyRow) => sql`
  INSERT INTO data_key (id, wrapped, wrapped_by)
  VALUES (${id}, ${wrapped}, ${wrapped_by})
  ON CONFLICT DO NOTHING`;

/**
 * Decrypts a value with its data key.
 * @returns undefined if the value was changed or moved from another row
 * @throws {KeyError} if this instance can't decrypt the data key; another instance may have the
 *   wrapping key
 */
export function unsealWithDataKey(key: StoredKey, sealed: Uint8Array, about: readonly string[]): Buffer | undefined {
  const dataKey = openDataKey({ ...key, wrapped: Buffer.from(key.wrapped, "base64") });
  try {
    return unsealWith(dataKey, sealed, keyContext(about, key.id));
  } catch {
    return undefined;
  }
}
