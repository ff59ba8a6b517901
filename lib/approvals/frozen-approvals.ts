import { empty, type Sql, sql } from "@/lib/database/sql";
import type { Change } from "@/lib/events/change-transaction";
import { deadlineOf, isWaiting } from "./approval-state-sql";

/*
 * A freeze stops the clock of an app's pending questions. Every statement that resolves a question
 * is a conditional UPDATE, which reads the row again after waiting for a lock. A question that this
 * module has marked can therefore no longer be resolved, not even by a statement that started
 * before. Requests that insert a question can commit while a freeze begins. The chore marks such
 * questions within a second, and until then their deadlines don't count (`deadlines.ts`).
 */

/** A freeze of one app's questions, or of all of the owner's questions if `appId` is empty. */
export type QuestionFreeze = { ownerId: string; appId: string; since: Date };

const ofApp = (appId: string) => (appId === "" ? empty : sql`AND a.app_id = ${appId}`);

/**
 * Stops the clock of pending questions, and returns held answers to pending. Waits for answers that
 * are being recorded. Repeating it changes nothing.
 */
export async function stopQuestions(tx: Change, { ownerId, appId, since }: QuestionFreeze): Promise<void> {
  // Locks triage rows before approvals, in the same order as sending a held answer.
  await sql`
    WITH locked AS MATERIALIZED (
      SELECT d.approval_id
      FROM approval_triage d JOIN approval a ON a.id = d.approval_id
      WHERE d.owner_id = ${ownerId} AND d.held_answer IS NOT NULL ${ofApp(appId)}
      ORDER BY d.approval_id
      FOR NO KEY UPDATE OF d
    )
    UPDATE approval_triage d
    SET held_answer = NULL, commit_at = NULL, held_hash = NULL
    FROM locked
    WHERE d.approval_id = locked.approval_id`.run(tx);
  await sql`
    WITH locked AS MATERIALIZED (
      SELECT a.id
      FROM approval a
      WHERE a.owner_id = ${ownerId} AND ${isWaiting} AND a.frozen_at IS NULL ${ofApp(appId)}
      ORDER BY a.id
      FOR NO KEY UPDATE
    )
    UPDATE approval a
    SET frozen_at = greatest(a.created_at, ${since})
    FROM locked
    WHERE a.id = locked.id AND ${isWaiting}`.run(tx);
}

/**
 * SQL: whether a freeze has pending questions that are not marked as frozen yet.
 * @param ownerId the freeze's owner
 * @param appId the frozen app, or '' for all apps
 */
export const hasRunningQuestions = (ownerId: Sql, appId: Sql): Sql => sql`EXISTS (
  SELECT FROM approval a
  WHERE a.owner_id = ${ownerId}
    AND (${appId} = '' OR a.app_id = ${appId})
    AND ${isWaiting}
    AND a.frozen_at IS NULL
)`;

/**
 * Starts the clock of pending questions again. Their deadlines move by exactly the time for which
 * the questions were frozen.
 * @param except the apps that stay frozen
 * @param now the end of the freeze
 */
export async function restartQuestions(
  tx: Change,
  { ownerId, appId, since }: QuestionFreeze,
  except: string[],
  now: Date,
): Promise<void> {
  await sql`
    WITH locked AS MATERIALIZED (
      SELECT a.id, coalesce(a.frozen_at, greatest(a.created_at, ${since})) AS frozen_at
      FROM approval a
      WHERE a.owner_id = ${ownerId}
        AND ${isWaiting}
        AND NOT a.app_id = ANY (${except}::text[]) ${ofApp(appId)}
      ORDER BY a.id
      FOR NO KEY UPDATE
    )
    UPDATE approval a
    SET frozen_at = NULL,
      due_at = ${deadlineOf(sql`a`)} + greatest(interval '0', ${now} - locked.frozen_at)
    FROM locked
    WHERE a.id = locked.id`.run(tx);
}
