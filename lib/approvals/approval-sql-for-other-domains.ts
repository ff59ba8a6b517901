import { type Sql, sql } from "@/lib/database/sql";
import { appPreferencesOf } from "@/lib/grants/app-preferences";
import { settingsOf } from "@/lib/owners/owner-sql-for-other-domains";
import { contentHashOf, deadlineOf, isConnected, isOpen, isWaiting } from "./approval-state-sql";
import type { ApprovalOption } from "./content/option-schema";
import type { Fact } from "./facts";
import type { Resolution } from "./schema";
import { signingOf } from "./sign/signing-sql";

/*
 * SQL fragments about approvals for other domains' statements, in addition to the view
 * `open_approval`. An approval is given as an SQL expression for its ID.
 */

/** SQL: the question of the owner's approval, as a value or as a row `question` to join LATERAL. */
export const questionOf = (id: Sql, ownerId: string): Sql =>
  sql`(SELECT a.question FROM approval a WHERE a.id = ${id} AND a.owner_id = ${ownerId})`;

/**
 * SQL: an app's latest questions from the last 30 days, as rows. `took` is the owner's response
 * time in milliseconds, if they answered.
 */
export const recentQuestions = (ownerId: string, appId: string, max: number): Sql => sql`(
  SELECT id,
    CASE
      WHEN resolution ->> 'resolvedBy' = 'owner'
        THEN extract(epoch FROM resolved_at - created_at) * 1000
    END AS took
  FROM approval
  WHERE owner_id = ${ownerId} AND app_id = ${appId} AND created_at > now() - interval '30 days'
  ORDER BY created_at DESC, id DESC LIMIT ${max}
)`;

/** SQL: the deadline of a pending approval; NULL if it has none, or the approval is not pending. */
export const openDeadline = (id: Sql): Sql =>
  sql`(SELECT ${deadlineOf(sql`a`)} FROM approval a WHERE a.id = ${id} AND a.status = 'pending')`;

/**
 * SQL: whether a link may answer the approval. Its app must be connected, its risk must not be
 * high, it must have no fields and need no signature, and `ownerOnly` must not be set.
 */
export const allowsLinkAnswer = (id: Sql): Sql => sql`EXISTS (
  SELECT FROM approval one
  WHERE one.id = ${id}
    AND one.risk IS DISTINCT FROM 'high'
    AND NOT one.owner_only
    AND one.fields IS NULL
    AND ${signingOf(sql`one`)} IS NULL
    AND ${isConnected(sql`one`)}
)`;

/** The full text of a question that one press may answer. `seen` is its hash. */
export type OneTapQuestion = {
  question: string;
  facts?: Fact[] | null;
  background: string | null;
  recommendation: string | null;
  options: ApprovalOption[];
  seen: string;
};

/**
 * SQL: an approval's question as JSON of a `OneTapQuestion`; NULL if a press on an alert may not
 * answer it. Among other conditions, the question must be open and low-risk, with two harmless
 * options. The owner must allow such answers, show questions in full, and require neither a
 * confirmation nor a signature.
 */
export const oneTapQuestion = (id: Sql): Sql => sql`(
  SELECT json_build_object(
    'question', a.question, 'facts', a.facts, 'background', a.background_context,
    'recommendation', a.recommendation, 'options', a.options, 'seen', ${contentHashOf}
  )
  FROM approval a
    CROSS JOIN LATERAL ${settingsOf(sql`a.owner_id`)} AS s
    LEFT JOIN LATERAL ${appPreferencesOf(sql`a.owner_id`, sql`a.app_id`)} AS c ON true
  WHERE a.id = ${id}
    AND ${isOpen}
    AND a.frozen_at IS NULL
    AND ${isConnected(sql`a`)}
    AND a.risk = 'low'
    AND NOT a.owner_only
    AND a.fields IS NULL
    AND ${signingOf(sql`a`)} IS NULL
    AND json_array_length(a.options) = 2
    AND NOT EXISTS (SELECT FROM json_array_elements(a.options) AS o WHERE o ->> 'style' = 'danger')
    AND NOT EXISTS (SELECT FROM approval_addition more WHERE more.approval_id = a.id)
    AND NOT EXISTS (
      SELECT FROM approval_triage d
      WHERE d.approval_id = a.id
        AND (d.held_answer IS NOT NULL
          OR d.clarification_asked_at IS NOT NULL
          OR d.snoozed_until > now())
    )
    AND s.answer_from_alerts
    AND NOT s.always_confirm
    AND c.always_confirm IS NOT TRUE
    AND coalesce(c.lock_screen, s.lock_screen) = 'full'
)`;

/**
 * How an approval was decided: the role that decided, and the label of the chosen option, if any.
 * `outcomeOf` returns it as JSON, or NULL while the approval is pending.
 */
export type HowEnded = { resolvedBy: Resolution["resolvedBy"]; label?: string };
export const outcomeOf = (id: Sql): Sql => sql`(
  SELECT json_strip_nulls(json_build_object(
    'resolvedBy', a.resolution ->> 'resolvedBy',
    'label', (
      SELECT o ->> 'label'
      FROM json_array_elements(a.options) AS o
      WHERE o ->> 'id' = a.resolution ->> 'optionId'
    )
  ))
  FROM approval a
  WHERE a.id = ${id} AND a.resolution IS NOT NULL
)`;

/** SQL: whether the approval is snoozed or has an open clarification. */
export const isDeferred = (id: Sql): Sql => sql`EXISTS (
  SELECT FROM approval_triage d
  WHERE d.approval_id = ${id} AND (d.snoozed_until > now() OR d.clarification_asked_at IS NOT NULL)
)`;

/** SQL: when the owner's next snoozed approval returns; NULL if none does. */
export const nextReturnAt = (ownerId: string): Sql => sql`(
  SELECT min(d.snoozed_until)
  FROM approval_triage d JOIN approval a ON a.id = d.approval_id AND a.status = 'pending'
  WHERE d.owner_id = ${ownerId} AND d.snoozed_until > now()
)`;

/**
 * SQL: owners with approvals that wait for an answer, as a recursive CTE that ends with NULL. Takes
 * one index step per such owner, and none for other owners.
 */
export const pendingOwners = sql`pending (owner_id) AS (
  (SELECT a.owner_id FROM approval a WHERE ${isWaiting} ORDER BY a.owner_id LIMIT 1)
  UNION ALL
  SELECT (
    SELECT a.owner_id
    FROM approval a
    WHERE ${isWaiting} AND a.owner_id > p.owner_id
    ORDER BY a.owner_id LIMIT 1
  )
  FROM pending p
  WHERE p.owner_id IS NOT NULL
)`;

/**
 * SQL: the data that apps get with an event `e` about an approval, as JSON, by the event's type.
 */
export const eventPayload = {
  resolved: sql`(
    SELECT json_build_object(
      'id', a.id, 'resolution', a.resolution,
      'contentHash', coalesce(a.content_hash, approval_current_hash(a))
    )
    FROM approval a
    WHERE a.id = e.subject
  )`,
  deadlinePassed: sql`(
    SELECT json_strip_nulls(json_build_object(
      'id', a.id, 'expiresAt', (extract(epoch FROM a.expires_at) * 1000)::bigint,
      'dueAt', (extract(epoch FROM a.due_at) * 1000)::bigint
    ))
    FROM approval a
    WHERE a.id = e.subject
  )`,
  withdrawn: sql`(
    SELECT json_build_object(
      'id', e.subject, 'withdrawnAt', (extract(epoch FROM u.created_at) * 1000)::bigint
    )
    FROM approval_use u
    WHERE u.approval_id = e.subject
  )`,
  questionAsked: sql`(
    SELECT json_build_object('id', e.subject, 'question', q.text)
    FROM approval_question q
    WHERE q.approval_id = e.subject AND q.nth = (e.data ->> 'nth')::int
  )`,
};

/**
 * SQL: marks the answers in these events as delivered (see `deduplication.ts`), and returns the
 * number of newly marked answers.
 */
export const markDelivered = (events: Sql): Sql => sql`(
  SELECT count(approval_mark_delivered(a.id))
  FROM ${events} e JOIN approval a ON a.id = e.subject
  WHERE e.type = 'approval.resolved' AND a.undelivered
)`;
