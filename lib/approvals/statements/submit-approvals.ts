import { literal, type Sql, sql } from "@/lib/database/sql";
import { recorded } from "@/lib/events/record-events";
import { batchedStatement } from "@/lib/requests/batched-statement";
import type { StoredFields } from "../fields/stored-fields";
import type { NewApproval } from "../schema";
import type { NumberMatch } from "./number-match";

/*
 * Many submissions can arrive at the same time, so this statement checks and inserts a batch of
 * them. It returns a verdict for each request.
 */

/** The scope that an app needs to set a default option. */
export const answersItself = "approvals:resolve";

/**
 * The result of a submission: accepted, or the first reason to reject it. `not_entitled`: the app
 * has a default but may not answer its own questions. `untimely`: the deadline is too near or too
 * far. `full`: the app is at its limit of pending approvals.
 */
export type SubmissionVerdict = "ok" | "not_entitled" | "untimely" | "full";

/**
 * Concurrent statements may each count before the others commit. Within this margin of the limit, a
 * grant's submissions therefore run one at a time. The margin is larger than the number of
 * concurrent submissions on a few instances.
 */
const margin = literal(512);

/**
 * SQL: each request with its deadline as a time, and whether the deadline and the default are
 * allowed.
 */
const withTerms = sql`(
  SELECT r.*, at,
    at IS NULL
      OR at BETWEEN clock_timestamp() + interval '10 seconds'
          AND clock_timestamp() + interval '366 days' AS timely,
    r."defaultOptionId" IS NULL OR ${answersItself} = ANY (r.scopes) AS entitled
  FROM asked r
    CROSS JOIN LATERAL (
      SELECT to_timestamp(r."expiresAt" / 1000.0)::timestamptz(3) AS at
    ) AS wanted
)`;
const terms = sql`terms AS ${withTerms}`;

/** SQL: whether a grant `g` has fewer pending approvals than its limit minus the margin. */
const isFarFromLimit = sql`(
  SELECT count(*)
  FROM (
    SELECT FROM open_approval p
    WHERE p.owner_id = g.owner_id AND p.app_id = g.app_id
    LIMIT greatest(0, g."pendingLimit" - ${margin})
  ) AS waiting
) < g."pendingLimit" - ${margin}`;

/**
 * SQL: how many pending approvals each grant with a limit may still add, or `margin` if the grant
 * is far from its limit.
 */
const room = sql`room AS MATERIALIZED (
  SELECT g.grant_id,
    CASE
      WHEN ${isFarFromLimit} THEN ${margin}
      ELSE approval_capacity(g.grant_id, g.owner_id, g.app_id, g."pendingLimit")
    END AS places
  FROM (
    SELECT DISTINCT grant_id, owner_id, app_id, "pendingLimit"
    FROM terms
    WHERE "pendingLimit" IS NOT NULL AND timely AND entitled
    ORDER BY grant_id
  ) AS g
)`;

/** SQL: inserts the requests that `from` returns. */
const inserted = (from: Sql) => sql`made AS (
  INSERT INTO approval (
    id, owner_id, app_id, question, options, background_context, recommendation, expires_at,
    default_option_id, owner_only, once, risk, facts, fields, match,
    signed_by_owner, content_hash
  )
  SELECT id, owner_id, app_id, question, options, "backgroundContext", recommendation, at,
    "defaultOptionId", "ownerOnly", once, risk, facts, fields, match,
    "signedByOwner", hash
  FROM ${from}
  RETURNING owner_id, app_id, id
)`;

/**
 * Inserts the allowed requests. If a grant nears its limit, inserts only the first requests that
 * fit.
 */
const made = inserted(sql`terms t
  WHERE timely
    AND entitled
    AND (
      "pendingLimit" IS NULL
      OR (SELECT places FROM room WHERE room.grant_id = t.grant_id) > (
        SELECT count(*)
        FROM terms b
        WHERE b.n < t.n AND b.grant_id = t.grant_id AND b.timely AND b.entitled
      )
    )`);

/** Inserts a single request if it is allowed and its grant is far from its limit. */
const madeDirectly = inserted(sql`${withTerms} g
  WHERE timely AND entitled AND ("pendingLimit" IS NULL OR ${isFarFromLimit})`);

const recordedMade = recorded("approval.submitted", sql`made`);

const done = sql`done AS MATERIALIZED (
  SELECT t.n,
    CASE
      WHEN made.id IS NOT NULL THEN 'ok'
      WHEN NOT t.entitled THEN 'not_entitled'
      WHEN NOT t.timely THEN 'untimely'
      ELSE 'full'
    END AS verdict
  FROM terms t LEFT JOIN made ON made.id = t.id
)`;

type Submission = Omit<NewApproval, "match" | "fields" | "signedByOwner"> & {
  id: string;
  ownerOnly: boolean;
  once: boolean;
  match: NumberMatch | undefined;
  fields: StoredFields | undefined;
  signedByOwner: string | undefined;
  pendingLimit: number | null;
  hash: string;
};

/** Inserts an approval if it is allowed. @returns the verdict */
export const submit = batchedStatement<Submission, { verdict: SubmissionVerdict }>({
  announces: true,
  fields: {
    id: "text",
    question: "text",
    options: "json",
    backgroundContext: "text",
    recommendation: "text",
    expiresAt: "bigint",
    defaultOptionId: "text",
    ownerOnly: "boolean",
    once: "boolean",
    risk: "text",
    facts: "json",
    fields: "json",
    match: "json",
    signedByOwner: "text",
    hash: "text",
    pendingLimit: "int",
  },
  work: () => sql`${terms}, ${room}, ${made}, ${recordedMade}, ${done}`,
  direct: () => sql`${madeDirectly}, ${recordedMade}, done AS (
    SELECT 1 AS n, 'ok' AS verdict FROM made
  )`,
});
