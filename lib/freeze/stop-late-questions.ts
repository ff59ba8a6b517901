import { hasRunningQuestions } from "@/lib/approvals/frozen-approvals";
import { sql } from "@/lib/database/sql";
import { stopQuestionsOf } from "./freeze";

/*
 * A request that started before a freeze can insert a question after it. During the first minute,
 * this chore looks for such questions every second. No request takes longer. The chore also
 * finishes a freeze whose instance stopped.
 */

const isUnfinished = sql`f.stopped_at IS NULL
  AND (
    f.began_at < now() - interval '1 minute'
    OR ${hasRunningQuestions(sql`f.owner_id`, sql`f.app_id`)}
  )`;

/** SQL: whether the chore has work. */
export const lateQuestionsDue = sql`EXISTS (SELECT FROM app_freeze f WHERE ${isUnfinished})`;

/** Stops the clock of questions that are covered by a freeze but still run. */
export async function stopLateQuestions(): Promise<void> {
  const freezes = await sql<{ ownerId: string; appId: string }>`
    SELECT f.owner_id AS "ownerId", f.app_id AS "appId"
    FROM app_freeze f
    WHERE ${isUnfinished}
    ORDER BY f.owner_id, f.app_id LIMIT 100`.rows();
  for (const { ownerId, appId } of freezes) await stopQuestionsOf(ownerId, appId);
}
