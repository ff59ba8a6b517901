import { sql } from "@/lib/database/sql";
import { joinWords } from "@/lib/text/join-words";
import { plural } from "@/lib/text/plural";
import { type DataKeyRow, KeyError, openDataKey } from "./data-keys";
import { countProtected, deleteUnusedKeys, type EncryptedTable } from "./encrypted-table";

/**
 * Checks that the operator's keys decrypt all data keys in use. Deletes unused data keys that they
 * can't decrypt.
 * @param sealed all encrypted tables
 * @throws {KeyError} that names the key, and says how much it protects and what to do
 */
export async function checkKeys(sealed: readonly EncryptedTable[]): Promise<void> {
  const [lost] = await deleteLostKeys(sealed);
  if (!lost) return;
  const parts = await Promise.all(sealed.map((rows) => protectedBy(lost.id, rows)));
  const many = joinWords(parts.flat()) || "nothing";
  throw new KeyError(
    `${lost.problem.message}, or delete the secrets stored for ${many} with "npm run -s countersign -- keys forget".`,
  );
}

/**
 * Returns how much a key protects in a table, such as "3 accounts", or an empty array if it
 * protects nothing there.
 */
async function protectedBy(id: string, rows: EncryptedTable): Promise<string[]> {
  const { what } = rows.protects;
  const count = await countProtected(id, rows);
  return count === 0 ? [] : [plural(count, { one: `one ${what}`, other: `# ${what}s` })];
}

/**
 * Deletes keys that can't be decrypted and protect nothing.
 * @returns the keys in use that can't be decrypted
 */
export async function deleteLostKeys(sealed: readonly EncryptedTable[]): Promise<{ id: string; problem: KeyError }[]> {
  const used: { id: string; problem: KeyError }[] = [];
  for (const row of await sql<DataKeyRow>`
    SELECT id, wrapped, wrapped_by
    FROM data_key
    ORDER BY created_at`.rows()) {
    const problem = problemOf(row);
    if (problem && (await deleteUnusedKeys(sealed, sql`id = ${row.id}`)).left > 0) used.push({ id: row.id, problem });
  }
  return used;
}

function problemOf(row: DataKeyRow): KeyError | undefined {
  try {
    openDataKey(row);
    return undefined;
  } catch (error) {
    if (error instanceof KeyError) return error;
    throw error;
  }
}
