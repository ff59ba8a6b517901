import type { OwnerActor } from "@/lib/actor";
import { empty, literal, type Sql, sql } from "@/lib/database/sql";
import { mutesNotifications } from "@/lib/grants/app-preferences";
import { notificationsSeen } from "@/lib/owners/owner-sql-for-other-domains";
import type { ActiveQuietHours } from "./active-quiet-hours";

/** The counts on the feed's page. Counts stop at 100. Times are in epoch milliseconds. */
export type FeedCounts = {
  unread: number;
  muted: number;
  snoozed: number;
  /** The number of unread notifications that the active quiet hours hold back. */
  held: number;
  /** The time up to which the owner has seen notifications. */
  seenAt: number;
  /** When the next notification returns from a snooze, or expires. */
  changesAt?: number;
  /** The types of recent notifications in the inbox. */
  types: string[];
};

const maxCounted = literal(100);
const count = (condition: Sql) =>
  sql`(
    SELECT count(*)::int
    FROM (SELECT FROM open_notification n WHERE ${condition} LIMIT ${maxCounted}) AS capped
  )`;

/** SQL: whether the owner muted the app or the type of a row `n` of `open_notification`. */
export const isMuted = sql`(n.app_muted OR n.type_muted)`;
const inboxOf = (ownerId: string) => sql`n.owner_id = ${ownerId} AND n.surfaced_at <= now()`;

/**
 * SQL: the number of notifications since the owner last looked, without muted and held-back ones.
 * At most 100.
 */
export function unseenCount(ownerId: string, quiet?: Pick<ActiveQuietHours, "since" | "urgentBreaks">): Sql {
  const notHeld = quiet
    ? sql`
      AND (
        n.surfaced_at < to_timestamp(${quiet.since}::float8 / 1000)
        OR (n.urgent AND ${quiet.urgentBreaks})
      )`
    : empty;
  return count(sql`${inboxOf(ownerId)}
    AND NOT ${isMuted}
    AND n.surfaced_at > coalesce(${notificationsSeen(ownerId)}, '-infinity') ${notHeld}`);
}

export async function countFeed({ ownerId }: OwnerActor, quiet?: ActiveQuietHours): Promise<FeedCounts> {
  const inbox = inboxOf(ownerId);
  const unread = sql`${inbox} AND NOT ${isMuted} AND n.read_at IS NULL`;
  const found = await sql<FeedCounts & { changesAt: number | null }>`
    SELECT ${count(unread)} AS unread,
      CASE
        WHEN ${mutesNotifications(ownerId)} THEN ${count(sql`${inbox} AND ${isMuted}`)}
        ELSE 0
      END AS muted,
      ${count(sql`n.owner_id = ${ownerId} AND n.surfaced_at > now()`)} AS snoozed,
      ${count(sql`${unread}
        AND n.surfaced_at >= to_timestamp(${quiet?.since ?? null}::float8 / 1000)
        AND NOT (n.urgent AND ${quiet?.urgentBreaks ?? false})`)} AS held,
      coalesce((extract(epoch FROM ${notificationsSeen(ownerId)}) * 1000)::float8, 0) AS "seenAt",
      (
        SELECT (
          extract(epoch FROM least(
            (
              SELECT min(n.surfaced_at)
              FROM open_notification n
              WHERE n.owner_id = ${ownerId} AND n.surfaced_at > now()
            ),
            (
              SELECT min(l.expires_at)
              FROM (
                SELECT n.expires_at
                FROM open_notification n
                WHERE ${inbox}
                ORDER BY n.surfaced_at DESC, n.id DESC LIMIT 200
              ) AS l
            )
          )) * 1000
        )::float8
      ) AS "changesAt",
      ARRAY(
        SELECT DISTINCT l.type
        FROM (
          SELECT n.type
          FROM open_notification n
          WHERE ${inbox} AND NOT ${isMuted}
          ORDER BY n.surfaced_at DESC, n.id DESC LIMIT 200
        ) AS l
        ORDER BY l.type LIMIT 12
      ) AS types`.row();
  const { changesAt, ...counts } = found as FeedCounts & { changesAt: number | null };
  return { ...counts, ...(changesAt !== null && { changesAt }) };
}
