import { type Sql, sql } from "@/lib/database/sql";

/*
 * Lists, counts, alerts and the limit of pending approvals must agree on the state of an approval.
 * They share these SQL conditions on an approval `a`. All times are by the database's clock.
 */

/**
 * Returns a CTE that locks an owner's triage rows for these approvals. To prevent deadlocks, every
 * statement that writes several rows locks them in this order, and inserts use the same ORDER BY.
 */
export const lockedTriage = (ownerId: string, ids: string[]): Sql => sql`
  locked AS MATERIALIZED (
    SELECT approval_id
    FROM approval_triage
    WHERE owner_id = ${ownerId} AND approval_id = ANY (${ids})
    ORDER BY approval_id
    FOR NO KEY UPDATE
  )`;

/**
 * A pending approval is either waiting or unanswered. It becomes unanswered once its passed
 * deadline is recorded. Each condition has its own indexes, but their combination has none.
 */
export const isWaiting = sql`a.status = 'pending' AND a.deadline_passed_at IS NULL`;
export const isUnanswered = sql`a.status = 'pending' AND a.deadline_passed_at IS NOT NULL`;

/**
 * SQL: the deadline of an approval, which a freeze may have moved. `expires_at` is the submitted
 * deadline, which the content hash covers.
 * @param of the approval's alias
 */
export const deadlineOf = (of: Sql): Sql => sql`coalesce(${of}.due_at, ${of}.expires_at)`;
const deadline = deadlineOf(sql`a`);

/**
 * SQL: the time to compare with a deadline. For a frozen approval, that is the time at which it was
 * frozen.
 */
const clock = sql`coalesce(a.frozen_at, now())`;

/** SQL: whether the approval's deadline has passed, or is recorded as passed. NULL if it has none. */
export const isLate = sql`(
  coalesce(a.deadline_passed_at, ${deadline}) <= coalesce(a.frozen_at, clock_timestamp())
)`;

/** SQL: whether the approval can be answered: it is waiting, and its deadline has not passed. */
export const isOpen = sql`${isWaiting} AND (a.expires_at IS NULL OR ${deadline} > ${clock})`;

/** SQL: whether the approval is pending, its deadline has passed, and no answer is held. */
export const isExpired = sql`(
  ${deadline} <= ${clock}
  AND a.status = 'pending'
  AND NOT EXISTS (
    SELECT FROM approval_triage held WHERE held.approval_id = a.id AND held.held_answer IS NOT NULL
  )
)`;

/**
 * SQL: whether the asking app is connected, so that it can read an answer.
 * @param of the approval's alias
 */
export const isConnected = (of: Sql): Sql => sql`EXISTS (
  SELECT FROM live_grant g WHERE g.owner_id = ${of}.owner_id AND g.app_id = ${of}.app_id
)`;

/** SQL: the content hash, which is computed if the approval was stored before hashes existed. */
export const contentHashOf = sql`coalesce(
  a.content_hash,
  approval_content_hash(
    a.question, a.options, a.background_context, a.recommendation, a.expires_at,
    a.default_option_id, a.owner_only, a.risk, a.facts, a.fields,
    a.once, a.signed_by_owner, approval_additions(a.id)
  )
)`;

/** SQL: whether the approval has a number that the owner has not picked correctly. */
export const isUnproven = sql`(
  a.match IS NOT NULL AND a.picked IS DISTINCT FROM a.match ->> 'number'
)`;

/**
 * SQL: whether the owner picked a wrong number. NULL before the owner picks one, and if the
 * approval has no number.
 */
export const isMismatched = sql`(a.picked <> a.match ->> 'number')`;

/**
 * SQL: when to remind the owner of the deadline. The reminder is due when a fifth of the time is
 * left, but no more than an hour and no less than a minute before the deadline.
 */
export const remindAt = sql`(
  ${deadline} - least(
    interval '1 hour', greatest(interval '1 minute', (${deadline} - a.created_at) * 0.2)
  )
)`;

/**
 * SQL: whether the reminder is due. If the deadline was at most two minutes after the question, the
 * first alert is enough.
 */
export const isReminded = sql`(
  ${deadline} - a.created_at > interval '2 minutes' AND ${clock} >= ${remindAt}
)`;

/** SQL: whether a pending approval is due for a reminder. */
export const isReminderDue = sql`(a.expires_at IS NOT NULL AND ${isReminded})`;
