import { type Sql, sql } from "@/lib/database/sql";
import { appPreferencesOf } from "@/lib/grants/app-preferences";
import { settingsOf } from "@/lib/owners/sql";
import { contentHashOf, isConnected, isOpen, isWaiting } from "./predicates";
import type { ApprovalOption, Resolution } from "./schema";

/* What other domains' statements ask of approvals, beside the view `open_approval`. One is named by an expression for its id. */

/** What an approval of the owner's asks: a value, or a row `question` to join LATERAL. */
export const questionOf = (id: Sql, ownerId: string): Sql =>
  sql`(SELECT a.question FROM approval a WHERE a.id = ${id} AND a.owner_id = ${ownerId})`;

/** What an app asked in the last 30 days, the latest so many: rows with `took`, in milliseconds, where the owner answered. */
export const recentQuestions = (ownerId: string, appId: string, most: number): Sql => sql`(
  SELECT id, CASE WHEN resolution ->> 'resolvedBy' = 'owner' THEN extract(epoch FROM resolved_at - created_at) * 1000 END AS took
  FROM approval WHERE owner_id = ${ownerId} AND app_id = ${appId} AND created_at > now() - interval '30 days'
  ORDER BY created_at DESC, id DESC LIMIT ${most})`;

/** The deadline of one that waits. */
export const openDeadline = (id: Sql): Sql =>
  sql`(SELECT a.expires_at FROM approval a WHERE a.id = ${id} AND a.status = 'pending')`;

/** Whether who holds a link to it may answer it: its app is connected, it is of no high risk, and not for the owner alone. */
export const allowsLinkAnswer = (id: Sql): Sql => sql`EXISTS (SELECT FROM approval one
  WHERE one.id = ${id} AND one.risk IS DISTINCT FROM 'high' AND NOT one.owner_only AND ${isConnected(sql`one`)})`;

/** All that there is to read of a question that one press may answer; `seen` is its hash. */
export type OneTapQuestion = {
  question: string;
  background: string | null;
  recommendation: string | null;
  options: ApprovalOption[];
  seen: string;
};

/**
 * What one waits for that may be answered by a press on an alert, as JSON: a `OneTapQuestion`; NULL where the owner has to open it. Its
 * app is connected, says that the risk is low, offers two answers of which none is a danger, and added nothing; and the owner wants that, shows
 * questions in full, and does not want to confirm.
 */
export const oneTapQuestion = (
  id: Sql,
): Sql => sql`(SELECT json_build_object('question', a.question, 'background', a.background_context,
    'recommendation', a.recommendation, 'options', a.options, 'seen', ${contentHashOf})
  FROM approval a CROSS JOIN LATERAL ${settingsOf(sql`a.owner_id`)} AS s
    LEFT JOIN LATERAL ${appPreferencesOf(sql`a.owner_id`, sql`a.app_id`)} AS c ON true
  WHERE a.id = ${id} AND ${isOpen} AND ${isConnected(sql`a`)} AND a.risk = 'low' AND NOT a.owner_only AND json_array_length(a.options) = 2
    AND NOT EXISTS (SELECT FROM json_array_elements(a.options) AS o WHERE o ->> 'style' = 'danger')
    AND NOT EXISTS (SELECT FROM approval_addition more WHERE more.approval_id = a.id)
    AND NOT EXISTS (SELECT FROM approval_desk d WHERE d.approval_id = a.id
      AND (d.held_answer IS NOT NULL OR d.asked_back_at IS NOT NULL OR d.snoozed_until > now()))
    AND s.answer_from_alerts AND NOT s.always_confirm AND c.always_confirm IS NOT TRUE
    AND coalesce(c.lock_screen, s.lock_screen) = 'full')`;

/** How one was decided: by whom, and under which label where it was one of the options. JSON, `HowEnded`; NULL while it waits. */
export type HowEnded = { by: Resolution["resolvedBy"]; label?: string };
export const outcomeOf = (
  id: Sql,
): Sql => sql`(SELECT json_strip_nulls(json_build_object('by', a.resolution ->> 'resolvedBy',
    'label', (SELECT o ->> 'label' FROM json_array_elements(a.options) AS o WHERE o ->> 'id' = a.resolution ->> 'optionId')))
  FROM approval a WHERE a.id = ${id} AND a.resolution IS NOT NULL)`;

/** Whether the owner put it off, or asked back, and it has not come back yet. */
export const isDeferred = (id: Sql): Sql => sql`EXISTS (SELECT FROM approval_desk d
  WHERE d.approval_id = ${id} AND (d.snoozed_until > now() OR d.asked_back_at IS NOT NULL))`;

/** When the next one that the owner put off comes back. */
export const nextReturnAt = (ownerId: string): Sql => sql`(SELECT min(d.snoozed_until)
  FROM approval_desk d JOIN approval a ON a.id = d.approval_id AND a.status = 'pending'
  WHERE d.owner_id = ${ownerId} AND d.snoozed_until > now())`;

/**
 * Who has something that waits, as a recursive CTE, with NULL at its end: one step along the index for each of them, and none for
 * the others.
 */
export const pendingOwners = sql`pending (owner_id) AS (
  (SELECT a.owner_id FROM approval a WHERE ${isWaiting} ORDER BY a.owner_id LIMIT 1)
  UNION ALL
  SELECT (SELECT a.owner_id FROM approval a WHERE ${isWaiting} AND a.owner_id > p.owner_id
    ORDER BY a.owner_id LIMIT 1) FROM pending p WHERE p.owner_id IS NOT NULL)`;

/** What apps are told of an event `e` about one, by the event's type: JSON. */
export const eventPayload = {
  resolved: sql`(SELECT json_build_object('id', a.id, 'resolution', a.resolution,
    'contentHash', coalesce(a.content_hash, approval_current_hash(a))) FROM approval a WHERE a.id = e.subject)`,
  deadlinePassed: sql`(SELECT json_build_object('id', a.id, 'expiresAt', (extract(epoch FROM a.expires_at) * 1000)::bigint)
    FROM approval a WHERE a.id = e.subject)`,
  questionAsked: sql`(SELECT json_build_object('id', e.subject, 'question', q.text) FROM approval_question q
    WHERE q.approval_id = e.subject AND q.nth = (e.data ->> 'nth')::int)`,
};

/** Whoever reads these events was told the answers in them: see `asked-before.ts`. @returns how many had not been told */
export const markDelivered = (
  events: Sql,
): Sql => sql`(SELECT count(approval_told(a.id)) FROM ${events} e JOIN approval a ON a.id = e.subject
  WHERE e.type = 'approval.resolved' AND a.untold)`;
