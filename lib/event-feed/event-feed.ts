import { runAuthorized } from "@/lib/access/authorization";
import type { AppActor } from "@/lib/actor";
import { RawJson } from "@/lib/api-operation";
import { markDelivered } from "@/lib/approvals/approval-sql-for-other-domains";
import { literal, type Sql, sql } from "@/lib/database/sql";
import { AppError, badRequest } from "@/lib/errors";
import { isEventAt, lastEvent, nextEvents } from "@/lib/events/event-sql-for-other-domains";
import { hasRemovedAfter, isKept } from "@/lib/events/expired-events";
import { inPartitionsAfter } from "@/lib/events/partition-bounds";
import { pausePoint } from "@/lib/pause-points";
import { pollUntil } from "@/lib/requests/long-poll";
import { eventId, type Position, readEventId, startOfLog } from "./event-id";
import { appEventData, appEventScopes, isAppEventType } from "./event-types";
import type { Event } from "./schema";

/**
 * A page of the log. The next read starts after `end`, which also skips events that this token may
 * not read.
 */
export type EventRange = { events: Event[]; end: Position; more: boolean };

export type EventsQuery = { after?: string | undefined; limit?: number | undefined; wait?: number | undefined };

/**
 * Returns the app's events about its owner, oldest first. With `wait`, returns as soon as there is
 * an event, or an empty page after the timeout. Holds no database connection while it waits.
 * @param leaving aborted when the caller disconnects
 * @throws {AppError} 400 if `after` is not an event of this app and owner; 410 if events after it
 *   were removed, or it was lost when the database was restored; 429 if too many requests wait
 */
export async function listEvents(
  app: AppActor,
  { after, limit = 50, wait }: EventsQuery,
  leaving: () => AbortSignal,
): Promise<RawJson> {
  let from = positionOf(after);
  const read = async () => {
    const stretch = await readEvents(app, from, limit);
    from = stretch.end;
    return stretch;
  };
  if (wait === undefined) return asWire(app, await read());
  const { value, late } = await pollUntil(app, {
    seconds: wait,
    signal: leaving(),
    ordered: true,
    wants: isAppEventType,
    read,
    done: ({ events }) => events.length > 0,
  });
  return asWire(app, value, late);
}

const asWire = ({ admitted }: AppActor, { events, end }: EventRange, late = false) => {
  const page = { owner: admitted?.ownerId, data: events, nextCursor: eventId(end) };
  return new RawJson(JSON.stringify(page), undefined, [], late ? 1 : undefined);
};

/**
 * Returns a cursor's position in the log.
 * @param name the parameter's name in the error
 * @throws {AppError} 400 for an invalid ID
 */
export function positionOf(after: string | undefined, name = "after"): Position {
  if (after === undefined) return startOfLog;
  const position = readEventId(after);
  if (!position) throw noSuchEvent(name);
  return position;
}

const noSuchEvent = (name: string) => badRequest("Must be the ID of an event that this app can read", name);

/**
 * Checks a position at which the log has no event. Such a position is valid only if the last
 * removed event was at this position.
 * @throws {AppError} 400; 410
 */
async function requireRemoved(app: AppActor, place: Position, name: string) {
  const lost = isPlausible(place)
    ? sql`NOT ${isEventAt(placeOf(place), sql`true`)} AND ${isKept(place.id)}`
    : sql`false`;
  const { missed, restored } = await runAuthorized<{ missed: boolean | null; restored: boolean }>(app, {
    result: sql`${removed(place)} AS missed, ${lost} AS restored`,
  });
  if (missed) throw tooLongAgo();
  if (missed === null) throw restored ? lostByRestore(name) : noSuchEvent(name);
}

/**
 * Returns whether the log could have reached this position. Fewer than one in a billion forged IDs
 * decrypt to such a position.
 */
const isPlausible = ({ tx, id }: Position) => BigInt(tx) < 2n ** 48n && BigInt(id) < 2n ** 48n;

/**
 * Returns the error for one of our event IDs that is neither in the log nor removed from it. The
 * database was restored from a backup that is older than the event.
 */
const lostByRestore = (name: string) =>
  new AppError(
    410,
    `The service was restored from a backup older than this event. Read again without ${name}. Some events may repeat.`,
  );

/** Returns the error for a reader that missed events before they were removed. */
const tooLongAgo = () => new AppError(410, "Some events after this cursor have expired. Read again without a cursor.");

type FeedRow = Position & Omit<Event, "id" | "data"> & { data: Event["data"] | null; at: string };

type FeedRead = { events: FeedRow[] | null; tip: Position | null; known: boolean };

/**
 * Returns the next events after a position, up to a limit, that the token may currently read.
 * Leaves events above the horizon for a later read, so that no event ever appears before a position
 * that was already read.
 * @throws {AppError} 401; 400 if this app and owner have no event at the position; 410 if events
 *   after the position were removed, or its event was lost when the database was restored
 */
export async function readEvents(app: AppActor, after: Position, limit: number, name = "after"): Promise<EventRange> {
  let from = after;
  for (;;) {
    const statement = { work: find(from, limit), result: reportOn(from) };
    const { events, tip, known } = await runAuthorized<FeedRead>(app, statement);
    await pausePoint("event position read, expiry not checked");
    if (!known) await requireRemoved(app, from, name);
    const last = events?.at(-1);
    const more = events?.length === limit;
    const end = more && last ? last : latest(from, last, tip);
    const readable = (events ?? []).flatMap(asEvent);
    if (readable.length > 0 || !more) return { events: readable, end: { tx: end.tx, id: end.id }, more };
    from = end;
  }
}

const asEvent = ({ tx, id, type, createdAt, data }: FeedRow): Event[] =>
  data === null ? [] : [{ id: eventId({ tx, id }), type, createdAt, data }];

/** Returns the position that is latest in the log. */
const latest = (from: Position, ...others: (Position | null | undefined)[]): Position =>
  others.reduce<Position>((a, b) => (b && isBefore(a, b) ? b : a), from);

const isBefore = (a: Position, b: Position) =>
  a.tx === b.tx ? BigInt(a.id) < BigInt(b.id) : BigInt(a.tx) < BigInt(b.tx);

/**
 * Returns the position of the app's last readable event, for readers that want only new events.
 * @throws {AppError} 401
 */
export async function readEnd(app: AppActor): Promise<Position> {
  const { tip: end } = await runAuthorized<{ tip: Position | null }>(app, { result: tip() });
  return end ?? startOfLog;
}

/** SQL: conditions for the app's own events, and for events about the owner's accounts. */
const ofApp = sql`e.owner_id = c.owner_id AND e.app_id = c.app_id`;
const ofAccounts = sql`e.owner_id = c.owner_id
  AND e.app_id IS NULL
  AND e.type LIKE 'integration.%'`;
const sharedAccounts = sql`
  SELECT s.integration_id
  FROM shared_account s
  WHERE s.grant_id = c.grant_id`;

const placeOf = ({ tx, id }: Position) => ({
  tx: sql`${tx}::xid8`,
  id: sql`${id}::bigint`,
  within: inPartitionsAfter(id),
});

/**
 * Returns SQL that finds the next events. LIMIT is a literal, because Postgres may plan to read a
 * tenth of the table if it is a parameter.
 */
function find({ tx, id }: Position, limit: number): Sql {
  const max = literal(limit);
  const place = placeOf({ tx, id });
  const next = (owner: Sql) => {
    const isReadable = sql`${owner} AND e.type = ANY (readable.types)`;
    return nextEvents(isReadable, place, max);
  };
  return sql`
    readable AS (
      SELECT ARRAY(
        SELECT told.type
        FROM (${appEventScopes}) AS told(type, scope)
        WHERE told.scope = '' OR told.scope = ANY (c.scopes)
      ) AS types
      FROM caller c
    ), found AS (
      SELECT e.*
      FROM caller c
        CROSS JOIN readable
        CROSS JOIN LATERAL (
          (${next(ofApp)}) UNION ALL (
            ${next(sql`${ofAccounts} AND e.subject IN (${sharedAccounts})`)}
          )
        ) AS e
      ORDER BY e.tx, e.id LIMIT ${max}
    )`;
}

/**
 * Returns SQL for the position of the app's last readable event, or NULL if there is none.
 * @param within the partitions to search for later events; all by default
 */
const tip = (within?: Sql) =>
  sql`(
    SELECT json_build_object('tx', e.tx::text, 'id', e.id::text)
    FROM caller c CROSS JOIN LATERAL (${lastEvent(ofApp, within)}) AS e
  ) AS tip`;

/**
 * Returns SQL that compares a position with the removed events of this app and of the accounts that
 * it may see. See `hasRemovedAfter`.
 */
const removed = (place: Position) =>
  sql`(SELECT ${hasRemovedAfter(sql`c.owner_id`, appAndAccounts, placeOf(place))} FROM caller c)`;
const appAndAccounts = sql`SELECT c.app_id UNION ALL ${sharedAccounts}`;

/**
 * Returns SQL for the events found after a position, the end of the log, and whether the position
 * is valid for this app.
 */
const reportOn = ({ tx, id }: Position) => sql`(
    SELECT json_agg(
      json_build_object(
        'tx', e.tx::text, 'id', e.id::text, 'type', e.type,
        'createdAt', (extract(epoch FROM e.created_at) * 1000)::bigint, 'data', ${appEventData}
      )
      ORDER BY e.tx, e.id
    )
    FROM found e
  ) AS events,
  ${tip(inPartitionsAfter(id))},
  -- Reading an answer here delivers it.
  ${markDelivered(sql`found`)} AS told,
  ${id}::bigint = 0 AND ${tx}::text = '0'
    OR EXISTS (
      SELECT FROM caller c WHERE ${isEventAt(placeOf({ tx, id }), sql`(${ofApp} OR ${ofAccounts})`)}
    ) AS known`;
