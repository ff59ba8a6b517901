import { sql } from "@/lib/database/sql";
import { nameSkeletons } from "./names";

const batch = 500;

/**
 * Fold the names that this release has not folded yet, since names are found by what they fold to: after an upgrade, what
 * looks alike by the new table is found among the old apps too. Before the service serves; safe on several copies at once.
 * @returns how many
 */
export async function backfillNameFolds(): Promise<number> {
  let total = 0;
  for (;;) {
    // Not through Prisma, which a service that has just begun need not load (lib/database/db.ts).
    const apps = await sql<{ id: string; name: string }>`SELECT id, name FROM app WHERE name_folded IS NULL
      ORDER BY created_at LIMIT ${batch}`.rows();
    if (apps.length === 0) return total;
    // Another copy may take the same skeleton in the same moment: then it is there to be seen.
    for (const { id, name } of apps) await fold(id, name).catch(() => fold(id, name));
    total += apps.length;
  }
}

/**
 * Of two apps that one owner registered by hand, whose names were different and now look alike, the first keeps the
 * skeleton, by which imitations of either are found; the other one's is made unlike any.
 */
async function fold(id: string, name: string) {
  const { nameSkeleton, nameFolded } = nameSkeletons(name);
  await sql`UPDATE app SET name_folded = ${nameFolded}, name_skeleton = CASE WHEN kind = 'manual' AND deleted_at IS NULL AND EXISTS (
        SELECT FROM app o WHERE o.owner_id = app.owner_id AND o.name_skeleton = ${nameSkeleton} AND o.kind = 'manual' AND o.deleted_at IS NULL AND o.id <> ${id})
      THEN ${`${nameSkeleton} ${id}`} ELSE ${nameSkeleton} END
    WHERE id = ${id}`.run();
}
