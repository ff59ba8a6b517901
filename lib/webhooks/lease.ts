import { isAppActive } from "@/lib/apps/sql";
import { empty, literal, sql } from "@/lib/database/sql";
import { appEventScopes } from "@/lib/event-feed/event-types";
import { hasScope } from "@/lib/grants/sql";
import type { DestinationWindow } from "@/lib/work/congestion-window";
import { type SealedSecret, sealedSecrets } from "./secrets";

/** How long whoever took a delivery has until they say that they are still at it, and how often they say so. */
const leaseSeconds = 5;
export const renewMs = 1500;
const leased = sql`now() + make_interval(secs => ${literal(leaseSeconds)})`;
/** How many attempts of one endpoint may be under way, on all copies together: at first, and most while it answers. */
export const endpointWindow = { first: 2, most: 32 };
/** After so many failures in a row it is one. */
const brokenAfter = 5;
/** Most attempts of one owner's endpoints under way, on all copies together, and most of those that fail. */
const [mostOfOwner, mostBrokenOfOwner] = [128, 10];
/**
 * Of an owner's places, and of those of a copy, so many are kept for the first few attempts of each endpoint: receivers that answered
 * well and now hang leave them to all others.
 */
const [keptOfOwner, keptOfAll] = [30, 60];

/** A delivery that is ours to send. */
export type DueDelivery = {
  id: string;
  endpointId: string;
  event: string;
  body: string;
  attempts: number;
  /** Of them, those that count for the schedule. */
  tried: number;
  url: string;
  /** Whether the app may still be told. */
  wanted: boolean;
  secrets: SealedSecret[] | null;
  /** Epoch milliseconds, by the database's clock. */
  now: number;
};

const free = sql`(d.lease IS NULL OR d.lease_until <= now())`;
// Times are kept in milliseconds, rounded, at times upwards: what is due now is due.
const due = sql`d.state = 'pending' AND d.due_at <= now() + interval '1 millisecond' AND ${free}`;

/** Whether the app may be told of what a delivery `d` to an endpoint `ep` holds; a test may always be sent. */
const wanted = sql`${isAppActive(sql`ep.app_id`)}
  AND (d.grant_id IS NULL OR EXISTS (SELECT FROM live_grant g JOIN (${appEventScopes}) AS told(type, scope) ON told.type = d.type
    WHERE g.id = d.grant_id
      AND (told.scope = '' OR ${hasScope(sql`g.id`, sql`told.scope`)})
      AND (d.type NOT LIKE 'integration.%' OR EXISTS (SELECT FROM shared_account s
        WHERE s.grant_id = g.id AND s.integration_id = d.body::json #>> '{data,id}'))))`;

/** How much to take: so many at most, of an endpoint as many as there is room in its window, or one delivery and no other. */
type TakeLimits = { most: number; windows?: readonly DestinationWindow[]; only?: string };

/**
 * Take what is due, the longest due first but those that fail last, for a few seconds at a time: nobody else takes it
 * meanwhile, and anybody once its lease has ended. Of one endpoint only as much as it has shown to take, and one after failures,
 * and of one owner only so much, so that receivers that hang hold up no others.
 * @param lease who takes it
 */
export async function leaseDue(lease: string, { most, windows = [], only }: TakeLimits): Promise<DueDelivery[]> {
  const first = literal(endpointWindow.first);
  return sql<DueDelivery>`WITH busy AS (
        SELECT ep.id, ep.owner_id, ep.failures >= ${literal(brokenAfter)} AS broken, count(*) AS n,
          -- Of ours we know better: what was answered is under way no longer, though its lease ends when that is written down.
          count(*) FILTER (WHERE l.lease <> ${lease}) AS others
        FROM webhook_delivery l JOIN webhook_endpoint ep ON ep.id = l.endpoint_id
        WHERE l.lease IS NOT NULL AND l.lease_until > now() GROUP BY ep.id
      ), candidate AS (
        SELECT d.id, d.due_at, ep.owner_id, r.broken, r.under_way + d.nth > ${first} AS further
        FROM webhook_endpoint ep LEFT JOIN busy ON busy.id = ep.id
          LEFT JOIN unnest(${windows.map(({ place }) => place)}::text[], ${windows.map(({ size }) => size)}::int[],
            ${windows.map(({ underWay }) => underWay)}::int[]) AS w(id, size, under_way) ON w.id = ep.id
          CROSS JOIN LATERAL (SELECT ep.failures >= ${literal(brokenAfter)} AS broken,
            coalesce(busy.others, 0) + coalesce(w.under_way, 0) AS under_way) AS r
          CROSS JOIN LATERAL (
            SELECT d.id, d.due_at, row_number() OVER (ORDER BY d.due_at, d.id) AS nth
            FROM webhook_delivery d WHERE d.endpoint_id = ep.id AND ${due} ${only === undefined ? empty : sql`AND d.id = ${only}`}
            ORDER BY d.due_at, d.id LIMIT greatest(0, CASE WHEN r.broken THEN 1 ELSE coalesce(w.size, ${first}) END - r.under_way)
          ) AS d WHERE ep.state = 'on'
      ), placed AS (
        SELECT c.*, row_number() OVER (PARTITION BY c.owner_id, c.broken ORDER BY c.further, c.due_at, c.id)
          + (SELECT coalesce(sum(b.n), 0) FROM busy b WHERE b.owner_id = c.owner_id AND b.broken = c.broken) AS place
        FROM candidate c
      ), ranked AS (
        SELECT p.id, p.further, row_number() OVER (ORDER BY p.further, p.broken, p.due_at, p.id) AS nth FROM placed p
        WHERE p.place <= CASE WHEN p.broken THEN ${literal(mostBrokenOfOwner)}
          WHEN p.further THEN ${literal(mostOfOwner - keptOfOwner)} ELSE ${literal(mostOfOwner)} END
      ), locked AS (
        SELECT d.id FROM webhook_delivery d
        WHERE d.id IN (SELECT r.id FROM ranked r WHERE r.nth <= ${most}::int - CASE WHEN r.further THEN ${literal(keptOfAll)} ELSE 0 END)
          AND ${due} FOR UPDATE SKIP LOCKED
      ), taken AS (
        UPDATE webhook_delivery d SET lease = ${lease}, lease_until = ${leased}
        FROM locked WHERE d.id = locked.id RETURNING d.*
      ), receiver AS MATERIALIZED (
        SELECT ep.id, ep.app_id, ep.url, ${sealedSecrets} AS secrets FROM webhook_endpoint ep WHERE ep.id IN (SELECT t.endpoint_id FROM taken t)
      )
      SELECT d.id, d.endpoint_id AS "endpointId", d.event, d.body, d.attempts, d.attempts - d.former_attempts AS tried, ep.url,
        ${wanted} AS wanted, ep.secrets, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now,
        -- A lease that a crash of the database loses does no harm, so nobody waits until it is on the disk.
        set_config('synchronous_commit', 'off', true)
      FROM taken d JOIN receiver ep ON ep.id = d.endpoint_id ORDER BY d.due_at, d.id`.rows();
}

/** Say that these are still being sent. What is being written down just now is none of them: who waits for that could wait for each other. */
export const renewLeases = (lease: string, sending: readonly DueDelivery[]) =>
  sql`UPDATE webhook_delivery SET lease_until = ${leased} WHERE id IN (SELECT d.id FROM webhook_delivery d
    WHERE d.id = ANY (${sending.map(({ id }) => id)}) AND d.lease = ${lease} FOR UPDATE SKIP LOCKED)`.run();

/** Give one back unsent, for whoever takes it next. */
export const releaseLease = (lease: string, id: string) =>
  sql`UPDATE webhook_delivery SET lease = NULL, lease_until = NULL WHERE id = ${id} AND lease = ${lease}`.run();
