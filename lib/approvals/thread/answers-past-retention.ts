import { type ExportedTable, rowAsJson } from "@/lib/database/owner-data-table";
import { type Executor, epochMs, identifier, type Sql, sql } from "@/lib/database/sql";
import type { ArchivedLine } from "@/lib/events/expired-events";
import { answerCutoff } from "@/lib/events/retention-policy";
import { additions, outcomes, questions, resolvedApprovals, uses } from "../owner-data-tables";

/** SQL: whether an owner has answers that are older than the operator's retention period. */
export const hasExpiredAnswers = (ownerId: Sql): Sql =>
  sql`EXISTS (
    SELECT FROM approval a
    WHERE a.owner_id = ${ownerId} AND a.status = 'resolved' AND a.resolved_at < ${answerCutoff}
  )`;

/**
 * SQL: an approval's entries in one of the thread's tables, as JSON objects separated by commas.
 */
const entriesJson = (them: ExportedTable, order = "nth") =>
  sql`(
    SELECT coalesce(string_agg(${rowAsJson(them)}, ',' ORDER BY ${identifier(`t.${order}`)}), '')
    FROM ${identifier(them.table)} t
    WHERE t.approval_id = a.id
  )`;

/**
 * Removes a batch of answers that are older than the operator's retention period, along with their
 * threads. The caller must write the returned lines to the owner's archive in the same transaction.
 * @returns the archived lines, oldest first
 */
export async function removeExpiredAnswers(on: Executor, ownerId: string): Promise<ArchivedLine[]> {
  const found = await sql<ArchivedLine & { id: string }>`
    SELECT t.id, ${epochMs("t.resolved_at")} AS at,
      '{"approval":' || ${rowAsJson(resolvedApprovals)} || s.entries || '}' AS line
    FROM approval t
      CROSS JOIN LATERAL (
        SELECT ',"additions":[' || ${entriesJson(additions)}
          || '],"questions":[' || ${entriesJson(questions)}
          || '],"outcomes":[' || ${entriesJson(outcomes)}
          || '],"uses":[' || ${entriesJson(uses, "created_at")} || ']' AS entries
        FROM (VALUES (t.id)) AS a(id)
      ) AS s
    WHERE t.owner_id = ${ownerId} AND t.status = 'resolved' AND t.resolved_at < ${answerCutoff}
    ORDER BY t.resolved_at, t.id LIMIT 200
    FOR UPDATE OF t SKIP LOCKED`.rows(on);
  const ids = found.map(({ id }) => id).sort();
  await sql`DELETE FROM approval_triage WHERE approval_id = ANY (${ids}::text[])`.run(on);
  await sql`DELETE FROM approval WHERE id = ANY (${ids}::text[])`.run(on);
  return found;
}
