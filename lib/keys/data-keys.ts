import { createHmac, randomBytes } from "node:crypto";
import { env } from "@/lib/config/env";
import { type Executor, sql } from "@/lib/database/sql";
import { key, sealWith, unsealWith } from "./crypto";
import { newId } from "./ids";

/*
 * Two floors of keys. What a provider gave us is closed with a data key, which is in the database; that one is closed with a
 * wrapping key, which never is: one of INTEGRATION_KEYS, or one derived from SECRET. Whoever has the database alone has nothing.
 */

/** The operator's keys do not open what is in the database. The message names the key, and never shows one. */
export class KeyError extends Error {}

export type DataKeyRow = { id: string; wrapped: Uint8Array; wrapped_by: string };

/** What closes a row `s` of something sealed, as SQL that gives JSON: a `StoredKey`. */
export const keyOf = sql`(SELECT json_build_object('id', k.id, 'wrapped', encode(k.wrapped, 'base64'), 'wrapped_by', k.wrapped_by)
  FROM data_key k WHERE k.id = s.key_id)`;

/** A row as JSON of the database has it: bytes in base64. */
export type StoredKey = { id: string; wrapped: string; wrapped_by: string };

const secretPrefix = "secret:";

/**
 * The key derived from SECRET, by a name that tells one SECRET from another and says nothing of either. No name in
 * INTEGRATION_KEYS has a colon.
 */
export function derivedKey(): [name: string, wrapping: Buffer] {
  const wrapping = key("integration-keys");
  const mark = createHmac("sha256", wrapping).update("name").digest("hex").slice(0, 12);
  return [secretPrefix + mark, wrapping];
}

/** The wrapping key that new data keys are closed with. */
export function firstWrappingKey(): [name: string, wrapping: Buffer] {
  for (const first of env().integrationKeys) return first;
  return derivedKey();
}

/** The one derived from SECRET opens too when others are named, so that what it closed before can be moved to them. */
function wrappingKey(name: string): Buffer | undefined {
  const [derivedName, derived] = derivedKey();
  return name === derivedName ? derived : env().integrationKeys.get(name);
}

/** What is sealed is bound to: what it belongs to, and the key. Unambiguous whatever stands in it. */
export const keyContext = (about: readonly string[], keyId: string): string => JSON.stringify([...about, keyId]);

/** What a data key is bound to, before the wrapping key. */
const aboutKey = (id: string) => ["data-key", id];

/** A new data key and its row, which is not in the database yet. */
export function newDataKey(): { row: DataKeyRow; dataKey: Buffer } {
  const [name, wrapping] = firstWrappingKey();
  const [id, dataKey] = [newId("key"), randomBytes(32)];
  return {
    row: { id, wrapped: sealWith(wrapping, dataKey, keyContext(aboutKey(id), name)), wrapped_by: name },
    dataKey,
  };
}

/**
 * The data key of a row.
 * @throws {KeyError} when its wrapping key is not among ours, or is another under the same name
 */
export function openDataKey({ id, wrapped, wrapped_by: name }: DataKeyRow): Buffer {
  const wrapping = wrappingKey(name);
  if (!wrapping)
    throw new KeyError(
      name.startsWith(secretPrefix)
        ? `SECRET is not the one that encrypted the stored secrets (that was ${name}, this is ${derivedKey()[0]})`
        : `INTEGRATION_KEYS lacks the key "${name}", which encrypted the stored secrets`,
    );
  try {
    return unsealWith(wrapping, wrapped, keyContext(aboutKey(id), name));
  } catch {
    throw new KeyError(`The key "${name}" in INTEGRATION_KEYS differs from the one that encrypted the stored secrets`);
  }
}

/**
 * Close something with a data key, bound to what it belongs to.
 * @throws {KeyError} when there are keys and none can be opened
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
 * The key to close something with now, held (FOR KEY SHARE) until the transaction ends so that none in use is deleted. The
 * first one ever is made here. A copy that was not given the newest wrapping key yet goes on with one that it can open:
 * what a provider just gave us must be kept, and the next rotation takes it along.
 */
async function keyToSealWith(tx: Executor): Promise<{ id: string; dataKey: Buffer }> {
  for (;;) {
    const found = await sql<DataKeyRow>`SELECT id, wrapped, wrapped_by
        FROM data_key ORDER BY retired_at IS NOT NULL, created_at DESC FOR KEY SHARE`.rows(tx);
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
    // Of several at once one makes it; the others wait for that one's commit and look again.
    const made =
      await sql`INSERT INTO data_key (id, wrapped, wrapped_by) VALUES (${row.id}, ${row.wrapped}, ${row.wrapped_by})
      ON CONFLICT DO NOTHING`.run(tx);
    if (made > 0) return { id: row.id, dataKey };
  }
}

/**
 * @returns undefined for what was changed, or stands in another's row
 * @throws {KeyError} when the key cannot be opened: another copy may have been given what opens it
 */
export function unsealWithDataKey(key: StoredKey, sealed: Uint8Array, about: readonly string[]): Buffer | undefined {
  const dataKey = openDataKey({ ...key, wrapped: Buffer.from(key.wrapped, "base64") });
  try {
    return unsealWith(dataKey, sealed, keyContext(about, key.id));
  } catch {
    return undefined;
  }
}
