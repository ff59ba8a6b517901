import type { OwnerActor } from "@/lib/actor";
import { appName } from "@/lib/apps/app-sql-for-other-domains";
import { epochMs, literal, omitNulls, type Sql, sql } from "@/lib/database/sql";
import { notFound } from "@/lib/errors";
import { serviceClientId } from "@/lib/events/service-notification";
import { hueOf } from "@/lib/grants/grant-sql-for-other-domains";
import { isId } from "@/lib/ids";
import { firstPage } from "@/lib/text/record-search";
import { every, type FeedFilter, feedView } from "./feed-filter";
import { searchFeed } from "./feed-search";
import { markExpiredDone } from "./mark-expired-done";
import { readInboxHints } from "./notification-display-hints";
import type { FeedItem } from "./schema";

/*
 * The view `open_notification` contains owners' open notifications, for the feed and for badges. A
 * notification is snoozed while its `surfaced_at` is in the future. Badges count notifications
 * after `owner.notifications_seen_at`. During quiet hours (`quietAt`), badges leave out those that
 * arrived since the hours began, except urgent ones that the owner lets through.
 */

/**
 * A page of at most 50 notifications. `next` is the cursor of the next page. `reached` is the time
 * that an incomplete search reached, in epoch milliseconds.
 */
export type FeedPage = { notifications: FeedItem[]; next?: string; reached?: number };

const pageSize = 50;

/**
 * Reads the owner's feed. Snoozed notifications are sorted by their return, and all others latest
 * first.
 * @param filter `before` is the ID of the last notification on the previous page
 */
export async function readFeed(owner: OwnerActor, filter: FeedFilter = {}): Promise<FeedPage> {
  if (filter.place === "done") await markExpiredDone(owner);
  if (filter.search) {
    const { ids, next, reached } = await searchFeed(owner, { ...filter, search: filter.search }, pageSize);
    const notifications = await readThese(owner, ids);
    return { notifications, ...(next && { next }), ...(reached !== undefined && { reached }) };
  }
  const { from, order } = feedView(owner, filter);
  const page = item(sql`SELECT n.* ${from} ORDER BY ${order} LIMIT ${literal(pageSize + 1)}`);
  const found = await sql<FeedItemRow>`${page} ORDER BY ${order}`.rows();
  const { items: notifications, ...rest } = firstPage(found.map(asItem), pageSize);
  return { notifications, ...rest };
}

/** Reads these notifications, in this order. */
async function readThese(owner: OwnerActor, ids: string[]): Promise<FeedItem[]> {
  if (ids.length === 0) return [];
  const these = sql`
    SELECT n.*
    FROM ${every}
    WHERE n.owner_id = ${owner.ownerId} AND n.id = ANY (${ids}::text[])`;
  const found = new Map((await item(these).rows()).map((it) => [it.id, asItem(it)]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/**
 * Reads one notification in any state, including a replaced one.
 * @throws {AppError} 404
 */
export async function readNotification(owner: OwnerActor, id: string): Promise<FeedItem> {
  await markExpiredDone(owner);
  const one = sql`
    SELECT n.*
    FROM ${every}
    WHERE n.owner_id = ${owner.ownerId} AND n.id = ${isId("ntf", id) ? id : ""}`;
  const found = await item(one).row();
  if (!found) throw notFound();
  return asItem(found);
}

/** The columns for display. They are read only for a page's rows, not for all rows of a search. */
const item = (from: Sql) => sql<FeedItemRow>`
  SELECT n.id, coalesce(n.app_id || ' ' || n.dedupe_key, n.id) AS slot,
    json_build_object(
      'appId', n.app_id, 'name', coalesce(${appName(sql`n.app_id`)}, 'Countersign'),
      'hue', ${hueOf(sql`n.owner_id`, sql`n.app_id`)}, 'ours', n.app_id = ${serviceClientId}
    ) AS app, n.title, n.body, n.type, n.data -> 'inbox' AS inbox, n.read_at IS NOT NULL AS read,
    CASE
      WHEN n.done_at IS NOT NULL THEN 'done'
      WHEN n.surfaced_at > now() THEN 'snoozed'
      ELSE 'inbox'
    END AS place,
    ${epochMs("n.created_at")} AS "createdAt", ${epochMs("n.surfaced_at")} AS "surfacedAt",
    ${epochMs("n.done_at")} AS "doneAt", ${epochMs("n.expires_at")} AS "expiresAt",
    CASE WHEN n.app_muted THEN 'app' WHEN n.type_muted THEN 'type' END AS muted,
    CASE
      WHEN n.dedupe_key IS NULL THEN 0
      ELSE (
        SELECT count(*)::int
        FROM (
          SELECT FROM notification h
          WHERE h.owner_id = n.owner_id
            AND h.app_id = n.app_id
            AND h.dedupe_key = n.dedupe_key
            AND (h.created_at, h.id) < (n.created_at, n.id)
          LIMIT 100
        ) AS earlier
      )
    END AS earlier,
    CASE
      WHEN n.dedupe_key IS NULL THEN NULL
      ELSE (
        SELECT h.id
        FROM notification h
        WHERE h.owner_id = n.owner_id
          AND h.app_id = n.app_id
          AND h.dedupe_key = n.dedupe_key
          AND (h.created_at, h.id) > (n.created_at, n.id)
        ORDER BY h.created_at DESC, h.id DESC LIMIT 1
      )
    END AS "replacedBy"
  FROM (${from}) AS n`;

/** `inbox` contains the app's display hints. */
type FeedItemRow = Omit<FeedItem, "priority" | "format" | "link"> & { inbox: unknown };

function asItem({ inbox, ...row }: FeedItemRow): FeedItem {
  const { url, priority, format } = readInboxHints(inbox === null ? {} : { inbox }).extras;
  return { ...omitNulls(row), priority, format, ...(url !== undefined && { link: { url, host: new URL(url).host } }) };
}
