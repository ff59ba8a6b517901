import type { OwnerActor } from "@/lib/actor";
import { literal, type Sql, sql } from "@/lib/database/sql";
import { AlreadyResolved, badRequest, deadlinePassed, notFound, QuestionChanged, questionChanged } from "@/lib/errors";
import { changeByStatement, changeWithClient } from "@/lib/events/change";
import { appPreferencesOf } from "@/lib/grants/app-preferences";
import { isId } from "@/lib/keys/ids";
import { settingsOf } from "@/lib/owners/sql";
import { later } from "@/lib/work/timers";
import { resolveApproval } from "./approvals";
import type { Held } from "./owner-view";
import { lockedTriage } from "./predicates";
import type { Answer, Resolution } from "./schema";

/*
 * A held answer is stored next to its approval, which stays pending: get, list and the app's
 * resolve all read that one status. Sending is the same conditional UPDATE as for any answer, and
 * undo locks the same row, so one of them wins. A hold ends at the deadline at the latest, and an
 * answer given in time counts.
 */

/**
 * The result of holding an answer. This or an earlier answer is held, the approval is already
 * resolved, the owner has to confirm first, or, with none of these, the answer has to count
 * immediately.
 */
export type HoldResult = { held?: Held; resolution?: Resolution; unconfirmed?: boolean };

/**
 * Holds an answer for some seconds before it counts, if its owner's settings say so. The first held
 * answer stays: a second changes nothing. One statement, and a second if another answer is held.
 * @param seconds overrides the owner's setting
 * @param seen the hash of the question as the owner saw it; compared again when the answer counts
 * @param confirmed whether the owner chose it before: required by their settings, the app's
 *   settings or a high risk
 * @throws {AppError} 404; if it has to be held, 400 for an option that was not offered and 409
 *   after the deadline or if the question changed
 */
export async function holdAnswer(
  owner: OwnerActor,
  id: string,
  answer: Answer,
  seconds: number | undefined,
  seen: string,
  confirmed = false,
): Promise<HoldResult> {
  const { optionId = null } = answer;
  const chosen = seconds ?? null;
  // Only an answer that this statement holds has an owner to notify.
  const [asked] = await changeByStatement(
    null,
    sql<Asked>`
      WITH asked AS (
        SELECT a.id, a.owner_id, a.status, a.resolution, r.unconfirmed, r.holds,
          ${optionId}::text IS NULL
            OR EXISTS (
              SELECT FROM json_array_elements(a.options) AS o WHERE o ->> 'id' = ${optionId}
            ) AS offered,
          coalesce(a.deadline_passed_at, a.expires_at) <= clock_timestamp() AS late,
          CASE WHEN r.holds THEN approval_is_as_seen(a, ${seen}) END AS same,
          -- Truncated to the stored milliseconds: rounded up, the hold would exceed the owner's
          -- choice.
          least(
            date_trunc('milliseconds', clock_timestamp()) + make_interval(
              secs => coalesce(${chosen}::int, s.undo_seconds)
            ), a.expires_at
          ) AS until
        FROM approval a
          LEFT JOIN LATERAL ${settingsOf(sql`a.owner_id`)} AS s ON true
          LEFT JOIN LATERAL ${appPreferencesOf(sql`a.owner_id`, sql`a.app_id`)} AS c ON true
          CROSS JOIN LATERAL (
            SELECT (${chosen}::int IS NOT NULL OR s.undo_seconds > 0) IS TRUE AS holds,
              (
                NOT ${confirmed}::boolean
                AND ${optionId}::text IS NOT NULL
                AND (s.always_confirm OR c.always_confirm OR a.risk = 'high')
              ) IS TRUE AS unconfirmed
          ) AS r
        WHERE a.owner_id = ${owner.ownerId} AND a.id = ${valid(id)}
      ), taken AS (
        INSERT INTO approval_desk AS d (approval_id, owner_id, held_answer, commit_at, held_hash)
        SELECT id, owner_id, ${JSON.stringify(answer)}::json, until, ${seen}
        FROM asked
        WHERE status = 'pending'
          AND holds
          AND NOT unconfirmed
          AND offered
          AND same
          AND late IS NOT TRUE
        ON CONFLICT (approval_id) DO UPDATE SET
          held_answer = excluded.held_answer, commit_at = excluded.commit_at,
          held_hash = excluded.held_hash, snoozed_until = NULL, asked_back_at = NULL,
          overtaken_at = NULL, changed_at = NULL
          WHERE d.held_answer IS NULL
        RETURNING owner_id, held_answer, commit_at
      )
      SELECT t.owner_id, a.resolution, a.unconfirmed, a.holds, a.offered, a.late, a.same,
        t.held_answer AS answer, ${heldFor(sql`t`)}
      FROM asked a LEFT JOIN taken t ON true`,
  );
  if (!asked) throw notFound();
  const { resolution, unconfirmed, holds, answer: kept, commitAt, leftMs } = asked;
  if (resolution) return { resolution };
  if (unconfirmed || !holds) return { unconfirmed };
  if (asked.late) throw deadlinePassed();
  if (!asked.same) throw questionChanged();
  if (!asked.offered) throw badRequest("Not one of this approval's options", "optionId");
  if (!kept) return readHeld(owner, id);
  sendLater(id, leftMs);
  return { held: { answer: kept, commitAt, leftMs } };
}

/** A `Held` answer: until when and for how long it is held. */
const heldFor = (triage: Sql) => sql`
  (extract(epoch FROM ${triage}.commit_at) * 1000)::float8 AS "commitAt",
  greatest(0, extract(epoch FROM ${triage}.commit_at - clock_timestamp()) * 1000)::float8
    AS "leftMs"`;

type Asked = Omit<Held, "answer"> & {
  owner_id: string | null;
  resolution: Resolution | null;
  unconfirmed: boolean;
  holds: boolean;
  offered: boolean;
  late: boolean | null;
  same: boolean;
  /** For an answer held by this statement. */
  answer: Answer | null;
};

/**
 * Undoes held answers. Answers that already count stay.
 * @returns the IDs of those already sent, and of those pending again
 */
export async function undoAnswers(owner: OwnerActor, ids: string[]): Promise<{ undone: string[]; sent: string[] }> {
  const wanted = ids.filter((id) => isId("apr", id));
  const undone = await changeByStatement(
    owner,
    sql<{ id: string }>`
      WITH ${lockedTriage(owner.ownerId, wanted)}
      UPDATE approval_desk d
      SET held_answer = NULL, commit_at = NULL, held_hash = NULL
      FROM locked
      WHERE d.approval_id = locked.approval_id
        AND d.held_answer IS NOT NULL
        AND d.commit_at > clock_timestamp()
      RETURNING d.approval_id AS id`,
  );
  // The answer is not held: it was undone or sent before.
  const open = await sql<{ id: string }>`
    SELECT a.id
    FROM approval a LEFT JOIN approval_desk d ON d.approval_id = a.id
    WHERE a.owner_id = ${owner.ownerId}
      AND a.id = ANY (${wanted})
      AND a.status = 'pending'
      AND d.held_answer IS NULL`.rows();
  const back = new Set([...undone, ...open].map(({ id }) => id));
  return { undone: wanted.filter((id) => back.has(id)), sent: wanted.filter((id) => !back.has(id)) };
}

/** Sends held answers immediately. Ignores answers that are not held. */
export async function sendAnswersNow(owner: OwnerActor, ids: string[]): Promise<void> {
  const wanted = ids.filter((id) => isId("apr", id));
  // Truncated to the stored milliseconds: rounded up, it would be in the future and not due yet.
  const due = await sql<{ id: string }>`
    WITH ${lockedTriage(owner.ownerId, wanted)}
    UPDATE approval_desk d
    SET commit_at = least(d.commit_at, date_trunc('milliseconds', clock_timestamp()))
    FROM locked
    WHERE d.approval_id = locked.approval_id AND d.held_answer IS NOT NULL
    RETURNING d.approval_id AS id`.rows();
  for (const { id } of due) await commit(id);
}

/** The most answers that one run of the chore sends. */
const mostAtOnce = 200;

/** Whether the chore has work. */
export const heldAnswersDue = sql`EXISTS (SELECT FROM approval_desk WHERE commit_at <= now())`;

/**
 * Sends due held answers of all owners. Safe on concurrent instances: one sends each answer.
 * @throws the first failure, after trying all others
 */
export async function sendDueAnswers(): Promise<void> {
  const due = await sql<{ id: string }>`
    SELECT approval_id AS id
    FROM approval_desk
    WHERE commit_at <= clock_timestamp()
    ORDER BY commit_at LIMIT ${literal(mostAtOnce)}`.rows();
  const failures: unknown[] = [];
  for (const { id } of due) await commit(id).catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Sends one due answer, unless another instance is doing so. */
const commit = (id: string): Promise<void> =>
  changeWithClient(async (via) => {
    const { client, affectedOwners } = via;
    const due = await sql<{ owner_id: string; held_answer: Answer; held_hash: string | null }>`
      SELECT owner_id, held_answer, held_hash
      FROM approval_desk
      WHERE approval_id = ${id} AND commit_at <= clock_timestamp()
      FOR UPDATE SKIP LOCKED`.rows(client);
    for (const { owner_id: ownerId, held_answer: answer, held_hash: seen } of due) {
      let changed = false;
      const given = { held: true, ...(seen !== null && { contentHash: seen }) };
      await resolveApproval({ kind: "owner", ownerId, via }, id, answer, given).catch((error) => {
        // Someone else was faster; the row below shows whether it was the app.
        if (error instanceof AlreadyResolved) return;
        if (!(error instanceof QuestionChanged)) throw error;
        changed = true;
      });
      // A superseded answer is new to the owner, so the question counts as unseen. So does one that
      // changed and is pending again.
      await sql`
        UPDATE approval_desk d
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
 * Sends on time from the instance that received the answer. Without that instance, the chore sends
 * it at most a second late.
 */
function sendLater(id: string, ms: number): void {
  later(ms + 10, () => {
    commit(id).catch(() => {
      // The chore retries and logs the failure.
    });
  });
}

/** The answer held before, and the resolution if one counted meanwhile. */
async function readHeld(owner: OwnerActor, id: string): Promise<HoldResult> {
  type Row = Omit<Held, "answer"> & { answer: Answer | null; resolution: Resolution | null };
  const kept = await sql<Row>`
    SELECT a.resolution, d.held_answer AS answer, ${heldFor(sql`d`)}
    FROM approval a LEFT JOIN approval_desk d ON d.approval_id = a.id
    WHERE a.owner_id = ${owner.ownerId} AND a.id = ${valid(id)}`.row();
  if (kept?.resolution) return { resolution: kept.resolution };
  return kept?.answer ? { held: { answer: kept.answer, commitAt: kept.commitAt, leftMs: kept.leftMs } } : {};
}

const valid = (id: string) => (isId("apr", id) ? id : "");
