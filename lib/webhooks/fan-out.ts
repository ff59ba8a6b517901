import type { ClientBase } from "pg";
import { env } from "@/lib/config/env";
import { inTransaction } from "@/lib/database/db";
import { list, literal, type Sql, sql } from "@/lib/database/sql";
import { eventId } from "@/lib/event-feed/event-id";
import { appEventTypes } from "@/lib/event-feed/event-type-names";
import { appEventData, appEventScopes } from "@/lib/event-feed/event-types";
import { isAboveHorizon, nextEvents } from "@/lib/events/event-sql-for-other-domains";
import { inPartitionsAfter } from "@/lib/events/partition-bounds";
import { hasScope } from "@/lib/grants/grant-sql-for-other-domains";
import { newId } from "@/lib/ids";
import { pausePoint } from "@/lib/pause-points";
import { hasEndpointsHere } from "./deliveries-by-shard";
import { webhookBody } from "./webhook-body";

/*
 * The queue consists of a few statements of our own. The statement that leases deliveries must also
 * be fair among endpoints, slow down for failing endpoints, and check grants, which a general queue
 * such as pg-boss can't do.
 */

/** The maximum number of events that one run processes. */
export const maxEventsPerRun = 200;

const types = list(appEventTypes.map(literal));
/** SQL: whether apps receive an event `e`. */
export const isAppEvent = sql`e.type IN (${types})`;

/**
 * The result of a run. `wanted`: at least one endpoint is on. `more`: there may be more events to
 * process. `unsettled`: some events can't be read yet. `busy`: another instance is processing
 * events.
 */
export type FanOutResult = { wanted: boolean; deliveries: number; more: boolean; unsettled: boolean; busy: boolean };

type EventRow = {
  tx: string;
  id: string;
  type: string;
  at: number;
  endpoint_id: string | null;
  grant_id: string | null;
  owner_id: string;
  data: object | null;
};

/**
 * Turns the next events of the log into deliveries, one for each endpoint that may receive the
 * event now. The event's owner must have connected the endpoint's app, with the scope that the
 * event requires. The position in the log advances in the same transaction, so no event is skipped
 * or processed twice.
 */
export async function fanOut(size = maxEventsPerRun): Promise<FanOutResult> {
  const { wanted, news, far, unsettled } = await peek();
  if (wanted && (news || far)) return inTransaction((client) => queueNext(client, size));
  if (far) await skipToEnd();
  return { wanted, deliveries: 0, more: false, unsettled, busy: false };
}

type Peek = { wanted: boolean; news: boolean; far: boolean; unsettled: boolean };

/**
 * Checks whether there are events to process. Most checks find none, so they write nothing, and
 * they read the log only if an endpoint is on.
 */
async function peek(): Promise<Peek> {
  const seen = await sql<Peek>`
    SELECT w.wanted,
      CASE WHEN w.wanted THEN ${isAboveHorizon()} ELSE false END AS unsettled,
      CASE
        WHEN w.wanted THEN coalesce((SELECT true FROM (${nextEvent}) AS e), false)
        ELSE false
      END AS news,
      -- The cursor is so far behind that the first new endpoint would have to wait.
      event_horizon()::text::numeric - c.tx::text::numeric > 5000 AS far
    FROM webhook_cursor c CROSS JOIN (SELECT ${hasActiveEndpoint} AS wanted) AS w
    WHERE c.id = 1`.row();
  return seen ?? { wanted: false, news: false, far: false, unsettled: false };
}

/** SQL: the next event to turn into deliveries, after the cursor `c`. */
export const nextEvent = nextEvents(isAppEvent, { tx: sql`c.tx`, id: sql`c.event_id` }, literal(1));

/**
 * SQL: whether an event from before this moment is still unprocessed; false if the moment is NULL.
 */
export const hasUnprocessedBefore = (moment: Sql): Sql =>
  sql`(
    ${hasActiveEndpoint}
    AND coalesce(
      (
        SELECT e.created_at < ${moment}
        FROM webhook_cursor c, LATERAL (${nextEvent}) AS e
        WHERE c.id = 1
      ),
      false
    )
  )`;

/** SQL: whether any endpoint is on. */
export const hasActiveEndpoint = sql`EXISTS (
  SELECT FROM webhook_endpoint ep WHERE ep.state = 'on'
)`;

/**
 * Skips events that no endpoint wants. An endpoint that is added at the same time still receives
 * all events from its own transaction on.
 */
const skipToEnd = () =>
  sql`
    UPDATE webhook_cursor
    SET tx = event_horizon(), event_id = 0
    WHERE id = 1 AND tx < event_horizon() AND NOT ${hasActiveEndpoint}`.run();

async function queueNext(client: ClientBase, size: number): Promise<FanOutResult> {
  // The commit doesn't wait for the disk. If a database crash loses deliveries, it also loses the
  // new position, so the deliveries are created again.
  const from = await sql<CursorPosition>`
    SELECT set_config('synchronous_commit', 'off', true), tx::text, event_id::text AS id
    FROM webhook_cursor
    WHERE id = 1
    FOR UPDATE SKIP LOCKED`.row(client);
  if (!from) return { wanted: true, deliveries: 0, more: false, unsettled: false, busy: true };
  const { found, horizon, last, unsettled } = (await read(from, size).row(client))!;
  const deliveries = (found ?? []).flatMap(asDelivery);
  await pausePoint("events read, deliveries not queued");
  if (deliveries.length > 0) await queue(deliveries).run(client);
  const end = last ?? { tx: horizon, id: "0" };
  await sql`
    UPDATE webhook_cursor
    SET tx = ${end.tx}::xid8, event_id = ${end.id}
    WHERE id = 1`.run(client);
  return { wanted: true, deliveries: deliveries.length, more: last !== null, unsettled, busy: false };
}

/** A position in the log. */
type CursorPosition = { tx: string; id: string };
type ReadResult = { found: EventRow[] | null; horizon: string; last: CursorPosition | null; unsettled: boolean };

/**
 * SQL: whether an endpoint `ep` wants an event `e`. With several databases, each has its own order
 * of transactions, so only the endpoint's own database compares transactions.
 */
const wants = () => sql`ep.state = 'on'
  AND ${hasEndpointsHere() ? isLaterHere : isLaterElsewhere}
  AND (ep.types = '{}' OR e.type = ANY (ep.types))`;
const isLaterHere = sql`e.tx >= ep.since`;
const isLaterElsewhere = sql`e.created_at >= coalesce(ep.since_time, ep.created_at)`;

/**
 * SQL: reads the next events, with the endpoints that want them. `last` is the position after this
 * run, or null at the end of the log.
 * @param from the position after the previous run
 */
const read = (from: CursorPosition, size: number) => sql<ReadResult>`
  WITH stretch AS (${nextEvents(isAppEvent, placeOf(from), sql`${size}`)}), reached AS (
    SELECT e.*, g.id AS grant_id, ep.id AS endpoint_id
    FROM stretch e
      JOIN webhook_endpoint ep ON ep.app_id = e.app_id AND ${wants()}
      JOIN live_grant g ON g.owner_id = e.owner_id AND g.app_id = e.app_id
    UNION ALL
    SELECT e.*, s.grant_id, ep.id
    FROM stretch e
      JOIN shared_account s ON s.integration_id = e.subject AND s.owner_id = e.owner_id
      JOIN webhook_endpoint ep ON ep.app_id = s.app_id AND ${wants()}
    WHERE e.app_id IS NULL AND e.type LIKE 'integration.%'
  ), allowed AS (
    SELECT e.*
    FROM reached e JOIN (${appEventScopes}) AS told(type, scope) ON told.type = e.type
    WHERE told.scope = '' OR ${hasScope(sql`e.owner_id`, sql`e.grant_id`, sql`told.scope`)}
  )
  SELECT (
      SELECT json_agg(
        json_build_object(
          'tx', e.tx::text, 'id', e.id::text, 'type', e.type,
          'at', (extract(epoch FROM e.created_at) * 1000)::bigint, 'endpoint_id', e.endpoint_id,
          'grant_id', e.grant_id, 'owner_id', e.owner_id, 'data', ${appEventData}
        )
        ORDER BY e.tx, e.id
      )
      FROM allowed e
    ) AS found,
    event_horizon()::text AS horizon,
    (
      SELECT json_build_object('tx', e.tx::text, 'id', e.id::text)
      FROM stretch e
      ORDER BY e.tx, e.id OFFSET ${size}::int - 1
    ) AS last,
    ${isAboveHorizon()} AS unsettled`;

const placeOf = ({ tx, id }: CursorPosition) => ({
  tx: sql`${tx}::xid8`,
  id: sql`${id}::bigint`,
  within: inPartitionsAfter(id),
});

/** SQL: inserts the deliveries, except for endpoints that have since been deleted. */
const queue = (deliveries: string[][]) => sql`
  INSERT INTO webhook_delivery (id, endpoint_id, owner_id, grant_id, event, type, body, due_at)
  SELECT n.id, n.endpoint_id, n.owner_id, n.grant_id, n.event, n.type, n.body,
    now() + make_interval(secs => ${env().webhookSchedule[0] ?? 0}::float8)
  FROM unnest(${list([0, 1, 2, 3, 4, 5, 6].map((index) => column(deliveries, index)))})
      AS n (id, endpoint_id, owner_id, grant_id, event, type, body)
    JOIN (
      SELECT ep.id
      FROM webhook_endpoint ep
      WHERE ep.id = ANY (${column(deliveries, 1)}) AND ep.state = 'on'
      FOR KEY SHARE
    ) AS ep ON ep.id = n.endpoint_id
  ON CONFLICT (endpoint_id, event) DO NOTHING`;

function asDelivery({ tx, id, type, at, endpoint_id, grant_id, owner_id, data }: EventRow): string[][] {
  if (data === null || endpoint_id === null || grant_id === null) return [];
  const event = eventId({ tx, id });
  return [
    [
      newId("whd"),
      endpoint_id,
      owner_id,
      grant_id,
      event,
      type,
      webhookBody({ event, type, at, owner: owner_id, data }),
    ],
  ];
}

function column(deliveries: string[][], index: number): Sql {
  const values = deliveries.map((each) => each[index] as string);
  return sql`${values}::text[]`;
}
