import { and, list, literal, type Sql, sql } from "@/lib/database/sql";
import { startOfDay } from "@/lib/text/local-time";
import type { ActivityFilter } from "./activity-schema";
import { eventTypesOfKind } from "./event-descriptions";

/** A filter for an owner's events. */
export type EventFilter = Omit<ReturnType<typeof ActivityFilter.parse>, "text">;

/**
 * Returns an owner's newest events, filtered, with keyset pagination by ID. The filter is part of
 * the statement's text, so that each filter has its own plan.
 * @param timeZone defines where days begin and end
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
    // Repeats the condition of the index of rare types, so that PostgreSQL can use that index.
    kind &&
      !busy.some((type) => eventTypesOfKind(kind).includes(type)) &&
      sql`e.type NOT IN (${list(busy.map(literal))})`,
    appId && sql`e.app_id = ${appId}`,
    subject && sql`e.subject = ${subject}`,
    from && sql`e.created_at >= ${moment(from, 0)}`,
    to && sql`e.created_at < ${moment(to, 1)}`,
    before && sql`e.id < ${before}::bigint`,
  ]);
  return sql`SELECT * FROM event e WHERE ${wanted} ORDER BY e.id DESC LIMIT ${literal(max)}`;
}

/** The types that are not in the index of rare types. */
const busy = ["approval.submitted", "approval.resolved", "notification.pushed", "notification.read"];
