import { epochMs, type Sql, sql } from "@/lib/database/sql";
import { recorded } from "@/lib/events/record-events";
import { hasFrozenGrant, lockedActiveGrant } from "@/lib/grants/grant-sql-for-other-domains";
import { contentHashOf, isConnected } from "../approval-state-sql";
import type { Resolution } from "../schema";

/*
 * SQL to use an owner's answer, for a statement that authorizes a caller (lib/access). The primary
 * key of `approval_use` lets exactly one use or withdrawal succeed.
 */

/** Which program used an answer: the app that asked, or one that presented the receipt. */
export type UsedBy = "app" | "receipt";

/** An answer and its use. Times are in epoch milliseconds. */
export type UsableAnswer = {
  ownerId: string;
  appId: string;
  resolution: Resolution | null;
  /** The stored content hash, and the hash of the row's current content. */
  contentHash: string;
  currentHash: string;
  once: boolean;
  /** The database's time. */
  now: number;
  kind: "used" | "withdrawn" | null;
  at: number | null;
  usedBy: UsedBy | null;
  /** The SHA-256 of the use's Idempotency-Key in hexadecimal. */
  keyHash: string | null;
  receipt: string | null;
  /** Whether the app is frozen. */
  frozen: boolean;
};

/**
 * SQL: the caller's approval `a`, if its app is still connected.
 * @param appId the app that the receipt names; null if the caller is the app
 */
const callersApproval = (id: string, appId: string | null) => sql`approval a
  JOIN caller c ON a.owner_id = c.owner_id AND a.app_id = coalesce(c.app_id, ${appId}::text)
    AND a.id = ${id} AND ${isConnected(sql`a`)}`;

/** SQL: a `UsableAnswer` as JSON; NULL unless it is the caller's. */
export const usableAnswer = (id: string, appId: string | null): Sql => sql`(
  SELECT json_build_object(
    'ownerId', a.owner_id, 'appId', a.app_id, 'resolution', a.resolution,
    'contentHash', ${contentHashOf}, 'currentHash', approval_current_hash(a),
    'once', a.once, 'now', ${epochMs("t.now")}, 'kind', u.kind,
    'at', ${epochMs("u.created_at")}, 'usedBy', u.used_by,
    'keyHash', encode(u.key_hash, 'hex'), 'receipt', u.receipt,
    'frozen', ${hasFrozenGrant(sql`a.owner_id`, sql`a.app_id`)}
  )
  FROM ${callersApproval(id, appId)}
    LEFT JOIN approval_use u ON u.approval_id = a.id
    CROSS JOIN (SELECT date_trunc('milliseconds', clock_timestamp()) AS now) AS t
)`;

type NewUse = { contentHash: string; by: UsedBy; keyHash: Buffer; receipt: string; usedAt: number };

/**
 * SQL: CTEs that use the caller's answer, if the owner gave it, it is unused, the content has this
 * hash, and the app is not frozen. `used` then has a row. The lock on the grant decides between a
 * use and a freeze or revocation at the same moment.
 */
export const insertedUse = (id: string, appId: string | null, use: NewUse): Sql => sql`
  granted AS MATERIALIZED (
    ${lockedActiveGrant(sql`(
      SELECT owner_id, coalesce(app_id, ${appId}::text) AS app_id FROM caller
    )`)}
  ), used AS (
    INSERT INTO approval_use (
      approval_id, owner_id, kind, used_by, key_hash, receipt, created_at
    )
    SELECT a.id, a.owner_id, 'used', ${use.by}::text, ${use.keyHash}::bytea,
      ${use.receipt}::text, to_timestamp(${use.usedAt}::float8 / 1000)
    FROM ${callersApproval(id, appId)}
      JOIN granted ON granted.app_id = a.app_id
    WHERE a.resolution ->> 'resolvedBy' = 'owner'
      AND ${contentHashOf} = ${use.contentHash}
      AND approval_current_hash(a) = ${use.contentHash}
    ON CONFLICT DO NOTHING
    RETURNING approval_id
  ), ${recorded(
    "approval.used",
    sql`approval WHERE id IN (SELECT approval_id FROM used)`,
    sql`jsonb_build_object('by', ${use.by}::text)`,
  )}`;
