import type { OwnerActor } from "@/lib/actor";
import { and, identifier, type Sql, sql } from "@/lib/database/sql";
import { appPreferencesOf } from "@/lib/grants/app-preferences";
import { isId } from "@/lib/ids";
import { isMuted } from "./feed-counts";
import type { FeedPlace } from "./schema";

export type FeedFilter = {
  place?: FeedPlace;
  appId?: string;
  type?: string;
  unread?: boolean;
  /** Whether to show the muted notifications of the inbox, instead of the others. */
  muted?: boolean;
  /** Words in the title or body, ignoring case. */
  search?: string;
  /** The ID of the last notification on the previous page. */
  before?: string;
  /** The ID of the newest notification to include. */
  upTo?: string;
};

/** The condition and sort column for each place. */
const places = {
  inbox: { is: sql`n.surfaced_at <= now()`, by: "surfaced_at", descends: true },
  snoozed: { is: sql`n.surfaced_at > now()`, by: "surfaced_at", descends: false },
  done: { is: sql`n.done_at IS NOT NULL AND n.replaced_at IS NULL`, by: "done_at", descends: true },
};

/** SQL: all notifications in any state, as rows `n`, with whether their app or type is muted. */
export const every = sql`(
  SELECT a.*, coalesce(c.notifications_muted, false) AS app_muted,
    coalesce(a.type = ANY (c.muted_types), false) AS type_muted
  FROM notification a
    LEFT JOIN LATERAL ${appPreferencesOf(sql`a.owner_id`, sql`a.app_id`)} AS c ON true
) AS n`;

/**
 * Returns SQL for the requested part of the feed, except for its search. `at` is the column to sort
 * by.
 */
export function feedView({ ownerId }: OwnerActor, filter: FeedFilter): { from: Sql; order: Sql; at: Sql } {
  const { place = "inbox", appId, type, unread, muted = false, before, upTo } = filter;
  const { is, by: column, descends } = places[place];
  const sortColumn = identifier(`n.${column}`);
  const wanted = and([
    sql`n.owner_id = ${ownerId}`,
    is,
    place === "inbox" && (muted ? isMuted : sql`NOT ${isMuted}`),
    unread && sql`n.read_at IS NULL`,
    appId && sql`n.app_id = ${appId}`,
    type && sql`n.type = ${type}`,
    upTo &&
      sql`(n.surfaced_at, n.id) <= (
        SELECT u.surfaced_at, u.id
        FROM notification u
        WHERE u.owner_id = ${ownerId} AND u.id = ${upTo}
      )`,
    before &&
      isId("ntf", before) &&
      sql`(${sortColumn}, n.id) ${descends ? sql`<` : sql`>`} (
        SELECT ${identifier(`c.${column}`)}, c.id
        FROM notification c
        WHERE c.owner_id = ${ownerId} AND c.id = ${before}
      )`,
  ]);
  const way = descends ? sql`DESC` : sql`ASC`;
  return {
    from: sql`FROM ${place === "done" ? every : sql`open_notification n`} WHERE ${wanted}`,
    order: sql`${sortColumn} ${way}, n.id ${way}`,
    at: sortColumn,
  };
}
