import type { OwnerActor } from "@/lib/actor";
import { appName } from "@/lib/apps/sql";
import { sql } from "@/lib/database/sql";
import { isOpen } from "./predicates";

/** A question in the command palette. */
export type FoundQuestion = { id: string; question: string; app: string };

/**
 * The oldest pending questions that match all these words, in their text or their app's name. At
 * most eight; none for an empty search.
 */
export async function searchWaiting({ ownerId }: OwnerActor, words: string): Promise<FoundQuestion[]> {
  const patterns = words
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 8)
    .map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);
  if (patterns.length === 0) return [];
  return sql<FoundQuestion>`
    SELECT a.id, left(a.question, 200) AS question, app.name AS app
    FROM approval a CROSS JOIN LATERAL ${appName(sql`a.app_id`)} AS app
    WHERE a.owner_id = ${ownerId}
      AND ${isOpen}
      AND a.question || ' ' || app.name ILIKE ALL (${patterns}::text[])
    ORDER BY a.created_at, a.id LIMIT 8`.rows();
}
