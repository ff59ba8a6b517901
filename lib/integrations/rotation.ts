import { db } from "@/lib/db";
import { sealWith, unsealWith } from "@/lib/keys/crypto";
import { type DataKeyRow, firstWrappingKey, newDataKey, openDataKey } from "@/lib/keys/data-keys";
import { boundTo, keyUsed, type SealedRows } from "@/lib/keys/sealed-rows";
import { identifier, sql } from "@/lib/sql";

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

/** How many are read and written at a time. */
const batch = 200;
/** Rounds until what others store meanwhile is given up on: then a copy still closes with a former key. */
const mostRounds = 5;

/**
 * Close all credentials, and what webhooks are signed with, with a new data key, which is closed with the first of
 * INTEGRATION_KEYS, and delete the keys that nothing uses then. Safe while the service runs and stores on several copies, to repeat, and to break off: the next one
 * begins by finishing.
 * @param sealed everything that is closed with data keys
 * @throws {KeyError} when a data key in use cannot be opened; nothing is lost
 */
export async function rotateKeys(sealed: readonly SealedRows[]): Promise<Rotation> {
  await openedKeys(sealed);
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

async function resealAll(sealed: readonly SealedRows[], current: DataKeyRow, done: Resealed): Promise<void> {
  for (let round = 0; round < mostRounds; round++) {
    let [resealed, unreadable] = [0, 0];
    for (const rows of sealed) {
      const some = await resealOnce(sealed, current, rows);
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

type Sealed = { id: string; about: string[]; sealed: Buffer; key_id: string };

/** One time through all of a table that another key closes. */
async function resealOnce(
  all: readonly SealedRows[],
  current: DataKeyRow,
  { table, id, about, from: source }: SealedRows,
) {
  const into = openDataKey(current);
  const from = await openedKeys(all);
  const key = identifier(`s.${id}`);
  let [resealed, unreadable, after] = [0, 0, ""];
  for (;;) {
    const sealed = await sql<Sealed>`SELECT ${key} AS id, ${about} AS about, s.sealed, s.key_id FROM ${source}
        WHERE s.key_id <> ${current.id} AND ${key} > ${after} ORDER BY ${key} LIMIT ${batch}`.rows();
    const moved = sealed.flatMap((row) => {
      const dataKey = from.get(row.key_id);
      // Closed with a key that came since: the next round.
      if (!dataKey) return [];
      const plain = opened(dataKey, row.sealed, boundTo(row.about, row.key_id));
      if (!plain) unreadable++;
      return plain ? [{ row, sealed: sealWith(into, plain, boundTo(row.about, current.id)) }] : [];
    });
    if (moved.length > 0) {
      // Only what is still as it was read: what was stored meanwhile stands. And only while no other rotation has begun.
      resealed += await sql`UPDATE ${identifier(table)} s SET key_id = ${current.id}, sealed = n.sealed
        FROM unnest(${moved.map(({ row }) => row.id)}::text[], ${moved.map(({ row }) => row.sealed)}::bytea[],
          ${moved.map((it) => it.sealed)}::bytea[]) AS n (id, former, sealed)
        WHERE ${key} = n.id AND s.sealed = n.former
          AND EXISTS (SELECT FROM data_key k WHERE k.id = ${current.id} AND k.retired_at IS NULL)`.run();
    }
    const last = sealed.at(-1);
    if (!last || sealed.length < batch) return { resealed, unreadable };
    after = last.id;
  }
}

/** @throws {KeyError} for the first in use that cannot be opened */
async function openedKeys(sealed: readonly SealedRows[]): Promise<Map<string, Buffer>> {
  const keys = await sql<DataKeyRow>`SELECT id, wrapped, wrapped_by FROM data_key k WHERE ${keyUsed(sealed)}`.rows();
  return new Map(keys.map((row) => [row.id, openDataKey(row)]));
}

function opened(dataKey: Buffer, sealed: Buffer, about: string): Buffer | undefined {
  try {
    return unsealWith(dataKey, sealed, about);
  } catch {
    return undefined;
  }
}

/** Delete the retired keys that nothing uses. @returns also how many retired ones are left */
async function deleteUnused(sealed: readonly SealedRows[]): Promise<{ deleted: number; left: number }> {
  return db.$transaction(async (tx) => {
    // Whoever is about to store something holds a key; after their commit it shows whether they used it.
    const retired = await sql<{ id: string }>`SELECT id FROM data_key WHERE retired_at IS NOT NULL FOR UPDATE`.rows(tx);
    const ids = retired.map(({ id }) => id);
    const deleted = await sql`DELETE FROM data_key k WHERE id = ANY (${ids}) AND NOT ${keyUsed(sealed)}`.run(tx);
    return { deleted, left: ids.length - deleted };
  });
}
