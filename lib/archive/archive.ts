import { gunzipSync, gzipSync } from "node:zlib";
import type { OwnerActor } from "@/lib/actor";
import type { ExpiryRule } from "@/lib/database/expired-row-sweeper";
import { epochMs, literal, sql } from "@/lib/database/sql";
import type { Change } from "@/lib/events/change-transaction";
import type { ArchivedLine } from "@/lib/events/expired-events";
import { record } from "@/lib/events/record-events";
import { ownerNamed } from "@/lib/owners/owner-sql-for-other-domains";

/*
 * Retention removes rows, and their owner can download them from an archive for some time. The
 * archive is stored compressed in the database, not in files, because instances share no disk and
 * database backups include it. Each part is written in the transaction that records or removes its
 * rows.
 */

/** Days for which an archive can be downloaded. */
export const archiveDays = 90;

type ArchiveKind = "activity" | "answers";

/**
 * Adds lines to an owner's archive. The owner's first addition in a month is recorded in their
 * activity.
 * @returns false if the owner no longer exists
 */
export async function addToArchive(
  tx: Change,
  ownerId: string,
  kind: ArchiveKind,
  lines: ArchivedLine[],
): Promise<boolean> {
  const data = gzipSync(lines.map(({ line }) => `${line}\n`).join(""));
  const times = lines.map(({ at }) => at);
  const written = await sql<{ known: boolean }>`
    INSERT INTO archive_part (owner_id, kind, rows, first_at, last_at, data)
    SELECT o.id, ${kind}, ${lines.length}, to_timestamp(${Math.min(...times)}::float8 / 1000),
      to_timestamp(${Math.max(...times)}::float8 / 1000), ${data}
    FROM ${ownerNamed(ownerId)} AS o
    RETURNING EXISTS (
      SELECT FROM archive_part p
      WHERE p.owner_id = archive_part.owner_id AND p.created_at >= date_trunc('month', now(), 'UTC')
    ) AS known`.row(tx);
  if (written && !written.known) await record(tx, { ownerId, type: "owner.archived", subject: ownerId });
  return written !== undefined;
}

/**
 * The number of rows in an owner's archive, by kind, and the times of the first and last row.
 * `goesAt`: when the oldest part can no longer be downloaded. Times are in epoch milliseconds.
 */
export type Archive = { answers: number; activity: number; firstAt: number; lastAt: number; goesAt: number };

export async function readArchive({ ownerId }: OwnerActor): Promise<Archive | undefined> {
  const found = await sql<Archive & { parts: number }>`
    SELECT count(*)::int AS parts,
      coalesce(sum(rows) FILTER (WHERE kind = 'answers'), 0)::int AS answers,
      coalesce(sum(rows) FILTER (WHERE kind = 'activity'), 0)::int AS activity,
      min(${epochMs("first_at")}) AS "firstAt", max(${epochMs("last_at")}) AS "lastAt",
      min(${epochMs("created_at")}) + ${archiveDays * 86_400_000}::float8 AS "goesAt"
    FROM archive_part
    WHERE owner_id = ${ownerId}`.row();
  if (!found || found.parts === 0) return undefined;
  const { parts: _, ...archive } = found;
  return archive;
}

/** Reads an owner's archive as lines of JSON, oldest first. Each part is read on demand. */
export async function* downloadArchive({ ownerId }: OwnerActor): AsyncGenerator<string> {
  let after = "0";
  for (;;) {
    const part = await sql<{ id: string; data: Buffer }>`
      SELECT id::text, data
      FROM archive_part
      WHERE owner_id = ${ownerId} AND id > ${after}::bigint
      ORDER BY archive_part.id LIMIT 1`.row();
    if (!part) return;
    yield gunzipSync(part.data).toString();
    after = part.id;
  }
}

/** Expiry rule for archive parts. */
export const spentArchives: ExpiryRule = {
  table: "archive_part",
  when: sql`created_at < now() - make_interval(days => ${literal(archiveDays)})`,
};
