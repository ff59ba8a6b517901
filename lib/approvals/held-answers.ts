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
 * An answer that is held lies beside its approval, which stays pending in every respect: get, list and the app's own resolve
 * read and change the one stored status, so they cannot disagree. It becomes an answer by the same conditional UPDATE as any
 * other, in one transaction with the end of its being held. Undo and that transaction lock the same row: one of them wins.
 * It is held until the deadline at the longest; having been given in time, it then counts.
 */

/**
 * What became of an answer that may be held: it is, or the one before it; it is resolved already; the owner wants to be asked
 * once more; or, with none of these, it is to count at once.
 */
export type HoldResult = { held?: Held; resolution?: Resolution; unconfirmed?: boolean };

/**
 * Keep an answer for some seconds before it counts, where its owner wants that. The first one held stays: a second changes
 * nothing. One statement, and a second where another is held.
 * @param seconds instead of what the owner chose in their settings
 * @param seen the hash of the question as the owner saw it; it is compared again when the answer counts
 * @param confirmed whether the owner chose it before: it matters where they want to, always or for this app, and for a high risk
 * @throws {AppError} 404; where it is to be held 400 for an option that was not offered, 409 after the deadline or for a
 *   question that changed
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
  // Only what this statement holds has an owner to be told.
  const [asked] = await changeByStatement(
    null,
    sql<Asked>`WITH asked AS (
      SELECT a.id, a.owner_id, a.status, a.resolution, r.unconfirmed, r.holds,
        ${optionId}::text IS NULL OR EXISTS (SELECT FROM json_array_elements(a.options) AS o WHERE o ->> 'id' = ${optionId}) AS offered,
        coalesce(a.deadline_passed_at, a.expires_at) <= clock_timestamp() AS late,
        CASE WHEN r.holds THEN approval_is_as_seen(a, ${seen}) END AS same,
        -- Cut to the milliseconds that are kept: rounded up it would be held for longer than the owner chose.
        least(date_trunc('milliseconds', clock_timestamp()) + make_interval(secs => coalesce(${chosen}::int, s.undo_seconds)),
          a.expires_at) AS until
      FROM approval a LEFT JOIN LATERAL ${settingsOf(sql`a.owner_id`)} AS s ON true
        LEFT JOIN LATERAL ${appPreferencesOf(sql`a.owner_id`, sql`a.app_id`)} AS c ON true
        CROSS JOIN LATERAL (SELECT (${chosen}::int IS NOT NULL OR s.undo_seconds > 0) IS TRUE AS holds,
          (NOT ${confirmed}::boolean AND ${optionId}::text IS NOT NULL AND (s.always_confirm OR c.always_confirm OR a.risk = 'high')) IS TRUE AS unconfirmed) AS r
      WHERE a.owner_id = ${owner.ownerId} AND a.id = ${valid(id)}
    ), taken AS (
      INSERT INTO approval_desk AS d (approval_id, owner_id, held_answer, commit_at, held_hash)
      SELECT id, owner_id, ${JSON.stringify(answer)}::json, until, ${seen} FROM asked
      WHERE status = 'pending' AND holds AND NOT unconfirmed AND offered AND same AND late IS NOT TRUE
      ON CONFLICT (approval_id) DO UPDATE SET held_answer = excluded.held_answer, commit_at = excluded.commit_at,
        held_hash = excluded.held_hash, snoozed_until = NULL, asked_back_at = NULL, overtaken_at = NULL, changed_at = NULL
        WHERE d.held_answer IS NULL
      RETURNING owner_id, held_answer, commit_at
    )
    SELECT t.owner_id, a.resolution, a.unconfirmed, a.holds, a.offered, a.late, a.same, t.held_answer AS answer, ${heldFor(sql`t`)}
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

/** Until when and for how long an answer is held, as `Held` says it. */
const heldFor = (triage: Sql) => sql`(extract(epoch FROM ${triage}.commit_at) * 1000)::float8 AS "commitAt",
  greatest(0, extract(epoch FROM ${triage}.commit_at - clock_timestamp()) * 1000)::float8 AS "leftMs"`;

type Asked = Omit<Held, "answer"> & {
  owner_id: string | null;
  resolution: Resolution | null;
  unconfirmed: boolean;
  holds: boolean;
  offered: boolean;
  late: boolean | null;
  same: boolean;
  /** Of what this statement holds. */
  answer: Answer | null;
};

/**
 * Take held answers back. What counts already stays.
 * @returns the ids of those that had been sent, and of those that the owner has again to decide
 */
export async function undoAnswers(owner: OwnerActor, ids: string[]): Promise<{ undone: string[]; sent: string[] }> {
  const wanted = ids.filter((id) => isId("apr", id));
  const undone = await changeByStatement(
    owner,
    sql<{ id: string }>`WITH ${lockedTriage(owner.ownerId, wanted)}
      UPDATE approval_desk d SET held_answer = NULL, commit_at = NULL, held_hash = NULL FROM locked
      WHERE d.approval_id = locked.approval_id AND d.held_answer IS NOT NULL AND d.commit_at > clock_timestamp()
      RETURNING d.approval_id AS id`,
  );
  // Not held any more: taken back before, or sent.
  const open = await sql<{ id: string }>`SELECT a.id
    FROM approval a LEFT JOIN approval_desk d ON d.approval_id = a.id
    WHERE a.owner_id = ${owner.ownerId} AND a.id = ANY (${wanted}) AND a.status = 'pending' AND d.held_answer IS NULL`.rows();
  const back = new Set([...undone, ...open].map(({ id }) => id));
  return { undone: wanted.filter((id) => back.has(id)), sent: wanted.filter((id) => !back.has(id)) };
}

/** Let held answers count at once. What is not held is left alone. */
export async function sendAnswersNow(owner: OwnerActor, ids: string[]): Promise<void> {
  const wanted = ids.filter((id) => isId("apr", id));
  // Cut to the milliseconds that are kept: rounded up it would lie ahead, and not be due yet.
  const due = await sql<{ id: string }>`WITH ${lockedTriage(owner.ownerId, wanted)} UPDATE approval_desk d
    SET commit_at = least(d.commit_at, date_trunc('milliseconds', clock_timestamp())) FROM locked
    WHERE d.approval_id = locked.approval_id AND d.held_answer IS NOT NULL RETURNING d.approval_id AS id`.rows();
  for (const { id } of due) await commit(id);
}

/** Most that are sent in one turn of the chore. */
const mostAtOnce = 200;

/** Whether there is something to do for the chore. */
export const heldAnswersDue = sql`EXISTS (SELECT FROM approval_desk WHERE commit_at <= now())`;

/**
 * Send what has been held long enough, of every owner. Several copies may do so at once: each answer is sent by one.
 * @throws the first failure, after everything else was tried
 */
export async function sendDueAnswers(): Promise<void> {
  const due = await sql<{ id: string }>`SELECT approval_id AS id FROM approval_desk
    WHERE commit_at <= clock_timestamp()
    ORDER BY commit_at LIMIT ${literal(mostAtOnce)}`.rows();
  const failures: unknown[] = [];
  for (const { id } of due) await commit(id).catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Send one answer that has been held long enough, unless another copy is at it. */
const commit = (id: string): Promise<void> =>
  changeWithClient(async (via) => {
    const { client, affectedOwners } = via;
    const due = await sql<{ owner_id: string; held_answer: Answer; held_hash: string | null }>`
      SELECT owner_id, held_answer, held_hash FROM approval_desk
        WHERE approval_id = ${id} AND commit_at <= clock_timestamp() FOR UPDATE SKIP LOCKED`.rows(client);
    for (const { owner_id: ownerId, held_answer: answer, held_hash: seen } of due) {
      let changed = false;
      const given = { held: true, ...(seen !== null && { contentHash: seen }) };
      await resolveApproval({ kind: "owner", ownerId, via }, id, answer, given).catch((error) => {
        // Somebody was quicker; the row below says whether it was the app.
        if (error instanceof AlreadyResolved) return;
        if (!(error instanceof QuestionChanged)) throw error;
        changed = true;
      });
      // Having been overtaken is news, so it counts as not seen; so does a question that changed and waits again.
      await sql`UPDATE approval_desk d SET held_answer = NULL, commit_at = NULL, held_hash = NULL,
            changed_at = CASE WHEN ${changed}::boolean THEN now() END,
            overtaken_at = CASE WHEN a.resolution ->> 'resolvedBy' = 'api' THEN now() END,
            seen_at = CASE WHEN a.resolution ->> 'resolvedBy' = 'owner' THEN d.seen_at END
          FROM approval a WHERE a.id = d.approval_id AND d.approval_id = ${id}`.run(client);
      affectedOwners.add(ownerId);
    }
  });

/** On time on the copy that took it; should that one be gone, the chore is at most a second late. */
function sendLater(id: string, ms: number): void {
  later(ms + 10, () => {
    commit(id).catch(() => {
      // The chore will try again, and say so.
    });
  });
}

/** The answer that was held before, and what was decided where it counted meanwhile. */
async function readHeld(owner: OwnerActor, id: string): Promise<HoldResult> {
  const kept = await sql<Omit<Held, "answer"> & { answer: Answer | null; resolution: Resolution | null }>`
    SELECT a.resolution, d.held_answer AS answer, ${heldFor(sql`d`)}
      FROM approval a LEFT JOIN approval_desk d ON d.approval_id = a.id WHERE a.owner_id = ${owner.ownerId} AND a.id = ${valid(id)}`.row();
  if (kept?.resolution) return { resolution: kept.resolution };
  return kept?.answer ? { held: { answer: kept.answer, commitAt: kept.commitAt, leftMs: kept.leftMs } } : {};
}

const valid = (id: string) => (isId("apr", id) ? id : "");
