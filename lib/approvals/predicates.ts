import { type Sql, sql } from "@/lib/database/sql";
import type { Approval, ApprovalOption } from "./schema";

/*
 * Lists, counts, alerts and the limit of pending approvals must agree on the state of an approval.
 * They share these SQL conditions on an approval `a`. Times are the database's.
 */

/**
 * A CTE that locks an owner's triage rows for these approvals. Every writer of several rows locks
 * them in this order, and inserts use the same ORDER BY, so that no two wait for each other.
 */
export const lockedTriage = (ownerId: string, ids: string[]): Sql => sql`
  locked AS MATERIALIZED (
    SELECT approval_id
    FROM approval_desk
    WHERE owner_id = ${ownerId} AND approval_id = ANY (${ids})
    ORDER BY approval_id
    FOR NO KEY UPDATE
  )`;

/**
 * A pending approval is either waiting or, once its passed deadline is recorded, unanswered. Each
 * condition has its own indexes, and both together have none.
 */
export const isWaiting = sql`a.status = 'pending' AND a.deadline_passed_at IS NULL`;
export const isUnanswered = sql`a.status = 'pending' AND a.deadline_passed_at IS NOT NULL`;

/** Whether it can be answered: it is waiting, and its deadline has not passed. */
export const isOpen = sql`${isWaiting} AND (a.expires_at IS NULL OR a.expires_at > now())`;

/** Whether it can no longer be answered. An answer held before the deadline counts. */
export const isExpired = sql`(
  a.expires_at <= now()
  AND a.status = 'pending'
  AND NOT EXISTS (
    SELECT FROM approval_desk held WHERE held.approval_id = a.id AND held.held_answer IS NOT NULL
  )
)`;

/**
 * Whether the asking app is connected, so that it can read an answer.
 * @param of the approval's alias
 */
export const isConnected = (of: Sql): Sql => sql`EXISTS (
  SELECT FROM live_grant g WHERE g.owner_id = ${of}.owner_id AND g.app_id = ${of}.app_id
)`;

/**
 * The content hash: the stored one, or the computed one for approvals from before hashes were
 * stored.
 */
export const contentHashOf = sql`coalesce(
  a.content_hash,
  approval_content_hash(
    a.question, a.options, a.background_context, a.recommendation, a.expires_at,
    a.default_option_id, a.owner_only, a.risk, a.facts, approval_additions(a.id)
  )
)`;

/** Whether the owner has yet to pick an approval's number, or picked a wrong one. */
export const isUnproven = sql`(
  a.match IS NOT NULL AND a.picked IS DISTINCT FROM a.match ->> 'number'
)`;

/** Whether the owner picked a wrong number. NULL without a number. */
export const isMismatched = sql`(a.picked <> a.match ->> 'number')`;

/**
 * Whether one tap is enough to answer: on a lock screen, or for several questions together. High
 * risk requires a second step (`confirmed`), which `holdAnswer` checks.
 */
export const allowsOneTap = ({ risk }: { risk?: Approval["risk"] | null }): boolean => risk !== "high";

/**
 * Options in display order: the app's, except that a dangerous one is never first if there is
 * another.
 */
export const displayOptions = (options: ApprovalOption[]): ApprovalOption[] =>
  isDanger(options[0]) ? [...options.filter((it) => !isDanger(it)), ...options.filter(isDanger)] : options;
const isDanger = (option: ApprovalOption | undefined) => option?.style === "danger";

/**
 * When its owner is reminded of its deadline: with a fifth of the time left, at least a minute and
 * at most an hour before.
 */
export const remindAt = sql`(
  a.expires_at - least(
    interval '1 hour', greatest(interval '1 minute', (a.expires_at - a.created_at) * 0.2)
  )
)`;

/** Whether the reminder is due. With two minutes or less in all, the first alert is enough. */
export const isReminded = sql`(
  a.expires_at - a.created_at > interval '2 minutes' AND now() >= ${remindAt}
)`;

/** Whether a pending approval is due for a reminder. */
export const isReminderDue = sql`(a.expires_at IS NOT NULL AND ${isReminded})`;
