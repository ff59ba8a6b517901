import type { OwnerActor } from "@/lib/actor";
import { rows, sql } from "@/lib/sql";
import { isOpen } from "./terms";

/** A question as the palette lists it. */
export type FoundQuestion = { id: string; question: string; app: string };

/** The longest waiting questions that have all these words in them, or in their app's name. Eight at most; none for no words. */
export async function findWaiting({ ownerId }: OwnerActor, words: string): Promise<FoundQuestion[]> {
  const patterns = words
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 8)
    .map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);
  if (patterns.length === 0) return [];
  return rows<FoundQuestion>(sql`SELECT a.id, left(a.question, 200) AS question, app.name AS app FROM approval a JOIN app ON app.id = a.app_id
      WHERE a.owner_id = ${ownerId} AND ${isOpen} AND a.question || ' ' || app.name ILIKE ALL (${patterns}::text[])
      ORDER BY a.created_at, a.id LIMIT 8`);
}
