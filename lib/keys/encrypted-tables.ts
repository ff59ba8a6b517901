import { identifier, type Sql, sql } from "@/lib/database/sql";
import { KeyError, keyOf, type StoredKey, unsealWithDataKey } from "./data-keys";

/** A table with things that data keys close: `lib/cli/sealed.ts` names them all. */
export type EncryptedTable = {
  table: string;
  /** The column by which rows are known. */
  id: string;
  /** What a row `s` is bound to, before the key: an array, as SQL. */
  about: Sql;
  from: Sql;
  /** What it is that would be lost, for the operator, and the column that tells one from another. */
  protects: { what: string; by: string };
};

/** Whether anything uses a key `k`, as SQL. @param sealed everything that is closed with keys */
export const keyUsed = (sealed: readonly EncryptedTable[]): Sql =>
  sql`(${sealed
    .map(({ table }) => sql`EXISTS (SELECT FROM ${identifier(table)} s WHERE s.key_id = k.id)`)
    .reduce((some, one) => sql`${some} OR ${one}`)})`;

type SealedRow = { id: string; about: string[]; sealed: Uint8Array; key: StoredKey };

/** How many are read and written at a time. */
const most = 200;

/** All of a table's rows, some at a time. @param but not those that this key closes */
export async function* inBatches({ id, about, from }: EncryptedTable, but = ""): AsyncGenerator<SealedRow[]> {
  const column = identifier(`s.${id}`);
  for (let after: string | undefined = ""; after !== undefined; ) {
    const batch: SealedRow[] =
      await sql<SealedRow>`SELECT ${column} AS id, ${about} AS about, s.sealed, ${keyOf} AS key FROM ${from}
        WHERE s.key_id <> ${but} AND ${column} > ${after} ORDER BY ${column} LIMIT ${most}`.rows();
    yield batch;
    after = batch.length < most ? undefined : batch.at(-1)?.id;
  }
}

/** What of a table does not open with the keys there are: what it is bound to, by the column by which rows are known. */
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
