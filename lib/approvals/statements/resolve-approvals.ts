import { type Sql, sql } from "@/lib/database/sql";
import { recorded } from "@/lib/events/record-events";
import { batchedStatement } from "@/lib/requests/batched-statement";
import { deadlineOf, isMismatched, isUnproven } from "../approval-state-sql";
import { isComplete } from "../fields/field-sql";
import type { FieldValues } from "../fields/field-values";
import type { Answer, Resolution } from "../schema";
import type { AnswerSignature } from "../sign/schema";
import { isUnsigned, type signedAt } from "../sign/signing-sql";

/*
 * Several answers to an approval can arrive at the same time, but only one may count. This
 * statement is one conditional UPDATE, so the database picks the winner. It returns a verdict for
 * each request.
 */

/**
 * Whether an answer counts or, if not, the first reason. `overtaken`: another transaction changed
 * or locked the approval at the same time, so the caller tries again.
 */
type Resolved =
  | { verdict: "ok" | "resolved"; resolution: Resolution }
  | { verdict: Refusal; resolution: Resolution | null };
type Refusal =
  | ("missing" | "owner_only" | "expired" | "changed" | "invalid_option" | "values")
  | ("unpicked" | "mismatched" | "frozen" | "unsigned" | "overtaken");

/** SQL: the time that is compared with the deadline and recorded as the time of the resolution. */
const moment = sql`moment AS (
  SELECT clock_timestamp()::timestamptz(3) AS at
)`;

const deadline = deadlineOf(sql`a`);

/** SQL: whether a request `r` may access an approval `a`. */
const isReachable = sql`a.id = r.id
      AND a.owner_id = r.owner_id
      AND (r.app_id IS NULL OR a.app_id = r.app_id)`;
/** SQL: whether an app sent the request although only the owner may answer. */
const isClosed = sql`(r.app_id IS NOT NULL AND (a.owner_only OR a.match IS NOT NULL))`;
/** SQL: whether the answer is in the owner's own words, or one of the approval's options. */
const isOffered = sql`(
  r."optionId" IS NULL
    OR EXISTS (
      SELECT FROM json_array_elements(a.options) AS o WHERE o ->> 'id' = r."optionId"
    )
)`;

/** SQL: whether the answer has values exactly if its option takes fields. */
const hasItsValues = isComplete(sql`(r.values IS NOT NULL)`, sql`r."optionId"`);

/** SQL: whether an owner's answer lacks the signature that it needs. Apps' answers need none. */
const lacksSignature = sql`(r.app_id IS NULL AND ${isUnsigned(sql`a`, sql`r."signedAt"`)})`;

/**
 * SQL: the requested approvals that the requests' actors may access, each with all possible reasons
 * to reject its answer.
 */
const found = sql`found AS MATERIALIZED (
  SELECT r.*, a.status, a.resolution,
    ${isClosed} AS closed,
    NOT r.simulated AND ${isUnproven} AS unproven, ${isMismatched} AS mismatched,
    NOT r.held AND coalesce(a.deadline_passed_at, ${deadline}) <= m.at AS late,
    a.frozen_at IS NOT NULL AS stopped,
    r.app_id IS NULL AND NOT approval_is_as_seen(a, r.seen) AS other,
    ${isOffered} AS offered, ${hasItsValues} AS complete, ${lacksSignature} AS unsigned
  FROM asked r JOIN approval a ON ${isReachable}, moment m
)`;

/**
 * SQL: locks rows in one order and skips rows locked elsewhere, because waiting for a locked row
 * would delay the whole batch.
 */
const reserved = sql`reserved AS MATERIALIZED (
  SELECT r.*
  FROM (SELECT * FROM found WHERE status = 'pending' ORDER BY id) AS r
    CROSS JOIN LATERAL (
      SELECT FROM approval a
      WHERE a.id = r.id AND a.status = 'pending'
      FOR NO KEY UPDATE SKIP LOCKED
    ) AS locked
)`;

/**
 * SQL: resolves approvals that are still pending, neither expired nor frozen, unchanged since the
 * owner saw them, and signed if the owner has to sign.
 */
const won = (from: Sql, isAnswerable: Sql) => sql`won AS (
  UPDATE approval a
  SET status = 'resolved', resolved_at = m.at, simulated = r.simulated,
    undelivered = a.undelivered AND r.app_id IS NULL,
    resolution = json_strip_nulls(json_build_object(
      'kind', r.kind, 'optionId', r."optionId", 'otherText', r."otherText", 'note', r.note,
      'values', r.values, 'signature', r.signature,
      'resolvedBy', CASE WHEN r.app_id IS NULL THEN 'owner' ELSE 'api' END,
      'resolvedAt', (extract(epoch FROM m.at) * 1000)::bigint
    ))
  FROM ${from} r, moment m
  WHERE ${isAnswerable}
    AND a.status = 'pending'
    AND a.frozen_at IS NULL
    AND ${isMismatched} IS NOT TRUE
    AND (r.simulated OR NOT ${isUnproven})
    AND (
      r.held OR a.deadline_passed_at IS NULL AND (a.expires_at IS NULL OR ${deadline} > m.at)
    )
    AND (r.app_id IS NOT NULL OR approval_is_as_seen(a, r.seen))
    AND NOT ${lacksSignature}
  RETURNING a.owner_id, a.app_id, a.id, a.resolution, r.kind
)`;

const isFoundAnswerable = sql`a.id = r.id AND r.offered AND r.complete AND NOT r.closed`;
const wonIfFound = won(sql`found`, isFoundAnswerable);
const wonIfReserved = won(sql`reserved`, isFoundAnswerable);
const wonDirectly = won(
  sql`asked`,
  sql`${isReachable}
    AND ${isOffered}
    AND ${hasItsValues}
    AND NOT ${isClosed}`,
);

const howResolved = sql`jsonb_build_object('by', resolution ->> 'resolvedBy', 'kind', kind)`;
const recordedWon = recorded("approval.resolved", sql`won`, howResolved);

const done = sql`done AS MATERIALIZED (
  SELECT asked.n, coalesce(won.resolution, r.resolution) AS resolution,
    CASE
      WHEN won.id IS NOT NULL THEN 'ok'
      WHEN r.n IS NULL THEN 'missing'
      WHEN r.closed THEN 'owner_only'
      WHEN r.resolution IS NOT NULL THEN 'resolved'
      WHEN r.stopped THEN 'frozen'
      WHEN r.late THEN 'expired'
      WHEN r.other THEN 'changed'
      WHEN r.unsigned THEN 'unsigned'
      WHEN NOT r.offered THEN 'invalid_option'
      WHEN NOT r.complete THEN 'values'
      WHEN r.mismatched THEN 'mismatched'
      WHEN r.unproven THEN 'unpicked'
      ELSE 'overtaken'
    END AS verdict
  FROM asked
    LEFT JOIN found r ON r.n = asked.n
    LEFT JOIN won ON won.id = r.id
)`;

type ResolveInput = Omit<Answer, "values"> & {
  values: FieldValues | undefined;
  signature?: AnswerSignature;
  signedAt: ReturnType<typeof signedAt>;
  id: string;
  seen: string | undefined;
  held: boolean;
  simulated: boolean;
};

/**
 * Resolves an approval unless there is a reason to reject the answer.
 * @returns the verdict
 */
export const resolve = batchedStatement<ResolveInput, Resolved>({
  announces: true,
  once: ({ id }) => id,
  fields: {
    id: "text",
    kind: "text",
    optionId: "text",
    otherText: "text",
    note: "text",
    values: "json",
    signature: "json",
    signedAt: "text",
    seen: "text",
    held: "boolean",
    simulated: "boolean",
  },
  work: (isBatch) =>
    isBatch
      ? sql`${moment}, ${found}, ${reserved}, ${wonIfReserved}, ${recordedWon}, ${done}`
      : sql`${moment}, ${found}, ${wonIfFound}, ${recordedWon}, ${done}`,
  direct: () => sql`${moment}, ${wonDirectly}, ${recordedWon}, done AS (
    SELECT 1 AS n, resolution, 'ok' AS verdict FROM won
  )`,
});
