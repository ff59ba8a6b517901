import { type Sql, sql } from "@/lib/database/sql";
import type { Approval, ApprovalOption } from "./schema";

/*
 * What several statements ask of an approval `a`, as SQL: lists, counts, alerts and the cap of open questions all go by it.
 * Times are the database's.
 */

/**
 * The triage rows of an owner for these approvals, locked, as a CTE: whoever writes several takes them in this order, so that no two
 * wait for each other. Whoever inserts several does so by the same ORDER BY.
 */
export const lockedTriage = (ownerId: string, ids: string[]): Sql => sql`locked AS MATERIALIZED (SELECT approval_id
  FROM approval_desk WHERE owner_id = ${ownerId} AND approval_id = ANY (${ids}) ORDER BY approval_id FOR NO KEY UPDATE)`;

/** What is pending waits, or was missed: it is written down that nobody answered in time. Each has indexes of its own, and both have none. */
export const isWaiting = sql`a.status = 'pending' AND a.deadline_passed_at IS NULL`;
export const isUnanswered = sql`a.status = 'pending' AND a.deadline_passed_at IS NOT NULL`;

/** Whether it can be answered: it waits, and its deadline has not passed. */
export const isOpen = sql`${isWaiting} AND (a.expires_at IS NULL OR a.expires_at > now())`;

/** Whether nobody can answer it any more. An answer that was given before and is being held still counts. */
export const isExpired = sql`(a.expires_at <= now() AND a.status = 'pending' AND NOT EXISTS (
  SELECT FROM approval_desk held WHERE held.approval_id = a.id AND held.held_answer IS NOT NULL))`;

/** Whether the owner lets in the app that asked, so that it can read an answer. @param of the approval's alias */
export const isConnected = (of: Sql): Sql => sql`EXISTS (
  SELECT FROM live_grant g WHERE g.owner_id = ${of}.owner_id AND g.app_id = ${of}.app_id)`;

/** The hash of what was asked: the one that was kept, or what it is for those from before there was one. */
export const contentHashOf = sql`coalesce(a.content_hash, approval_content_hash(a.question, a.options, a.background_context, a.recommendation,
  a.expires_at, a.default_option_id, a.owner_only, a.risk, approval_additions(a.id)))`;

/**
 * Whether one tap is enough of an answer: on a lock screen, or to several questions at once. To a high risk it is not; there an
 * owner's answer takes a second step (`confirmed`), which `holdAnswer` asks for.
 */
export const allowsOneTap = ({ risk }: { risk?: Approval["risk"] | null }): boolean => risk !== "high";

/** Options as they are shown: in the app's order, except that no danger comes first where there is another choice. */
export const displayOptions = (options: ApprovalOption[]): ApprovalOption[] =>
  isDanger(options[0]) ? [...options.filter((it) => !isDanger(it)), ...options.filter(isDanger)] : options;
const isDanger = (option: ApprovalOption | undefined) => option?.style === "danger";

/** How risky: 0 is the riskiest. What says nothing is like any other. */
export const riskRank = (of: Sql): Sql => sql`CASE ${of}.risk WHEN 'high' THEN 0 WHEN 'low' THEN 2 ELSE 1 END`;

/** When its owner is reminded of its deadline: with a fifth of the time left, a minute at least and an hour at most. */
export const remindAt = sql`(a.expires_at - least(interval '1 hour', greatest(interval '1 minute', (a.expires_at - a.created_at) * 0.2)))`;

/** Whether that moment has come. Where all the time there is is two minutes, being told of the question is enough. */
export const isReminded = sql`(a.expires_at - a.created_at > interval '2 minutes' AND now() >= ${remindAt})`;

/** Whether the owner is to be told once more of one that waits, since its deadline is near. */
export const isReminderDue = sql`(a.expires_at IS NOT NULL AND ${isReminded})`;
