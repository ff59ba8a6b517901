import { keepShard } from "@/lib/database/shards/marks";
import { empty, literal, sql } from "@/lib/database/sql";
import { changeByStatement } from "@/lib/events/change-transaction";
import { intoEvents } from "@/lib/events/record-events";
import { hasScope } from "@/lib/grants/grant-sql-for-other-domains";
import { later } from "@/lib/work/timer-registry";
import { deadlineOf, isWaiting } from "./approval-state-sql";

/** The maximum number of approvals that one statement settles. */
const batchSize = 200;

/** SQL: whether the app of an approval `a` may currently answer its own questions. */
const mayAnswer = sql`EXISTS (
  SELECT FROM live_grant g
  WHERE g.owner_id = a.owner_id
    AND g.app_id = a.app_id
    AND ${hasScope(sql`g.owner_id`, sql`g.id`, sql`'approvals:resolve'`)}
)`;

/**
 * SQL: whether the deadline, which a freeze may have moved, has passed, and no freeze stops it. A
 * freeze only ever moves deadlines to later, so the index on `expires_at` finds all candidates.
 */
const isDue = sql`a.frozen_at IS NULL
          AND (a.due_at IS NULL OR a.due_at <= (SELECT at FROM moment))
          -- A question that arrived while the freeze began may not be marked yet.
          AND NOT EXISTS (
            SELECT FROM live_grant g
            WHERE g.owner_id = a.owner_id AND g.app_id = a.app_id AND g.frozen_at IS NOT NULL
          )`;

/** The note on an answer that was recorded by default. */
const note = "Deadline passed";
const resolvedByDefault = sql`jsonb_build_object('by', 'api', 'kind', 'option', 'deadline', true)`;

/**
 * Records each passed deadline exactly once, even across instances, and resolves the approval with
 * its default, if any. A default is the app's answer, so it applies only while the app may answer
 * its own questions. Skips approvals with a held answer, which counts when its hold ends.
 * @param owner limits the run to this owner, and possibly to one app's questions. The statement
 *   then waits for locked rows, so that a later read sees them settled.
 * @returns the number of settled deadlines
 */
export async function recordPassedDeadlines(owner: { ownerId?: string; appId?: string } = {}): Promise<number> {
  const { ownerId, appId } = owner;
  const ofApp = appId === undefined ? empty : sql` AND a.app_id = ${appId}`;
  const mine = ownerId === undefined ? empty : sql` AND a.owner_id = ${ownerId}${ofApp}`;
  const passed = await changeByStatement(
    null,
    sql<{ owner_id: string }>`
      WITH moment AS (
        SELECT clock_timestamp()::timestamptz(3) AS at
      ), due AS MATERIALIZED (
        SELECT a.id, a.default_option_id IS NOT NULL AND ${mayAnswer} AS answered
        FROM approval a
        -- As a subquery, the time is known before the index scan. A join would compare every
        -- deadline with it.
        WHERE ${isWaiting}
          AND a.expires_at <= (SELECT at FROM moment)${mine}
          AND ${isDue}
          -- A CHECK gives every held answer a time to count at; these few have an index.
          AND NOT EXISTS (
            SELECT FROM approval_triage d WHERE d.approval_id = a.id AND d.commit_at IS NOT NULL
          )
        ORDER BY a.expires_at, a.id LIMIT ${literal(batchSize)}
        FOR NO KEY UPDATE OF a${ownerId === undefined ? sql` SKIP LOCKED` : empty}
      ), passed AS (
        UPDATE approval a
        SET deadline_passed_at = m.at,
          status = CASE WHEN due.answered THEN 'resolved' ELSE 'pending' END,
          resolved_at = CASE WHEN due.answered THEN m.at END,
          resolution = CASE
            WHEN due.answered
              THEN json_build_object(
                'kind', 'option', 'optionId', a.default_option_id, 'note', ${note}::text,
                'resolvedBy', 'api', 'resolvedAt', (extract(epoch FROM m.at) * 1000)::bigint
              )
          END
        FROM due, moment m
        WHERE a.id = due.id AND ${isWaiting}
        RETURNING a.owner_id, a.app_id, a.id, a.status
      ), told AS (
        ${intoEvents}
        SELECT p.owner_id, p.app_id, t.type, p.id, t.data
        FROM passed p
          CROSS JOIN LATERAL (
            VALUES
              (1, 'approval.deadline_passed', jsonb_build_object('default', p.status = 'resolved')),
              (2, 'approval.resolved', ${resolvedByDefault})
          ) AS t(place, type, data)
        WHERE t.place = 1 OR p.status = 'resolved'
        ORDER BY p.id, t.place
      )
      SELECT owner_id
      FROM passed`,
  );
  return passed.length;
}

const deadline = deadlineOf(sql`a`);

/** SQL: how far ahead one run looks. Slightly more than the interval between runs. */
const ahead = sql`interval '1500 milliseconds'`;

/** SQL: whether any deadline is due before the next run. */
export const deadlinesDue = sql`EXISTS (
  SELECT FROM approval a
  WHERE ${isWaiting}
    AND a.expires_at <= now() + ${ahead}
    AND a.frozen_at IS NULL
    AND (a.due_at IS NULL OR a.due_at <= now() + ${ahead})
)`;

/** Settles all owners' due deadlines, and schedules those that are due before the next run. */
export async function settleDueDeadlines(): Promise<void> {
  while ((await recordPassedDeadlines()) === batchSize);
  const next = await sql<{ left: number }>`
    SELECT DISTINCT greatest(
      0, extract(epoch FROM ${deadline} - clock_timestamp()) * 1000
    )::float8 AS left
    FROM approval a
    WHERE ${isWaiting}
      AND a.expires_at <= now() + ${ahead}
      AND ${deadline} > now()
      AND ${deadline} <= now() + ${ahead}
      AND a.frozen_at IS NULL
    ORDER BY 1 LIMIT 50`.rows();
  const onSameShard = keepShard();
  for (const { left } of next) {
    later(left + 5, () => {
      onSameShard(() => recordPassedDeadlines()).catch(() => {
        // The next run tries again and logs any failure.
      });
    });
  }
}
