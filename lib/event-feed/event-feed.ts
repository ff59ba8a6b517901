import { runAuthorized } from "@/lib/access/authorization";
import type { AppActor } from "@/lib/actor";
import { markDelivered } from "@/lib/approvals/sql";
import { literal, type Sql, sql } from "@/lib/database/sql";
import { AppError, badRequest } from "@/lib/errors";
import { isEventAt, lastEvent, nextEvents } from "@/lib/events/event-log";
import { inPartitionsAfter } from "@/lib/events/partitions";
import { hasRemovedAfter, isKept } from "@/lib/events/retention";
import { RawJson } from "@/lib/operation";
import { pollUntil } from "@/lib/requests/long-poll";
import { eventId, type Position, readEventId, startOfLog } from "./cursor";
import { appEventData, appEventScopes, isAppEventType } from "./event-types";
import type { Event } from "./schema";

/** Some of the log. `end` is where to go on: past everything that was looked at, also what this token may not read. */
export type EventRange = { events: Event[]; end: Position; more: boolean };

export type EventsQuery = { after?: string | undefined; limit?: number | undefined; wait?: number | undefined };

/**
 * What happened between the app and its owner, oldest first. With `wait` it answers at the moment there is something, or with
 * nothing when the time is up; no database connection is held meanwhile.
 * @param leaving aborted when the caller hangs up
 * @throws {AppError} 400 for an `after` that is no event of this app and owner; 410 for one long ago, or lost when the database was
 *   restored; 429 when too many wait
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

/** @param name what to call it in a refusal. @throws {AppError} 400 for what is no id of ours */
export function positionOf(after: string | undefined, name = "after"): Position {
  if (after === undefined) return startOfLog;
  const position = readEventId(after);
  if (!position) throw noSuchEvent(name);
  return position;
}

const noSuchEvent = (name: string) => badRequest("Must be the id of an event this app can read", name);

/** Where no event is: whether one was, and is removed, and was the last that was. @throws {AppError} 400; 410 */
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

/** Whether a log can have come so far. Of ids that were made up, fewer than one in a thousand million decipher to such a place. */
const isPlausible = ({ tx, id }: Position) => BigInt(tx) < 2n ** 48n && BigInt(id) < 2n ** 48n;

/**
 * 410. The id is one of ours, and the log has no event there and removed none: the database was restored from a backup that is older
 * than the event.
 */
const lostByRestore = (name: string) =>
  new AppError(
    410,
    `This service was restored from a backup that is older than this event. Read again without ${name}, and expect events that you have seen`,
  );

/**
 * 410. Not said to who has read all that was removed. An id that was made up can name a place only by a chance of one in many
 * millions, and tells nothing then.
 */
const tooLongAgo = () =>
  new AppError(
    410,
    "Events after this one have been removed, since they are older than this service keeps them. Read again without it",
  );

type Row = Position & Omit<Event, "id" | "data"> & { data: Event["data"] | null; at: string };

/**
 * The next events after a place, at most so many, of those that the token may read now. What is not settled is left for
 * later, so that nothing ever appears before a place that was read up to.
 * @throws {AppError} 401; 400 for a place where no event of this app and owner is; 410 for one from which some are missing, or
 *   that was lost when the database was restored
 */
export async function readEvents(app: AppActor, after: Position, limit: number, name = "after"): Promise<EventRange> {
  let from = after;
  for (;;) {
    const { events, tip, known } = await runAuthorized<{ events: Row[] | null; tip: Position | null; known: boolean }>(
      app,
      {
        work: find(from, limit),
        result: reportOn(from),
      },
    );
    if (!known) await requireRemoved(app, from, name);
    const last = events?.at(-1);
    const more = events?.length === limit;
    const end = more && last ? last : latest(from, last, tip);
    const told = (events ?? []).flatMap(asEvent);
    if (told.length > 0 || !more) return { events: told, end: { tx: end.tx, id: end.id }, more };
    from = end;
  }
}

const asEvent = ({ tx, id, type, createdAt, data }: Row): Event[] =>
  data === null ? [] : [{ id: eventId({ tx, id }), type, createdAt, data }];

/** The last of these places in the log. */
const latest = (from: Position, ...others: (Position | null | undefined)[]): Position =>
  others.reduce<Position>((one, other) => (other && isBefore(one, other) ? other : one), from);

const isBefore = (one: Position, other: Position) =>
  one.tx === other.tx ? BigInt(one.id) < BigInt(other.id) : BigInt(one.tx) < BigInt(other.tx);

/** Where the log ends now, for who wants only what is to come. @throws {AppError} 401 */
export async function readEnd(app: AppActor): Promise<Position> {
  const { tip: end } = await runAuthorized<{ tip: Position | null }>(app, { result: tip() });
  return end ?? startOfLog;
}

/** An event that is the app's own, or about one of the owner's accounts. */
const ofApp = sql`e.owner_id = c.owner_id AND e.app_id = c.app_id`;
const ofAccounts = sql`e.owner_id = c.owner_id AND e.app_id IS NULL AND e.type LIKE 'integration.%'`;

const placeOf = ({ tx, id }: Position) => ({
  tx: sql`${tx}::xid8`,
  id: sql`${id}::bigint`,
  within: inPartitionsAfter(id),
});

/** LIMIT as a number, since a plan made for any limit at all reckons with a tenth of the table. */
function find({ tx, id }: Position, limit: number): Sql {
  const most = literal(limit);
  const next = (whose: Sql) => nextEvents(sql`${whose} AND e.type = ANY (readable.types)`, placeOf({ tx, id }), most);
  return sql`readable AS (
    SELECT ARRAY(SELECT told.type FROM (${appEventScopes}) AS told(type, scope)
      WHERE told.scope = '' OR told.scope = ANY (c.scopes)) AS types FROM caller c
  ), found AS (
    SELECT e.* FROM caller c CROSS JOIN readable CROSS JOIN LATERAL (
      (${next(ofApp)})
      UNION ALL
      (${next(sql`${ofAccounts} AND e.subject IN (SELECT s.integration_id FROM shared_account s WHERE s.grant_id = c.grant_id)`)})
    ) AS e ORDER BY e.tx, e.id LIMIT ${most}
  )`;
}

/** @param within where a later one can be than is known already; anywhere unless told */
const tip = (within?: Sql) =>
  sql`(SELECT json_build_object('tx', e.tx::text, 'id', e.id::text) FROM caller c CROSS JOIN LATERAL (
    ${lastEvent(ofApp, within)}) AS e) AS tip`;

/** Of this app's events and those about the accounts it may know of: see `hasRemovedAfter`. */
const removed = (place: Position) =>
  sql`(SELECT ${hasRemovedAfter(
    sql`c.owner_id`,
    sql`SELECT c.app_id UNION ALL SELECT s.integration_id FROM shared_account s WHERE s.grant_id = c.grant_id`,
    placeOf(place),
  )} FROM caller c)`;

/** What was found after a place, where the log ends, and whether the place is one of this app's. */
const reportOn = ({ tx, id }: Position) => sql`
  (SELECT json_agg(json_build_object('tx', e.tx::text, 'id', e.id::text, 'type', e.type,
      'createdAt', (extract(epoch FROM e.created_at) * 1000)::bigint, 'data', ${appEventData}) ORDER BY e.tx, e.id) FROM found e) AS events,
  ${tip(inPartitionsAfter(id))},
  -- Whoever reads an answer here was told it.
  ${markDelivered(sql`found`)} AS told,
  ${id}::bigint = 0 AND ${tx}::text = '0'
    OR EXISTS (SELECT FROM caller c WHERE ${isEventAt(placeOf({ tx, id }), sql`(${ofApp} OR ${ofAccounts})`)}) AS known`;
