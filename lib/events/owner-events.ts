import { and, list, literal, type Sql, sql } from "@/lib/database/sql";
import { startOfDay } from "@/lib/text/local-time";
import { eventTypesOfKind } from "./descriptions";
import type { ActivityFilter } from "./schema";

/** What to read of an owner's log. */
export type EventFilter = Omit<ReturnType<typeof ActivityFilter.parse>, "text">;

/**
 * The newest so many of an owner's events, as they are wanted. Keyset paged by id. What is asked for becomes part of the
 * statement's text, so that each has a plan of its own.
 * @param timeZone where the days begin and end
 */
export function eventsOf(
  ownerId: string,
  { appId, kind, subject, from, to, before }: EventFilter,
  most: number,
  timeZone: string,
): Sql {
  const moment = (day: string, later: number) => sql`to_timestamp(${startOfDay(day, timeZone, later)}::float8 / 1000)`;
  const wanted = and([
    sql`e.owner_id = ${ownerId}`,
    kind && sql`e.type IN (${list(eventTypesOfKind(kind).map(literal))})`,
    // As the index of what is rare has it.
    kind &&
      !busy.some((type) => eventTypesOfKind(kind).includes(type)) &&
      sql`e.type NOT IN (${list(busy.map(literal))})`,
    appId && sql`e.app_id = ${appId}`,
    subject && sql`e.subject = ${subject}`,
    from && sql`e.created_at >= ${moment(from, 0)}`,
    to && sql`e.created_at < ${moment(to, 1)}`,
    before && sql`e.id < ${before}::bigint`,
  ]);
  return sql`SELECT * FROM event e WHERE ${wanted} ORDER BY e.id DESC LIMIT ${literal(most)}`;
}

/** The types that are not in the index of what is rare. */
const busy = ["approval.submitted", "approval.resolved", "notification.pushed", "notification.read"];
