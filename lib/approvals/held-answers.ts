import type { OwnerActor } from "@/lib/actor";
import { literal, sql } from "@/lib/database/sql";
import { AlreadyResolved, NumberMismatched, QuestionChanged } from "@/lib/errors";
import { changeByStatement, changeWithClient } from "@/lib/events/change-transaction";
import { FrozenQuestion } from "@/lib/frozen-errors";
import { isId } from "@/lib/ids";
import { pausePoint } from "@/lib/pause-points";
import { later } from "@/lib/work/timer-registry";
import { lockedTriage } from "./approval-state-sql";
import { refusals, resolveApproval } from "./approvals";
import type { HeldAnswer } from "./owner-view";
import type { Resolution, SignedAnswer } from "./schema";
import { UnsignedAnswer } from "./sign/signing-errors";
import { type AnswerToHold, type HoldVerdict, heldFor, hold, validId } from "./statements/hold-answer";

/*
 * Owners can undo an answer for a few seconds. During that time the answer is held: it is stored
 * next to its approval, which stays pending for apps. Sending and undo lock the same row, so only
 * one of them can succeed. A hold ends no later than the deadline.
 */

/**
 * The result of holding an answer. `held`: this or an earlier answer is held. `resolution`: the
 * approval is already resolved. `unconfirmed`: the owner has to confirm first. If all are absent or
 * false, the answer has to count immediately.
 */
export type HoldResult = { held?: HeldAnswer; resolution?: Resolution; unconfirmed?: boolean };

/**
 * If the owner's settings have an undo period, holds an answer for that time. If another answer is
 * already held, that one stays.
 * @throws {AppError} 404; 409 after a wrong number. With an undo period, also 400 for an option
 * that was not offered, and 409 if the deadline has passed, the question has changed, or the right
 * number or a required signature is missing
 */
export async function holdAnswer(owner: OwnerActor, input: AnswerToHold): Promise<HoldResult> {
  const [outcome] = (await changeByStatement(null, hold(owner, input))) as [HoldVerdict];
  switch (outcome.verdict) {
    case "ok": {
      const { answer, commitAt, leftMs } = outcome;
      sendLater(owner.ownerId, input.id, leftMs);
      return { held: { answer, commitAt, leftMs } };
    }
    case "resolved":
      return { resolution: outcome.resolution };
    case "unconfirmed":
    case "immediate":
      return { unconfirmed: outcome.verdict === "unconfirmed" };
    case "already_held":
      // If the other answer was undone in the meantime, this one is held.
      return (await readHeld(owner, input.id)) ?? holdAnswer(owner, input);
    default:
      throw refusals[outcome.verdict]();
  }
}

/**
 * Undoes held answers. Has no effect on answers that already count.
 * @returns the IDs of questions that are pending again (`undone`), and of those whose answers were
 * already sent (`sent`)
 */
export async function undoAnswers(owner: OwnerActor, ids: string[]): Promise<{ undone: string[]; sent: string[] }> {
  const wanted = ids.filter((id) => isId("apr", id));
  const undone = await changeByStatement(
    owner,
    sql<{ id: string }>`
      WITH ${lockedTriage(owner.ownerId, wanted)}
      UPDATE approval_triage d
      SET held_answer = NULL, commit_at = NULL, held_hash = NULL
      FROM locked
      WHERE d.approval_id = locked.approval_id
        AND d.held_answer IS NOT NULL
        AND d.commit_at > clock_timestamp()
      RETURNING d.approval_id AS id`,
  );
  // Pending questions without a held answer count as undone, even if they were undone before.
  const open = await sql<{ id: string }>`
    SELECT a.id
    FROM approval a LEFT JOIN approval_triage d ON d.approval_id = a.id
    WHERE a.owner_id = ${owner.ownerId}
      AND a.id = ANY (${wanted})
      AND a.status = 'pending'
      AND d.held_answer IS NULL`.rows();
  const back = new Set([...undone, ...open].map(({ id }) => id));
  return { undone: wanted.filter((id) => back.has(id)), sent: wanted.filter((id) => !back.has(id)) };
}

/** Sends held answers immediately. Ignores questions without a held answer. */
export async function sendAnswersNow(owner: OwnerActor, ids: string[]): Promise<void> {
  const wanted = ids.filter((id) => isId("apr", id));
  // Truncated to milliseconds, the stored precision. A rounded-up time could be in the future and
  // not due yet.
  const due = await sql<{ id: string }>`
    WITH ${lockedTriage(owner.ownerId, wanted)}
    UPDATE approval_triage d
    SET commit_at = least(d.commit_at, date_trunc('milliseconds', clock_timestamp()))
    FROM locked
    WHERE d.approval_id = locked.approval_id AND d.held_answer IS NOT NULL
    RETURNING d.approval_id AS id`.rows();
  for (const { id } of due) await commit(owner.ownerId, id);
}

/** Maximum number of answers that one run of the chore sends. */
const batchSize = 200;

/** SQL: whether the chore has work. */
export const heldAnswersDue = sql`EXISTS (SELECT FROM approval_triage WHERE commit_at <= now())`;

/**
 * Sends a batch of held answers that are due, for all owners. Only one instance sends each answer.
 * @throws the first failure, after trying all others
 */
export async function sendDueAnswers(): Promise<void> {
  const due = await sql<{ id: string; ownerId: string }>`
    SELECT approval_id AS id, owner_id AS "ownerId"
    FROM approval_triage
    WHERE commit_at <= clock_timestamp()
    ORDER BY commit_at LIMIT ${literal(batchSize)}`.rows();
  const failures: unknown[] = [];
  for (const { ownerId, id } of due) await commit(ownerId, id).catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Sends one due answer, unless another instance is doing so. */
const commit = (ownerId: string, id: string): Promise<void> =>
  changeWithClient(ownerId, async (via) => {
    const { client, affectedOwners } = via;
    const due = await sql<{ held_answer: SignedAnswer; held_hash: string | null }>`
      SELECT held_answer, held_hash
      FROM approval_triage
      WHERE owner_id = ${ownerId} AND approval_id = ${id} AND commit_at <= clock_timestamp()
      FOR UPDATE SKIP LOCKED`.rows(client);
    await pausePoint("held answer locked, not sent");
    for (const { held_answer: answer, held_hash: seen } of due) {
      let changed = false;
      const given = { held: true, ...(seen !== null && { contentHash: seen }) };
      await resolveApproval({ kind: "owner", ownerId, via }, id, answer, given).catch((error) => {
        // Another answer came first. The statement below checks whether it was the app's.
        if (error instanceof AlreadyResolved) return;
        // The owner picked a wrong number while the answer was being held.
        if (error instanceof NumberMismatched) return;
        // A freeze returns the question to pending.
        if (error instanceof FrozenQuestion) return;
        // The owner began to require signatures while the answer was being held.
        if (error instanceof UnsignedAnswer) return;
        if (!(error instanceof QuestionChanged)) throw error;
        changed = true;
      });
      // If the app answered first, or the question changed, the question counts as unseen, because
      // the owner believes that their own answer counts.
      await sql`
        UPDATE approval_triage d
        SET held_answer = NULL, commit_at = NULL, held_hash = NULL,
          changed_at = CASE WHEN ${changed}::boolean THEN now() END,
          overtaken_at = CASE WHEN a.resolution ->> 'resolvedBy' = 'api' THEN now() END,
          seen_at = CASE WHEN a.resolution ->> 'resolvedBy' = 'owner' THEN d.seen_at END
        FROM approval a
        WHERE a.id = d.approval_id AND d.approval_id = ${id}`.run(client);
      affectedOwners.add(ownerId);
    }
  });

/**
 * Sends the answer on time, from the instance that received it. If that instance stopped, the chore
 * sends the answer within a second.
 */
function sendLater(ownerId: string, id: string, ms: number): void {
  later(ms + 10, () => {
    commit(ownerId, id).catch(() => {
      // The chore tries again, and logs a failure.
    });
  });
}

/**
 * Returns the answer that is already held, or the resolution if one was recorded in the meantime;
 * undefined if there is neither.
 */
async function readHeld(owner: OwnerActor, id: string): Promise<HoldResult | undefined> {
  type Row = Omit<HeldAnswer, "answer"> & { answer: SignedAnswer | null; resolution: Resolution | null };
  const kept = await sql<Row>`
    SELECT a.resolution, d.held_answer AS answer, ${heldFor(sql`d`)}
    FROM approval a LEFT JOIN approval_triage d ON d.approval_id = a.id
    WHERE a.owner_id = ${owner.ownerId} AND a.id = ${validId(id)}`.row();
  if (kept?.resolution) return { resolution: kept.resolution };
  return kept?.answer ? { held: { answer: kept.answer, commitAt: kept.commitAt, leftMs: kept.leftMs } } : undefined;
}
