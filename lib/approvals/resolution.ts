import { empty, sql } from "@/lib/database/sql";
import { recorded } from "@/lib/events/events";
import { batchedStatement } from "@/lib/requests/batched-statement";
import type { Answer, Resolution } from "./schema";

type Asked = { status: string | null; offered: boolean; late: boolean; other: boolean; closed: boolean } & Ended;
type Ended = { won: true; resolution: Resolution } | { won: false; resolution: Resolution | null };

const howResolved = sql`jsonb_build_object('by', resolution ->> 'resolvedBy', 'kind', kind)`;

/**
 * Locks rows in one order and skips rows locked elsewhere; waiting for one would delay everyone in
 * the batch.
 */
const reserved = sql`, reserved AS MATERIALIZED (
    SELECT r.*
    FROM (SELECT * FROM found WHERE status = 'pending' ORDER BY id) AS r
      CROSS JOIN LATERAL (
        SELECT FROM approval a
        WHERE a.id = r.id AND a.status = 'pending'
        FOR NO KEY UPDATE SKIP LOCKED
      ) AS locked
  )`;

type Given = Answer & { id: string; seen: string | undefined; held: boolean; simulated: boolean };
export const resolve = batchedStatement<Given, Asked>({
  announces: true,
  once: ({ id }) => id,
  fields: {
    id: "text",
    kind: "text",
    optionId: "text",
    otherText: "text",
    note: "text",
    seen: "text",
    held: "boolean",
    simulated: "boolean",
  },
  work: (several) => sql`
    moment AS (
      SELECT clock_timestamp()::timestamptz(3) AS at
    ), found AS MATERIALIZED (
      SELECT r.*, a.status, a.resolution, r.app_id IS NOT NULL AND a.owner_only AS closed,
        NOT r.held AND coalesce(a.deadline_passed_at, a.expires_at) <= m.at AS late,
        r.app_id IS NULL AND NOT approval_is_as_seen(a, r.seen) AS other,
        r."optionId" IS NULL
          OR EXISTS (
            SELECT FROM json_array_elements(a.options) AS o WHERE o ->> 'id' = r."optionId"
          ) AS offered
      FROM asked r
        JOIN approval a
          ON a.id = r.id AND a.owner_id = r.owner_id AND (r.app_id IS NULL OR a.app_id = r.app_id),
        moment m
    )${several ? reserved : empty}, won AS (
      UPDATE approval a
      SET status = 'resolved', resolved_at = m.at, simulated = r.simulated,
        untold = a.untold AND r.app_id IS NULL,
        resolution = json_strip_nulls(json_build_object(
          'kind', r.kind, 'optionId', r."optionId", 'otherText', r."otherText", 'note', r.note,
          'resolvedBy', CASE WHEN r.app_id IS NULL THEN 'owner' ELSE 'api' END,
          'resolvedAt', (extract(epoch FROM m.at) * 1000)::bigint
        ))
      FROM ${several ? sql`reserved` : sql`found`} r, moment m
      WHERE a.id = r.id
        AND a.status = 'pending'
        AND r.offered
        AND NOT r.closed
        AND (
          r.held OR a.deadline_passed_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > m.at)
        )
        AND (r.app_id IS NOT NULL OR approval_is_as_seen(a, r.seen))
      RETURNING a.owner_id, a.app_id, a.id, a.resolution, r.kind
    ), ${recorded("approval.resolved", sql`won`, howResolved)}, done AS MATERIALIZED (
      SELECT r.n, r.status, r.offered, r.late, r.other, r.closed, won.id IS NOT NULL AS won,
        coalesce(won.resolution, r.resolution) AS resolution
      FROM found r LEFT JOIN won ON won.id = r.id
    )`,
});
