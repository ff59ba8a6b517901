import type { OwnerActor } from "@/lib/actor";
import { type Sql, sql } from "@/lib/database/sql";
import { appPreferencesOf } from "@/lib/grants/app-preferences";
import { isId } from "@/lib/ids";
import { settingsOf } from "@/lib/owners/owner-sql-for-other-domains";
import { deadlineOf, isLate, isMismatched, isUnproven } from "../approval-state-sql";
import { isComplete } from "../fields/field-sql";
import type { HeldAnswer } from "../owner-view";
import type { Resolution, SignedAnswer } from "../schema";
import { isUnsigned, signedAt } from "../sign/signing-sql";

/*
 * One statement holds an owner's answer, if the caller or the owner's settings specify an undo
 * period. The statement's verdict is whether the answer is held or, if not, the reason.
 */

export type AnswerToHold = {
  id: string;
  answer: SignedAnswer;
  /**
   * The hash of the question as the owner saw it. It is compared again when the answer takes
   * effect.
   */
  seen: string;
  /**
   * How long to hold the answer, in seconds. A hold never lasts beyond the question's expiry. If
   * absent, the period in the owner's settings applies.
   */
  seconds?: number;
  /**
   * Whether the owner confirmed the option in a second step. That step is required for high-risk
   * questions, and if the owner's settings require it for all apps or for this one.
   */
  confirmed?: boolean;
};

/**
 * Whether the answer is held or, if not, the first reason: `unsigned` if it needs a signature,
 * `unconfirmed` if the owner has to confirm it first, `immediate` if it has to take effect
 * immediately, or `already_held` if another answer is held.
 */
export type HoldVerdict = { owner_id: string | null } & (
  | ({ verdict: "ok" } & HeldAnswer)
  | { verdict: "resolved"; resolution: Resolution }
  | { verdict: "missing" | "unsigned" | "unconfirmed" | "immediate" | "already_held" }
  | { verdict: "expired" | "changed" | "invalid_option" | "values" | "unpicked" | "mismatched" | "frozen" }
);

export function hold(owner: OwnerActor, { id, answer, seen, seconds, confirmed }: AnswerToHold): Sql<HoldVerdict> {
  const optionId = sql`${answer.optionId ?? null}::text`;
  const complete = isComplete(sql`(${answer.values !== undefined}::boolean)`, optionId);
  const chosen = sql`${seconds ?? null}::int`;
  // Returns an owner ID only if the answer is held, because the owner's open pages are notified
  // only then.
  return sql<HoldVerdict>`
    WITH asked AS (
      SELECT a.id, a.owner_id, a.status, a.resolution,
        CASE
          WHEN a.resolution IS NOT NULL THEN 'resolved'
          WHEN a.frozen_at IS NOT NULL THEN 'frozen'
          WHEN ${isMismatched} THEN 'mismatched'
          WHEN ${isUnsigned(sql`a`, sql`${signedAt(answer.signature) ?? null}::text`)}
            THEN 'unsigned'
          WHEN NOT ${confirmed ?? false}::boolean
              AND ${optionId} IS NOT NULL
              AND (s.always_confirm OR c.always_confirm OR a.risk = 'high')
            THEN 'unconfirmed'
          WHEN (${chosen} IS NOT NULL OR s.undo_seconds > 0) IS NOT TRUE THEN 'immediate'
          WHEN ${isLate} THEN 'expired'
          WHEN approval_is_as_seen(a, ${seen}) IS NOT TRUE THEN 'changed'
          WHEN ${optionId} IS NOT NULL
              AND NOT EXISTS (
                SELECT FROM json_array_elements(a.options) AS o WHERE o ->> 'id' = ${optionId}
              )
            THEN 'invalid_option'
          WHEN NOT ${complete} THEN 'values'
          WHEN ${isUnproven} THEN 'unpicked'
          ELSE 'ok'
        END AS verdict,
        -- Truncated to the stored milliseconds: rounded up, the hold would exceed the owner's
        -- choice.
        least(
          date_trunc('milliseconds', clock_timestamp())
            + make_interval(secs => coalesce(${chosen}, s.undo_seconds)),
          ${deadlineOf(sql`a`)}
        ) AS until
      FROM approval a
        LEFT JOIN LATERAL ${settingsOf(sql`a.owner_id`)} AS s ON true
        LEFT JOIN LATERAL ${appPreferencesOf(sql`a.owner_id`, sql`a.app_id`)} AS c ON true
      WHERE a.owner_id = ${owner.ownerId} AND a.id = ${validId(id)}
    ), held AS (
      INSERT INTO approval_triage (approval_id, owner_id, held_answer, commit_at, held_hash)
      SELECT id, owner_id, ${JSON.stringify(answer)}::"json", until, ${seen}
      FROM asked
      WHERE status = 'pending'
        AND verdict = 'ok'
        -- Otherwise, a transaction that sends an earlier held answer could end during this
        -- statement, which would then hold another answer to a resolved question.
        AND NOT EXISTS (
          SELECT FROM approval_triage d WHERE d.approval_id = asked.id AND d.held_answer IS NOT NULL
        )
      ON CONFLICT (approval_id) DO UPDATE SET
        held_answer = excluded.held_answer, commit_at = excluded.commit_at,
        held_hash = excluded.held_hash, snoozed_until = NULL, clarification_asked_at = NULL,
        overtaken_at = NULL, changed_at = NULL
        WHERE approval_triage.held_answer IS NULL
      RETURNING owner_id, held_answer, commit_at
    )
    SELECT h.owner_id, a.resolution, h.held_answer AS answer, ${heldFor(sql`h`)},
      CASE
        WHEN a.id IS NULL THEN 'missing'
        WHEN a.verdict = 'ok' AND h.owner_id IS NULL THEN 'already_held'
        ELSE a.verdict
      END AS verdict
    FROM (SELECT) AS once
      LEFT JOIN asked a ON true
      LEFT JOIN held h ON true`;
}

/** SQL: when a hold ends and how long it lasts from now, as columns of a `HeldAnswer`. */
export const heldFor = (triage: Sql): Sql => sql`
  (extract(epoch FROM ${triage}.commit_at) * 1000)::float8 AS "commitAt",
  greatest(0, extract(epoch FROM ${triage}.commit_at - clock_timestamp()) * 1000)::float8
    AS "leftMs"`;

export const validId = (id: string): string => (isId("apr", id) ? id : "");
