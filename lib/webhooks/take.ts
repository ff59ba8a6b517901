import { appLives } from "@/lib/apps/sql";
import { appEventScopes } from "@/lib/event-feed/event-types";
import { hasScope } from "@/lib/grants/sql";
import { empty, literal, sql } from "@/lib/sql";
import { type SealedSecret, sealedSecrets } from "./secrets";

/** How long whoever took a delivery has until they say that they are still at it, and how often they say so. */
const leaseSeconds = 5;
export const renewMs = 1500;
const leased = sql`now() + make_interval(secs => ${literal(leaseSeconds)})`;
/** Most attempts of one endpoint under way, and how many after so many failures in a row. */
const mostOfOne = 2;
const [brokenAfter, mostOfBroken] = [5, 1];
/** Most attempts of one owner's sound endpoints under way, on all copies together, and most of those that fail. */
const [mostOfOwner, mostBrokenOfOwner] = [30, 10];

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
const wanted = sql`${appLives(sql`ep.app_id`)}
  AND (d.grant_id IS NULL OR EXISTS (SELECT FROM live_grant g JOIN (${appEventScopes}) AS told(type, scope) ON told.type = d.type
    WHERE g.id = d.grant_id
      AND (told.scope = '' OR ${hasScope(sql`g.id`, sql`told.scope`)})
      AND (d.type NOT LIKE 'integration.%' OR EXISTS (SELECT FROM shared_account s
        WHERE s.grant_id = g.id AND s.integration_id = d.body::json #>> '{data,id}'))))`;

/**
 * Take what is due, the longest due first but those that fail last, for a few seconds at a time: nobody else takes it
 * meanwhile, and anybody once its lease has ended. Of one endpoint only a few at once, and one after failures, and of one owner
 * only so many, so that receivers that hang hold up no others.
 * @param lease who takes it
 * @param most how many at most
 * @param only this delivery and no other
 */
export async function takeDue(lease: string, most: number, only?: string): Promise<DueDelivery[]> {
  return sql<DueDelivery>`WITH busy AS (
        SELECT ep.id, ep.owner_id, ep.failures >= ${literal(brokenAfter)} AS broken, count(*) AS n
        FROM webhook_delivery l JOIN webhook_endpoint ep ON ep.id = l.endpoint_id
        WHERE l.lease IS NOT NULL AND l.lease_until > now() GROUP BY ep.id
      ), candidate AS (
        SELECT d.id, d.due_at, ep.owner_id, ep.failures >= ${literal(brokenAfter)} AS broken
        FROM webhook_endpoint ep LEFT JOIN busy ON busy.id = ep.id CROSS JOIN LATERAL (
          SELECT d.id, d.due_at FROM webhook_delivery d WHERE d.endpoint_id = ep.id AND ${due} ${only === undefined ? empty : sql`AND d.id = ${only}`}
          ORDER BY d.due_at, d.id
          LIMIT greatest(0, CASE WHEN ep.failures >= ${literal(brokenAfter)} THEN ${literal(mostOfBroken)} ELSE ${literal(mostOfOne)} END - coalesce(busy.n, 0))
        ) AS d WHERE ep.state = 'on'
      ), placed AS (
        SELECT c.id, c.due_at, c.broken, row_number() OVER (PARTITION BY c.owner_id, c.broken ORDER BY c.due_at, c.id)
          + (SELECT coalesce(sum(b.n), 0) FROM busy b WHERE b.owner_id = c.owner_id AND b.broken = c.broken) AS place
        FROM candidate c
      ), chosen AS (
        SELECT id FROM placed WHERE place <= CASE WHEN broken THEN ${literal(mostBrokenOfOwner)} ELSE ${literal(mostOfOwner)} END
        ORDER BY broken, due_at, id LIMIT ${most}
      ), locked AS (
        SELECT d.id FROM webhook_delivery d WHERE d.id IN (SELECT id FROM chosen) AND ${due} FOR UPDATE SKIP LOCKED
      ), taken AS (
        UPDATE webhook_delivery d SET lease = ${lease}, lease_until = ${leased}
        FROM locked WHERE d.id = locked.id RETURNING d.*
      )
      SELECT d.id, d.endpoint_id AS "endpointId", d.event, d.body, d.attempts, d.attempts - d.former_attempts AS tried, ep.url,
        ${wanted} AS wanted, ${sealedSecrets} AS secrets, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now,
        -- A lease that a crash of the database loses does no harm, so nobody waits until it is on the disk.
        set_config('synchronous_commit', 'off', true)
      FROM taken d JOIN webhook_endpoint ep ON ep.id = d.endpoint_id ORDER BY d.due_at, d.id`.rows();
}

/** Say that these are still being sent. */
export const renewLeases = (lease: string, sending: readonly DueDelivery[]) =>
  sql`UPDATE webhook_delivery SET lease_until = ${leased} WHERE id = ANY (${sending.map(({ id }) => id)}) AND lease = ${lease}`.run();

/** Give one back unsent, for whoever takes it next. */
export const giveBack = (lease: string, id: string) =>
  sql`UPDATE webhook_delivery SET lease = NULL, lease_until = NULL WHERE id = ${id} AND lease = ${lease}`.run();
