import { db } from "@/lib/database/db";
import { identifier, type Sql, sql } from "@/lib/database/sql";
import { KeyError, keyOf, type StoredKey, unsealWithDataKey } from "./data-keys";

/**
 * A table with values encrypted by data keys. `lib/cli/all-encrypted-tables.ts` lists all of them.
 */
export type EncryptedTable = {
  table: string;
  /** The column that identifies rows. */
  id: string;
  /** SQL: what the value in a row `s` is bound to, as an array without the key's ID. */
  about: Sql;
  from: Sql;
  /**
   * What the encrypted values belong to, in words for the operator, and the column that identifies
   * it.
   */
  protects: { what: string; column: string };
};

/** SQL: whether a table uses a key `k`. */
const usesKey = ({ table }: EncryptedTable) => sql`EXISTS (
  SELECT FROM ${identifier(table)} s WHERE s.key_id = k.id
)`;

/**
 * Deletes the unused keys that match `which`.
 * @param sealed all encrypted tables
 * @returns the number of deleted keys, and the number of matching keys that are still in use
 */
export function deleteUnusedKeys(
  sealed: readonly EncryptedTable[],
  which: Sql,
): Promise<{ deleted: number; left: number }> {
  return db.$transaction(async (tx) => {
    // A transaction locks a key before it stores a value with it. Once these locks are acquired,
    // every such value is visible.
    const locked = await sql<{ id: string }>`
      SELECT id
      FROM data_key
      WHERE ${which}
      FOR UPDATE`.rows(tx);
    const ids = locked.map(({ id }) => id);
    const isUsed = sealed.map(usesKey).reduce((some, one) => sql`${some} OR ${one}`);
    const deleted = await sql`
      DELETE FROM data_key k
      WHERE id = ANY (${ids}) AND NOT (${isUsed})`.run(tx);
    return { deleted, left: ids.length - deleted };
  });
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

/** Returns what the rows are bound to that the available keys can't decrypt, by the row's ID. */
export async function undecryptable(rows: EncryptedTable): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for await (const batch of inBatches(rows)) for (const row of batch) if (!opens(row)) found.set(row.id, row.about);
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
