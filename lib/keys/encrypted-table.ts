import { clock } from "@/lib/clock";
import { db } from "@/lib/database/db";
import { isInDirectory, isTableOfService } from "@/lib/database/shards/each-shard";
import { inEveryShard, inReachableShards, inService } from "@/lib/database/shards/marks";
import { identifier, type Sql, sql } from "@/lib/database/sql";
import { KeyError, keyOf, type StoredKey, unsealWithDataKey } from "./data-keys";

/**
 * A table with values that are encrypted with data keys. `lib/cli/all-encrypted-tables.ts` lists
 * all of these tables.
 */
export type EncryptedTable = {
  table: string;
  /** The column that identifies rows. */
  id: string;
  /**
   * SQL: the data that the encrypted value in a row `s` is bound to, as an array without the key's
   * ID.
   */
  about: Sql;
  from: Sql;
  /**
   * `what` names for the operator what the encrypted values belong to, and `column` identifies it.
   */
  protects: { what: string; column: string };
};

/** SQL: whether a table uses a key `k`. */
const usesKey = ({ table }: EncryptedTable) => sql`EXISTS (
  SELECT FROM ${identifier(table)} s WHERE s.key_id = k.id
)`;

/**
 * Deletes the unused keys that match `which`, from the directory.
 * @param sealed all encrypted tables
 * @returns the number of deleted keys, and the number of matching keys that are still in use
 * @throws {ShardAway} if a shard is away, because it could use the keys
 */
export const deleteUnusedKeys = (
  sealed: readonly EncryptedTable[],
  which: Sql,
): Promise<{ deleted: number; left: number }> =>
  inService(() =>
    db.$transaction(async (tx) => {
      // A transaction locks a key before it stores a value encrypted with the key. Once this
      // transaction has the locks, it sees every such value.
      const keys = await sql<LockedKey>`
        SELECT id, retired_at IS NOT NULL AS retired
        FROM data_key
        WHERE ${which}
        FOR UPDATE`.rows(tx);
      const elsewhere = (await inEveryShard(async () => (isInDirectory() ? [] : keysUsedHere(sealed, keys)))).flat();
      const unused = keys.map(({ id }) => id).filter((id) => !elsewhere.includes(id));
      const deleted = await sql`
        DELETE FROM data_key k
        WHERE id = ANY (${unused}) AND NOT (${anyUses(sealed)})`.run(tx);
      return { deleted, left: keys.length - deleted };
    }),
  );

type LockedKey = { id: string; retired: boolean };

const anyUses = (sealed: readonly EncryptedTable[]) =>
  sealed.map(usesKey).reduce((some, one) => sql`${some} OR ${one}`);

/** Returns the keys that the current shard uses, or could use because its copy is out of date. */
function keysUsedHere(sealed: readonly EncryptedTable[], keys: readonly LockedKey[]): Promise<string[]> {
  const retired = keys.filter((key) => key.retired).map(({ id }) => id);
  // Names the shard's own tables, so it reads the shard's copy of the keys.
  const inCopy = sql<{ id: string; used: boolean }>`
    SELECT k.id, ${anyUses(sealed)} OR k.retired_at IS NULL AND k.id = ANY (${retired}) AS used
    FROM data_key k
    WHERE k.id = ANY (${keys.map(({ id }) => id)})`;
  return db.$transaction(async (tx) => {
    // After the locks, no transaction is open that encrypted a value with one of the keys.
    await sql`${inCopy} FOR UPDATE OF k`.rows(tx);
    return (await inCopy.rows(tx)).filter(({ used }) => used).map(({ id }) => id);
  });
}

/**
 * Runs work on every shard, once the shard has a copy of a new key.
 * @throws {KeyError} if a shard does not receive the key within half a minute
 */
export async function onEveryShardWithKey(
  id: string,
  sealed: readonly EncryptedTable[],
  work: () => Promise<void>,
): Promise<void> {
  await inEveryShard(async () => {
    // Like above, names the shard's own tables.
    const copy = sql`SELECT ${anyUses(sealed)} AS used FROM data_key k WHERE k.id = ${id}`;
    for (let attempt = 0; !isInDirectory() && !(await copy.row()); attempt++) {
      if (attempt === 300)
        throw new KeyError(
          "A shard did not receive the new data key. Check its replication, then run the command again",
        );
      await clock.pause(100);
    }
    await work();
  });
}

/** Returns how many things a key protects in a table, on all reachable shards. */
export async function countProtected(keyId: string, { table, protects }: EncryptedTable): Promise<number> {
  const counted = sql<{ count: number }>`
    SELECT count(DISTINCT ${identifier(protects.column)})::int AS count
    FROM ${identifier(table)}
    WHERE key_id = ${keyId}`;
  // Each shard has a copy of the service's tables, which would be counted again.
  const count = () => counted.rows();
  const found = isTableOfService(table) ? await count() : (await inReachableShards(count)).flat();
  return found.reduce((sum, { count }) => sum + count, 0);
}

type SealedRow = { id: string; about: string[]; sealed: Uint8Array; key: StoredKey };

/** The number of rows in a batch. */
const batchSize = 200;

/**
 * Reads all rows of a table in batches.
 * @param but the ID of a key whose rows are excluded
 */
export async function* inBatches({ id, about, from }: EncryptedTable, but = ""): AsyncGenerator<SealedRow[]> {
  const column = identifier(`s.${id}`);
  for (let after: string | undefined = ""; after !== undefined; ) {
    const batch: SealedRow[] = await sql<SealedRow>`
      SELECT ${column} AS id, ${about} AS about, s.sealed, ${keyOf} AS key
      FROM ${from}
      WHERE s.key_id <> ${but} AND ${column} > ${after}
      ORDER BY ${column} LIMIT ${batchSize}`.rows();
    yield batch;
    after = batch.length < batchSize ? undefined : batch.at(-1)?.id;
  }
}

/**
 * Returns the rows that the available keys can't decrypt: by row ID, the data that the row is bound
 * to.
 */
export async function undecryptable(rows: EncryptedTable): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  await inEveryShard(async () => {
    for await (const batch of inBatches(rows)) for (const row of batch) if (!opens(row)) found.set(row.id, row.about);
  });
  return found;
}

function opens({ key, sealed, about }: SealedRow): boolean {
  try {
    return unsealWithDataKey(key, sealed, about) !== undefined;
  } catch (error) {
    if (error instanceof KeyError) return false;
    throw error;
  }
}
