import { db } from "@/lib/database/db";
import { identifier, sql } from "@/lib/database/sql";
import { sealWith } from "./crypto";
import { type DataKeyRow, firstWrappingKey, keyContext, newDataKey, openDataKey, unsealWithDataKey } from "./data-keys";
import { type EncryptedTable, inBatches, keyUsed } from "./encrypted-tables";
import { checkKeys } from "./key-check";

/** What a rotation did. */
export type Rotation = {
  /** The data key that everything is closed with now, and the wrapping key that it is closed with. */
  keyId: string;
  wrappedBy: string;
  /** How many secrets were moved to it, and how many could not be since they do not open. */
  resealed: number;
  unreadable: number;
  /** Data keys that nothing uses any more, and that are gone. */
  deleted: number;
};

/** Rounds until what others store meanwhile is given up on: then a copy still closes with a former key. */
const mostRounds = 5;

/**
 * Close all that is sealed with a new data key, which is closed with the first of INTEGRATION_KEYS, and delete the keys that
 * nothing uses then. Safe while the service runs and stores on several copies, to repeat, and to break off: the next one begins
 * by finishing.
 * @param sealed everything that is closed with data keys
 * @throws {KeyError} when a data key in use cannot be opened; nothing is lost
 */
export async function rotateKeys(sealed: readonly EncryptedTable[]): Promise<Rotation> {
  await checkKeys(sealed);
  // What an earlier one left, when it was broken off, is all there is to do.
  const begun = await currentKey();
  const done: Resealed = { resealed: 0, unreadable: 0, deleted: 0 };
  if (begun) await resealAll(sealed, begun, done);
  const current = begun && done.resealed > 0 ? begun : await replaceCurrent(begun?.id);
  if (current !== begun) await resealAll(sealed, current, done);
  return { keyId: current.id, wrappedBy: current.wrapped_by, ...done };
}

type Resealed = Pick<Rotation, "resealed" | "unreadable" | "deleted">;

/** The key in use, if there is one and it is closed with what it should be closed with. */
function currentKey(): Promise<DataKeyRow | undefined> {
  return sql<DataKeyRow>`SELECT id, wrapped, wrapped_by FROM data_key WHERE retired_at IS NULL AND wrapped_by = ${firstWrappingKey()[0]}`.row();
}

/** Make a data key and retire the one before, unless another rotation was quicker. @returns the one that counts */
async function replaceCurrent(former: string | undefined): Promise<DataKeyRow> {
  const { row: next } = newDataKey();
  return db.$transaction(async (tx) => {
    // Whoever makes or retires one does so under this lock, so that there is always exactly one in use.
    await sql`LOCK TABLE data_key IN SHARE ROW EXCLUSIVE MODE`.run(tx);
    const current = await sql<DataKeyRow>`SELECT id, wrapped, wrapped_by FROM data_key
      WHERE retired_at IS NULL`.row(tx);
    if (current && current.id !== former && current.wrapped_by === next.wrapped_by) return current;
    await sql`UPDATE data_key SET retired_at = clock_timestamp() WHERE retired_at IS NULL`.run(tx);
    await sql`INSERT INTO data_key (id, wrapped, wrapped_by, created_at)
      VALUES (${next.id}, ${next.wrapped}, ${next.wrapped_by}, clock_timestamp())`.run(tx);
    return next;
  });
}

async function resealAll(sealed: readonly EncryptedTable[], current: DataKeyRow, done: Resealed): Promise<void> {
  for (let round = 0; round < mostRounds; round++) {
    let [resealed, unreadable] = [0, 0];
    for (const rows of sealed) {
      const some = await resealOnce(current, rows);
      resealed += some.resealed;
      unreadable += some.unreadable;
    }
    done.resealed += resealed;
    done.unreadable = unreadable;
    const { deleted, left } = await deleteUnused(sealed);
    done.deleted += deleted;
    // What is left is held by what does not open, or by something that was stored a moment ago.
    if (left === 0 || (unreadable > 0 && resealed === 0)) return;
  }
}

/** One time through all of a table that another key closes. */
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
    // Only what is still as it was read: what was stored meanwhile stands. And only while no other rotation has begun.
    resealed += await sql`UPDATE ${table} s SET key_id = ${current.id}, sealed = n.sealed
      FROM unnest(${moved.map(({ row }) => row.id)}::text[], ${moved.map(({ row }) => row.sealed)}::bytea[],
        ${moved.map((it) => it.sealed)}::bytea[]) AS n (id, former, sealed)
      WHERE ${id} = n.id AND s.sealed = n.former
        AND EXISTS (SELECT FROM data_key k WHERE k.id = ${current.id} AND k.retired_at IS NULL)`.run();
  }
  return { resealed, unreadable };
}

/** Delete the retired keys that nothing uses. @returns also how many retired ones are left */
async function deleteUnused(sealed: readonly EncryptedTable[]): Promise<{ deleted: number; left: number }> {
  return db.$transaction(async (tx) => {
    // Whoever is about to store something holds a key; after their commit it shows whether they used it.
    const retired = await sql<{ id: string }>`SELECT id FROM data_key WHERE retired_at IS NOT NULL FOR UPDATE`.rows(tx);
    const ids = retired.map(({ id }) => id);
    const deleted = await sql`DELETE FROM data_key k WHERE id = ANY (${ids}) AND NOT ${keyUsed(sealed)}`.run(tx);
    return { deleted, left: ids.length - deleted };
  });
}
