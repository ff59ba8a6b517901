import { isAppActive } from "@/lib/apps/app-sql-for-other-domains";
import { empty, literal, type Sql, sql } from "@/lib/database/sql";
import { appEventScopes } from "@/lib/event-feed/event-types";
import { anyFreeze, hasScope, isFrozenGrant } from "@/lib/grants/grant-sql-for-other-domains";
import type { SharedWindow } from "@/lib/work/shared-windows";
import { onTheirShards } from "./deliveries-by-shard";
import { brokenAfter, endpointWindow, maxBrokenPerOwner, maxPerOwner, underWayElsewhere } from "./endpoint-windows";
import { type SealedSecret, sealedSecrets } from "./signing-secrets";

/** The duration of a lease in seconds, and the interval between its renewals in milliseconds. */
const leaseSeconds = 5;
export const renewMs = 1500;
const leased = sql`now() + make_interval(secs => ${literal(leaseSeconds)})`;
/**
 * The slots of each owner, and of each instance, that are reserved for an endpoint's first two
 * concurrent attempts. Otherwise, endpoints with large windows that stop responding could use up
 * all slots.
 */
const [keptOfOwner, keptOfAll] = [30, 60];

/** A delivery leased by this sender. */
export type DueDelivery = {
  id: string;
  /** The ID of the event's owner. */
  ownerId: string;
  endpointId: string;
  /** The ID of the endpoint's owner. */
  receiverId: string;
  event: string;
  body: string;
  attempts: number;
  /** The number of the delivery's attempts that count toward the retry schedule. */
  tried: number;
  url: string;
  /** Whether the endpoint's last attempt failed. */
  failing: boolean;
  /** Whether the endpoint counts as failing, and gets one attempt at a time. */
  broken: boolean;
  /** Whether the app may still receive the delivery. */
  wanted: boolean;
  secrets: SealedSecret[] | null;
  /** The current time by the database's clock, in epoch milliseconds. */
  now: number;
};

const free = sql`(d.lease IS NULL OR d.lease_until <= now())`;
// Stored times are rounded to milliseconds, so a time may be up to a millisecond late.
const due = sql`d.state = 'pending' AND d.due_at <= now() + interval '1 millisecond' AND ${free}`;

/**
 * SQL: whether a freeze stops the delivery `d`. The delivery stays due, and is sent after the
 * freeze. The check of a single row is skipped if no owner has a freeze.
 */
export const isFrozen = sql`(
  ${anyFreeze}
  AND d.type NOT IN ('owner.frozen', 'owner.unfrozen')
  AND ${isFrozenGrant(sql`d.grant_id`)}
)`;

/**
 * SQL: whether the app may receive the delivery `d` at the endpoint `ep`. A test event requires no
 * grant.
 */
const wanted = sql`${isAppActive(sql`ep.app_id`)}
  AND (
    d.grant_id IS NULL
    OR EXISTS (
      SELECT FROM live_grant g JOIN (${appEventScopes}) AS told(type, scope) ON told.type = d.type
      WHERE g.id = d.grant_id
        AND (told.scope = '' OR ${hasScope(sql`g.owner_id`, sql`g.id`, sql`told.scope`)})
        AND (
          d.type NOT LIKE 'integration.%'
          OR EXISTS (
            SELECT FROM shared_account s
            WHERE s.grant_id = g.id AND s.integration_id = d.body::"json" #>> '{data,id}'
          )
        )
    )
  )`;

/**
 * Which deliveries to lease: at most `max`, within the endpoints' windows. With `only`, just the
 * delivery with this ID.
 */
type TakeLimits = { max: number; windows?: readonly SharedWindow[]; only?: string };

const first = literal(endpointWindow.first);

/**
 * SQL: the endpoints with running attempts. For each endpoint, counts all running attempts and
 * those of other senders.
 */
const busyEndpoints = (lease: string) => sql`busy AS (
  SELECT ep.id, ep.owner_id, ep.failures >= ${literal(brokenAfter)} AS broken, count(*) AS n,
    -- This sender's window is more recent. An answered attempt has ended, although its lease ends
    -- only when the answer is recorded.
    count(*) FILTER (WHERE l.lease <> ${lease}) AS others
  FROM webhook_delivery l JOIN webhook_endpoint ep ON ep.id = l.endpoint_id
  WHERE l.lease IS NOT NULL AND l.lease_until > now()
  GROUP BY ep.id
)`;

/**
 * SQL: the deliveries of each endpoint that have been due for the longest time, as many as the
 * endpoint's window has room for.
 */
function candidates(windows: readonly SharedWindow[], only: string | undefined): Sql {
  const wantedOne = only === undefined ? empty : sql`AND d.id = ${only}`;
  return sql`candidate AS (
    SELECT d.id, d.due_at, ep.owner_id, r.broken, r.under_way + d.nth > ${first} AS further
    FROM webhook_endpoint ep
      LEFT JOIN busy ON busy.id = ep.id
      LEFT JOIN unnest(
        ${windows.map(({ place }) => place)}::text[], ${windows.map(({ size }) => size)}::int[],
        ${windows.map(({ underWay }) => underWay)}::int[]
      ) AS w(id, size, under_way) ON w.id = ep.id
      CROSS JOIN LATERAL (
        SELECT ep.failures >= ${literal(brokenAfter)} AS broken,
          coalesce(busy.others, 0) + coalesce(w.under_way, 0) AS under_way
      ) AS r
      CROSS JOIN LATERAL (
        SELECT d.id, d.due_at, row_number() OVER (ORDER BY d.due_at, d.id) AS nth
        FROM webhook_delivery d
        WHERE d.endpoint_id = ep.id
          AND ${due} ${wantedOne}
          AND NOT ${isFrozen}
        ORDER BY d.due_at, d.id
        LIMIT greatest(
          0, CASE WHEN r.broken THEN 1 ELSE coalesce(w.size, ${first}) END - r.under_way
        )
      ) AS d
    WHERE ep.state = 'on'
  )`;
}

/**
 * SQL: each candidate's position in its owner's queue, behind the attempts that are already
 * running.
 */
const placesOfOwner = (windows: readonly SharedWindow[]) => sql`placed AS (
  SELECT c.*,
    row_number() OVER (PARTITION BY c.owner_id, c.broken ORDER BY c.further, c.due_at, c.id)
      + (
        SELECT coalesce(sum(b.n), 0)
        FROM busy b
        WHERE b.owner_id = c.owner_id AND b.broken = c.broken
      ) ${underWayElsewhere(windows)} AS place
  FROM candidate c
)`;

/** SQL: the candidates within their owner's limit, in the order in which they will be leased. */
const fairShare = sql`ranked AS (
  SELECT p.id, p.further,
    row_number() OVER (ORDER BY p.further, p.broken, p.due_at, p.id) AS nth
  FROM placed p
  WHERE p.place <= CASE
    WHEN p.broken THEN ${literal(maxBrokenPerOwner)}
    WHEN p.further THEN ${literal(maxPerOwner - keptOfOwner)}
    ELSE ${literal(maxPerOwner)}
  END
)`;

/**
 * SQL: the candidates for which this sender has slots, except those that another sender has locked.
 */
const locked = (max: number) => sql`locked AS (
  SELECT d.id
  FROM webhook_delivery d
  WHERE d.id IN (
      SELECT r.id
      FROM ranked r
      WHERE r.nth <= ${max}::int - CASE WHEN r.further THEN ${literal(keptOfAll)} ELSE 0 END
    )
    AND ${due}
  FOR UPDATE SKIP LOCKED
)`;

const taken = (lease: string) => sql`taken AS (
  UPDATE webhook_delivery d
  SET lease = ${lease}, lease_until = ${leased}
  FROM locked
  WHERE d.id = locked.id
  RETURNING d.*
)`;

const receivers = sql`receiver AS MATERIALIZED (
  SELECT ep.id, ep.app_id, ep.owner_id, ep.url, ep.failures, ${sealedSecrets} AS secrets
  FROM webhook_endpoint ep
  WHERE ep.id IN (SELECT t.endpoint_id FROM taken t)
)`;

/**
 * Leases due deliveries for a few seconds, so that no other sender takes them. Deliveries that have
 * been due longest come first, and those to failing endpoints last. Limits per endpoint and per
 * owner keep unresponsive receivers from blocking others.
 * @param lease the ID of the sender
 */
export async function leaseDue(lease: string, { max, windows = [], only }: TakeLimits): Promise<DueDelivery[]> {
  return sql<DueDelivery>`
    WITH ${busyEndpoints(lease)}, ${candidates(windows, only)}, ${placesOfOwner(windows)},
      ${fairShare}, ${locked(max)}, ${taken(lease)}, ${receivers}
    SELECT d.id, d.owner_id AS "ownerId", d.endpoint_id AS "endpointId", d.event, d.body,
      d.attempts, d.attempts - d.former_attempts AS tried, ep.url, ep.secrets,
      ep.owner_id AS "receiverId", ep.failures > 0 AS failing,
      ep.failures >= ${literal(brokenAfter)} AS broken,
      ${wanted} AS wanted, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now,
      -- A database crash that loses a lease is harmless, so the commit does not wait for the disk.
      set_config('synchronous_commit', 'off', true)
    FROM taken d JOIN receiver ep ON ep.id = d.endpoint_id
    ORDER BY d.due_at, d.id`.rows();
}

/**
 * Renews the leases of deliveries that are being sent. Skips rows that are locked, because waiting
 * for them could cause a deadlock.
 * @returns the number of renewed leases
 */
export async function renewLeases(lease: string, sending: readonly DueDelivery[]): Promise<number> {
  const renewed = await onTheirShards(
    sending,
    ({ ownerId }) => ownerId,
    (some) => renew(lease, some),
  );
  return renewed.reduce((sum, count) => sum + count, 0);
}

const renew = (lease: string, sending: readonly DueDelivery[]) =>
  sql`
    UPDATE webhook_delivery
    SET lease_until = ${leased}
    WHERE id IN (
      SELECT d.id
      FROM webhook_delivery d
      WHERE d.id = ANY (${sending.map(({ id }) => id)}) AND d.lease = ${lease}
      FOR UPDATE SKIP LOCKED
    )`.run();

/** Releases an unsent delivery for the next sender. */
export const releaseLease = (lease: string, id: string) =>
  sql`
    UPDATE webhook_delivery
    SET lease = NULL, lease_until = NULL
    WHERE id = ${id} AND lease = ${lease}`.run();
