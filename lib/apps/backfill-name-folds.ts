import { sql } from "@/lib/database/sql";
import { nameSkeletons } from "./app-name-checks";

const batch = 500;

/**
 * Folds the names that this release has not folded yet, before the service starts serving. Names
 * are looked up by their folded form, so a new table of look-alikes must apply to existing apps
 * too. Several instances can run this concurrently.
 * @returns the number of folded names
 */
export async function backfillNameFolds(): Promise<number> {
  let total = 0;
  for (;;) {
    // Uses raw SQL, because Prisma would delay the start (lib/database/db.ts).
    const apps = await sql<{ id: string; name: string }>`
      SELECT id, name
      FROM app
      WHERE name_folded IS NULL
      ORDER BY created_at LIMIT ${batch}`.rows();
    if (apps.length === 0) return total;
    // If another instance claims the same skeleton concurrently, the first attempt fails, and the
    // second finds that claim.
    for (const { id, name } of apps) await fold(id, name).catch(() => fold(id, name));
    total += apps.length;
  }
}

/**
 * Folds an app's name. If the new table makes two of an owner's manual apps look alike, the first
 * keeps the shared skeleton, which also detects imitations of the second. The second app gets a
 * unique skeleton.
 */
async function fold(id: string, name: string) {
  const { nameSkeleton, nameFolded } = nameSkeletons(name);
  await sql`
    UPDATE app
    SET name_folded = ${nameFolded},
      name_skeleton = CASE
        WHEN kind = 'manual'
          AND deleted_at IS NULL
          AND EXISTS (
            SELECT FROM app o
            WHERE o.owner_id = app.owner_id
              AND o.name_skeleton = ${nameSkeleton}
              AND o.kind = 'manual'
              AND o.deleted_at IS NULL
              AND o.id <> ${id}
          ) THEN ${`${nameSkeleton} ${id}`}
        ELSE ${nameSkeleton}
      END
    WHERE id = ${id}`.run();
}
