import { runAuthorized } from "@/lib/access/authorization";
import type { AppActor, OwnerActor } from "@/lib/actor";
import { sql } from "@/lib/database/sql";
import { AppError, alreadyResolved, deadlinePassed, notFound, threadFull } from "@/lib/errors";
import { change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { isId } from "@/lib/ids";
import { isLate } from "../approval-state-sql";
import type { Approval } from "../schema";
import { maxEntriesOfKind } from "./schema";

/**
 * Asks the app for clarification before the owner decides. The owner can still answer, but the
 * approval is set aside until the app adds to it.
 * @throws {AppError} 404; 409 if the approval is resolved or expired, has a held answer, or has too
 *   many clarifications
 */
export async function askClarification(owner: OwnerActor, id: string, text: string): Promise<void> {
  if (!isId("apr", id)) throw notFound();
  const { ownerId } = owner;
  await change(owner, async (tx) => {
    // Locks the triage row before the approval, in the same order as sending a held answer. The
    // reverse order could cause a deadlock.
    const triage = await sql<{ held: boolean }>`
      INSERT INTO approval_triage (approval_id, owner_id, seen_at, clarification_asked_at)
      SELECT id, owner_id, now(), now()
      FROM approval
      WHERE owner_id = ${ownerId} AND id = ${id}
      ON CONFLICT (approval_id) DO UPDATE SET clarification_asked_at = now(), snoozed_until = NULL
      RETURNING held_answer IS NOT NULL AS held`.row(tx);
    if (!triage) throw notFound();
    const question = await sql<{ app_id: string; status: Approval["status"]; late: boolean | null }>`
      SELECT app_id, status, ${isLate} AS late
      FROM approval a
      WHERE id = ${id}
      FOR UPDATE`.row(tx);
    if (question?.status !== "pending") throw alreadyResolved();
    if (question.late) throw deadlinePassed();
    if (triage.held) throw new AppError(409, "Your answer is about to be sent. To ask the app, undo the answer first.");
    const made = await sql<{ nth: number }>`
      INSERT INTO approval_question (approval_id, owner_id, nth, text)
      SELECT ${id}, ${ownerId}, count(*)::int + 1, ${text}
      FROM approval_question
      WHERE approval_id = ${id}
      HAVING count(*) < ${maxEntriesOfKind}
      RETURNING nth`.row(tx);
    if (!made)
      throw threadFull(
        `You can ask the app at most ${maxEntriesOfKind} times about this question. Answer the question, or snooze it.`,
      );
    const event = { ownerId, appId: question.app_id, subject: id, data: { nth: made.nth } };
    await record(tx, { ...event, type: "approval.question_asked" });
  });
}

/**
 * Returns how many of the owner's clarifications the app knows. The app knows a clarification once
 * a wait has returned it, or once the app has added to the question after it.
 */
export async function knownQuestions(app: AppActor, id: string): Promise<number> {
  const { known } = await runAuthorized<{ known: number }>(app, {
    result: sql`(
      SELECT coalesce(max(q.nth), 0)
      FROM approval_question q
        JOIN approval a ON a.id = q.approval_id
        JOIN caller c ON a.owner_id = c.owner_id AND a.app_id = c.app_id
      WHERE a.id = ${id}
        AND (
          q.delivered_at IS NOT NULL
          OR q.created_at <= (
            SELECT max(t.created_at) FROM approval_addition t WHERE t.approval_id = a.id
          )
        )
    ) AS known`,
  });
  return known;
}

/**
 * Records that the app has received the owner's clarifications, from the first up to the one with
 * this number.
 */
export async function markQuestionsReturned(app: AppActor, id: string, upTo: number): Promise<void> {
  await runAuthorized(app, {
    work: sql`
      delivered AS (
        UPDATE approval_question q
        SET delivered_at = now()
        FROM approval a, caller c
        WHERE a.id = q.approval_id
          AND a.owner_id = c.owner_id
          AND a.app_id = c.app_id
          AND a.id = ${id}
          AND q.nth <= ${upTo}
          AND q.delivered_at IS NULL
      )`,
  });
}
