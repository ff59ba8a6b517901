import { db } from "@/lib/database/db";
import { lockKeyTable } from "@/lib/database/directory-locks";
import { identifier, sql } from "@/lib/database/sql";
import { sealWith } from "./crypto";
import { type DataKeyRow, firstWrappingKey, keyContext, newDataKey, openDataKey, unsealWithDataKey } from "./data-keys";
import { deleteUnusedKeys, type EncryptedTable, inBatches, onEveryShardWithKey } from "./encrypted-table";
import { checkKeys } from "./key-check";

/** The result of a rotation. */
export type Rotation = {
  /** The ID of the data key that now encrypts all values. */
  keyId: string;
  wrappedBy: string;
  /** The number of values that were re-encrypted, and the number that could not be decrypted. */
  resealed: number;
  unreadable: number;
  /** The number of unused data keys that were deleted. */
  deleted: number;
};

/**
 * The maximum number of passes over all tables. Further passes re-encrypt values that were stored
 * during the rotation, for example by an instance that still used an older key.
 */
const maxRounds = 5;

/**
 * Re-encrypts everything with a new data key, wrapped by the first of INTEGRATION_KEYS, and deletes
 * unused keys. Instances can keep storing values meanwhile. If the previous rotation was
 * interrupted, this one only completes it.
 * @param sealed all encrypted tables
 * @throws {KeyError} if a data key in use can't be decrypted; nothing is lost
 */
export async function rotateKeys(sealed: readonly EncryptedTable[]): Promise<Rotation> {
  await checkKeys(sealed);
  // If an earlier rotation was interrupted, some rows still use a key other than the current one.
  // This rotation then only completes the earlier one.
  const begun = await currentKey();
  const done: Resealed = { resealed: 0, unreadable: 0, deleted: 0 };
  if (begun) await resealAll(sealed, begun, done);
  const current = begun && done.resealed > 0 ? begun : await replaceCurrent(begun?.id);
  if (current !== begun) await resealAll(sealed, current, done);
  return { keyId: current.id, wrappedBy: current.wrapped_by, ...done };
}

type Resealed = Pick<Rotation, "resealed" | "unreadable" | "deleted">;

/** Returns the current data key, if it is wrapped by the first wrapping key. */
function currentKey(): Promise<DataKeyRow | undefined> {
  return sql<DataKeyRow>`
    SELECT id, wrapped, wrapped_by
    FROM data_key
    WHERE retired_at IS NULL AND wrapped_by = ${firstWrappingKey()[0]}`.row();
}

/**
 * Creates a data key and retires the previous one, unless a concurrent rotation has already done
 * so.
 * @returns the current data key
 */
async function replaceCurrent(former: string | undefined): Promise<DataKeyRow> {
  const { row: next } = newDataKey();
  return db.$transaction(async (tx) => {
    // Keys are created and retired under this lock, so that exactly one is always in use.
    await lockKeyTable("data_key", tx);
    const current = await sql<DataKeyRow>`
      SELECT id, wrapped, wrapped_by
      FROM data_key
      WHERE retired_at IS NULL`.row(tx);
    if (current && current.id !== former && current.wrapped_by === next.wrapped_by) return current;
    await sql`UPDATE data_key SET retired_at = clock_timestamp() WHERE retired_at IS NULL`.run(tx);
    await sql`
      INSERT INTO data_key (id, wrapped, wrapped_by, created_at)
      VALUES (${next.id}, ${next.wrapped}, ${next.wrapped_by}, clock_timestamp())`.run(tx);
    return next;
  });
}

async function resealAll(sealed: readonly EncryptedTable[], current: DataKeyRow, done: Resealed): Promise<void> {
  for (let round = 0; round < maxRounds; round++) {
    let [resealed, unreadable] = [0, 0];
    await onEveryShardWithKey(current.id, sealed, async () => {
      for (const rows of sealed) {
        const some = await resealOnce(current, rows);
        resealed += some.resealed;
        unreadable += some.unreadable;
      }
    });
    done.resealed += resealed;
    done.unreadable = unreadable;
    const { deleted, left } = await deleteUnusedKeys(sealed, sql`retired_at IS NOT NULL`);
    done.deleted += deleted;
    // If retired keys remain, they encrypt values that can't be decrypted, or that were stored
    // during this pass.
    if (left === 0 || (unreadable > 0 && resealed === 0)) return;
  }
}

/** Re-encrypts, in a single pass, a table's rows that use other keys. */
async function resealOnce(current: DataKeyRow, rows: EncryptedTable) {
  const into = openDataKey(current);
  const [table, id] = [identifier(rows.table), identifier(`s.${rows.id}`)];
  let [resealed, unreadable] = [0, 0];
  for await (const batch of inBatches(rows, current.id)) {
    const moved = batch.flatMap((row) => {
      const plain = unsealWithDataKey(row.key, row.sealed, row.about);
      if (!plain) unreadable++;
      return plain ? [{ row, sealed: sealWith(into, plain, keyContext(row.about, current.id)) }] : [];
    });
    // Updates a row only if it is unchanged, to keep newer values, and only if no other rotation
    // has begun.
    resealed += await sql`
      UPDATE ${table} s
      SET key_id = ${current.id}, sealed = n.sealed
      FROM unnest(
        ${moved.map(({ row }) => row.id)}::text[], ${moved.map(({ row }) => row.sealed)}::bytea[],
        ${moved.map((it) => it.sealed)}::bytea[]
      ) AS n (id, former, sealed)
      WHERE ${id} = n.id
        AND s.sealed = n.former
        AND EXISTS (
          SELECT FROM data_key k WHERE k.id = ${current.id} AND k.retired_at IS NULL
        )`.run();
  }
  return { resealed, unreadable };
}
