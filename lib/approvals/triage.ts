import { z } from "zod";
import type { OwnerActor } from "@/lib/actor";
import { clock } from "@/lib/clock";
import { sql } from "@/lib/database/sql";
import { alreadyResolved, notFound } from "@/lib/errors";
import { type Change, change, changeByStatement, changeUnannounced } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { muteQuestions } from "@/lib/grants/app-preferences";
import { endGrant } from "@/lib/grants/grants";
import { isId } from "@/lib/ids";
import { type SnoozeChoice, snoozeUntil } from "@/lib/text/snooze-times";
import { isOpen, isReminded, lockedTriage, remindAt } from "./approval-state-sql";

/*
 * Apps must not learn what an owner does with a question before answering it. This state is in a
 * separate row of `approval_triage`, which no API operation returns: whether the question was seen,
 * snoozed or reported as unexpected, and a held answer.
 */

/**
 * Snoozes questions. They leave the inbox and return automatically at the chosen time, or at their
 * deadline reminder if that comes first.
 * @param timeZone the owner's time zone
 * @returns the earliest time of return, in epoch milliseconds
 * @throws {AppError} 404 for a question that is not the owner's; 409 if all of them are answered or
 * expired
 */
export async function snoozeApprovals(
  owner: OwnerActor,
  ids: string[],
  { choice, timeZone }: { choice: SnoozeChoice; timeZone: string },
): Promise<number> {
  await mustOwn(owner, ids);
  const read = await sql<{ now: number }>`
    SELECT floor(extract(epoch FROM now()) * 1000)::float8 AS now`.row();
  const until = snoozeUntil(choice, timeZone, read?.now ?? clock.now());
  const snoozed = await changeByStatement(
    owner,
    sql<{ until: number }>`
      INSERT INTO approval_triage (approval_id, owner_id, snoozed_until)
      SELECT a.id, a.owner_id,
        CASE WHEN ${remindAt} > now() THEN least(t.until, ${remindAt}) ELSE t.until END
      FROM approval a, (SELECT to_timestamp(${until}::float8 / 1000) AS until) AS t
      WHERE a.owner_id = ${owner.ownerId} AND a.id = ANY (${ids}) AND ${isOpen}
      ORDER BY a.id
      ON CONFLICT (approval_id) DO UPDATE SET snoozed_until = excluded.snoozed_until
        WHERE approval_triage.held_answer IS NULL
      RETURNING (extract(epoch FROM snoozed_until) * 1000)::float8 AS until`,
  );
  if (snoozed.length === 0) throw alreadyResolved();
  return Math.min(...snoozed.map(({ until }) => until));
}

/**
 * Moves snoozed questions, and those with an open clarification, back to the inbox immediately.
 * Ignores other questions.
 */
export async function unsnoozeApprovals(owner: OwnerActor, ids: string[]): Promise<void> {
  await mustOwn(owner, ids);
  await changeByStatement(
    owner,
    sql`
      WITH ${lockedTriage(owner.ownerId, ids)}
      UPDATE approval_triage d
      SET snoozed_until = NULL, clarification_asked_at = NULL
      FROM locked
      WHERE d.approval_id = locked.approval_id
      RETURNING d.owner_id`,
  );
}

type Returned = { owner_id: string };

/** SQL: whether any snooze is due. */
export const snoozedDue = sql`EXISTS (SELECT FROM approval_triage WHERE snoozed_until <= now())`;

/**
 * Ends due snoozes and notifies open pages. The questions then count as unseen and newly asked.
 * Lists compare the time themselves, so a question returns on time even if this function runs late.
 * @returns the number of returned questions
 */
export async function returnDueSnoozed(): Promise<number> {
  const due = await changeByStatement(
    null,
    sql<Returned>`
      WITH due AS MATERIALIZED (
        SELECT approval_id
        FROM approval_triage
        WHERE snoozed_until <= now()
        ORDER BY snoozed_until LIMIT 500
        FOR UPDATE SKIP LOCKED
      )
      UPDATE approval_triage d
      SET returned_at = snoozed_until, snoozed_until = NULL, clarification_asked_at = NULL,
        seen_at = NULL
      FROM due
      WHERE d.approval_id = due.approval_id
      RETURNING d.owner_id`,
  );
  return due.length;
}

/**
 * Moves questions with an open clarification back to the inbox, as newly asked, once their deadline
 * reminder is due. Clears the clarification mark of resolved questions.
 * @returns the number of changed questions
 */
export async function returnDueClarifications(): Promise<number> {
  const due = await changeByStatement(
    null,
    sql<Returned>`
      WITH due AS MATERIALIZED (
        SELECT d.approval_id, a.status = 'pending' AS back
        FROM approval_triage d JOIN approval a ON a.id = d.approval_id
        WHERE d.clarification_asked_at IS NOT NULL
          AND (
            a.status = 'resolved'
            OR a.expires_at IS NOT NULL AND a.frozen_at IS NULL AND ${isReminded}
          )
        LIMIT 500
        FOR UPDATE OF d SKIP LOCKED
      )
      UPDATE approval_triage d
      SET clarification_asked_at = NULL,
        returned_at = CASE WHEN due.back THEN now() ELSE d.returned_at END,
        seen_at = CASE WHEN due.back THEN NULL ELSE d.seen_at END
      FROM due
      WHERE d.approval_id = due.approval_id
      RETURNING d.owner_id`,
  );
  return due.length;
}

/**
 * Marks questions as seen, or as unseen again. Ignores other owners' questions. Does not notify
 * open pages, because every view of a question calls this function.
 */
export async function markSeen({ ownerId }: OwnerActor, ids: string[], seen: boolean): Promise<void> {
  await changeUnannounced(sql`
    INSERT INTO approval_triage (approval_id, owner_id, seen_at)
    SELECT id, owner_id,
      CASE WHEN ${seen}::boolean THEN now() END
    FROM approval
    WHERE owner_id = ${ownerId} AND id = ANY (${ids.filter((id) => isId("apr", id))})
    ORDER BY id
    ON CONFLICT (approval_id) DO UPDATE SET
      seen_at = CASE
        WHEN excluded.seen_at IS NOT NULL THEN coalesce(approval_triage.seen_at, now())
      END`);
}

/** How the owner reacts to the app: mute it, revoke its access, or only note the report. */
export const Reaction = z.enum(["mute", "revoke", "note"]);
export type Reaction = z.output<typeof Reaction>;

/**
 * Reports a question as unexpected and applies the owner's reaction to its app. Drops a held answer
 * in the same transaction. The owner can still answer the question.
 * @returns whether an answer was dropped
 * @throws {AppError} 404
 */
export async function markUnexpected(
  { ownerId }: OwnerActor,
  id: string,
  reaction: Reaction,
): Promise<{ dropped: boolean }> {
  if (!isId("apr", id)) throw notFound();
  return change({ ownerId }, async (tx) => {
    const question = await sql<{ app_id: string }>`
      SELECT app_id
      FROM approval
      WHERE owner_id = ${ownerId} AND id = ${id}`.row(tx);
    if (!question) throw notFound();
    const dropped = await dropHeldAnswer(tx, id);
    const marked = await sql`
      INSERT INTO approval_triage (approval_id, owner_id, unexpected_at)
      VALUES (${id}, ${ownerId}, now())
      ON CONFLICT (approval_id) DO UPDATE SET unexpected_at = now()
        WHERE approval_triage.unexpected_at IS NULL`.run(tx);
    const about = { ownerId, appId: question.app_id, subject: id };
    if (marked > 0) await record(tx, { ...about, type: "approval.unexpected", data: { reaction } });
    if (reaction === "mute") await muteQuestions(tx, ownerId, question.app_id);
    // If the app is already revoked, this changes nothing.
    if (reaction === "revoke") await endGrant(tx, ownerId, question.app_id);
    return { dropped };
  });
}

/**
 * Drops a held answer, even a due one. Sending locks the same row, so an answer is either sent or
 * dropped.
 * @returns whether there was a held answer
 */
export async function dropHeldAnswer(tx: Change, id: string): Promise<boolean> {
  const dropped = await sql`
    UPDATE approval_triage
    SET held_answer = NULL, commit_at = NULL, held_hash = NULL
    WHERE approval_id = ${id} AND held_answer IS NOT NULL`.run(tx);
  return dropped > 0;
}

async function mustOwn({ ownerId }: OwnerActor, ids: string[]): Promise<void> {
  const wanted = [...new Set(ids)];
  const own = await sql`
    SELECT FROM approval
    WHERE owner_id = ${ownerId} AND id = ANY (${wanted})`.rows();
  if (wanted.length === 0 || own.length !== wanted.length) throw notFound();
}
