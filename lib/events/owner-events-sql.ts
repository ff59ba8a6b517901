import { and, list, literal, type Sql, sql } from "@/lib/database/sql";
import { startOfDay } from "@/lib/text/local-time";
import type { ActivityFilter } from "./activity-schema";
import { eventTypesOfKind } from "./event-descriptions";

export type EventFilter = Omit<ReturnType<typeof ActivityFilter.parse>, "text">;

/**
 * Returns a page of an owner's events that match a filter, newest first, with keyset pagination by
 * ID. The filter is part of the statement's text, so that each filter has its own query plan.
 * @param timeZone the time zone in which days begin and end
 */
export function eventsOf(
  ownerId: string,
  { appId, kind, subject, from, to, before }: EventFilter,
  max: number,
  timeZone: string,
): Sql {
  const moment = (day: string, later: number) => sql`to_timestamp(
    ${startOfDay(day, timeZone, later)}::float8 / 1000
  )`;
  const wanted = and([
    sql`e.owner_id = ${ownerId}`,
    kind && sql`e.type IN (${list(eventTypesOfKind(kind).map(literal))})`,
    // Repeats the condition of the index on rare types, so that PostgreSQL can use that index.
    kind &&
      !busy.some((type) => eventTypesOfKind(kind).includes(type)) &&
      sql`e.type NOT IN (${list(busy.map(literal))})`,
    appId && sql`e.app_id = ${appId}`,
    // A freeze of all apps or a changed passkey records an event for each app, and one event for
    // the owner.
    !appId && sql`NOT (e.type IN (${list(forEachApp.map(literal))}) AND e.data ? 'every')`,
    subject && sql`e.subject = ${subject}`,
    from && sql`e.created_at >= ${moment(from, 0)}`,
    to && sql`e.created_at < ${moment(to, 1)}`,
    before && sql`e.id < ${before}::bigint`,
  ]);
  return sql`SELECT * FROM event e WHERE ${wanted} ORDER BY e.id DESC LIMIT ${literal(max)}`;
}

/** The event types of which each app gets its own event (`every`). */
const forEachApp = ["owner.frozen", "owner.unfrozen", "owner.keys_changed"];

/** The event types that the index on rare types excludes. */
const busy = ["approval.submitted", "approval.resolved", "notification.pushed", "notification.read"];
