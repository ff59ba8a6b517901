import type { OwnerActor } from "@/lib/actor";
import { notFound } from "@/lib/errors";
import { ourselves } from "@/lib/events/tell";
import { isId } from "@/lib/keys/ids";
import { identifier, literal, row, rows, type Sql, sql } from "@/lib/sql";
import { fileExpired } from "./expiry";
import { inboxExtras } from "./extras";
import { searchFeed } from "./feed-search";
import { every, type FeedFilter, feedView } from "./feed-view";
import type { FeedItem } from "./schema";

/*
 * The view `open_notification` defines what is in an owner's notifications; the feed and the badge's count both read it. A
 * notification is snoozed while its `surfaced_at` is in the future. Badges count what came after
 * `owner.notifications_seen_at`. What came in quiet hours is not marked: `quietAt` says since when they hold, and counts
 * leave out what came after. Only `inboxExtras` reads an app's `data.inbox`.
 */

/** At most 50 notifications; `next` continues after it. `reached`: the time a search got to when it stopped early, epoch ms. */
export type FeedPage = { notifications: FeedItem[]; next?: string; reached?: number };

const pageSize = 50;

/**
 * What apps told the owner: the inbox and what is done latest first, what is snoozed in the order in which it comes back.
 * @param filter `before` is the id of the notification to go on after
 */
export async function readFeed(owner: OwnerActor, filter: FeedFilter = {}): Promise<FeedPage> {
  if (filter.place === "done") await fileExpired(owner);
  if (filter.search) {
    const { ids, next, reached } = await searchFeed(owner, { ...filter, search: filter.search }, pageSize);
    const notifications = await readThese(owner, ids);
    return { notifications, ...(next && { next }), ...(reached !== undefined && { reached }) };
  }
  const { from, order } = feedView(owner, filter);
  const page = item(sql`SELECT n.* ${from} ORDER BY ${order} LIMIT ${literal(pageSize + 1)}`);
  const found = await rows<Row>(sql`${page} ORDER BY ${order}`);
  const notifications = found.slice(0, pageSize).map(asItem);
  const last = notifications.at(-1);
  return { notifications, ...(found.length > pageSize && last && { next: last.id }) };
}

/** These, in this order. */
async function readThese(owner: OwnerActor, ids: string[]): Promise<FeedItem[]> {
  if (ids.length === 0) return [];
  const these = sql`SELECT n.* FROM ${every} WHERE n.owner_id = ${owner.ownerId} AND n.id = ANY (${ids}::text[])`;
  const found = new Map((await rows<Row>(item(these))).map((it) => [it.id, asItem(it)]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** One notification, wherever it is, also one that was replaced. @throws {AppError} 404 */
export async function readNotification(owner: OwnerActor, id: string): Promise<FeedItem> {
  await fileExpired(owner);
  const one = sql`SELECT n.* FROM ${every} WHERE n.owner_id = ${owner.ownerId} AND n.id = ${isId("ntf", id) ? id : ""}`;
  const found = await row<Row>(item(one));
  if (!found) throw notFound();
  return asItem(found);
}

/** What the rows of a page are shown with: asked for these alone, not for all that was looked through. */
const item = (
  from: Sql,
) => sql`SELECT n.id, n.app_id, coalesce(app.name, 'Countersign') AS name, n.title, n.body, n.type,
    n.data -> 'inbox' AS inbox, n.read_at IS NOT NULL AS read, n.app_muted, n.type_muted, n.dedupe_key,
    ${millis("created_at")} AS created, ${millis("surfaced_at")} AS surfaced, ${millis("done_at")} AS done,
    ${millis("expires_at")} AS expires, n.surfaced_at > now() AS snoozed,
    CASE WHEN n.dedupe_key IS NULL THEN 0 ELSE (SELECT count(*)::int FROM (SELECT FROM notification h
      WHERE h.owner_id = n.owner_id AND h.app_id = n.app_id AND h.dedupe_key = n.dedupe_key
        AND (h.created_at, h.id) < (n.created_at, n.id) LIMIT 100) AS earlier) END AS earlier,
    CASE WHEN n.dedupe_key IS NULL THEN NULL ELSE (SELECT h.id FROM notification h
      WHERE h.owner_id = n.owner_id AND h.app_id = n.app_id AND h.dedupe_key = n.dedupe_key
        AND (h.created_at, h.id) > (n.created_at, n.id) ORDER BY h.created_at DESC, h.id DESC LIMIT 1) END AS replaced_by
  FROM (${from}) AS n LEFT JOIN app ON app.id = n.app_id`;

const millis = (column: string) => sql`(extract(epoch FROM ${identifier(`n.${column}`)}) * 1000)::float8`;

type Row = {
  id: string;
  app_id: string;
  name: string;
  title: string;
  body: string;
  type: string;
  inbox: unknown;
  read: boolean;
  app_muted: boolean;
  type_muted: boolean;
  dedupe_key: string | null;
  created: number;
  surfaced: number;
  done: number | null;
  expires: number | null;
  snoozed: boolean;
  earlier: number;
  replaced_by: string | null;
};

function asItem(row: Row): FeedItem {
  const { url, priority, format } = inboxExtras(row.inbox === null ? {} : { inbox: row.inbox }).extras;
  const muted = row.app_muted ? "app" : row.type_muted ? "type" : undefined;
  return {
    id: row.id,
    slot: row.dedupe_key === null ? row.id : `${row.app_id} ${row.dedupe_key}`,
    createdAt: row.created,
    app: { appId: row.app_id, name: row.name, ours: row.app_id === ourselves },
    title: row.title,
    body: row.body,
    type: row.type,
    read: row.read,
    place: row.done !== null ? "done" : row.snoozed ? "snoozed" : "inbox",
    surfacedAt: row.surfaced,
    ...(row.done !== null && { doneAt: row.done }),
    ...(row.expires !== null && { expiresAt: row.expires }),
    ...(url !== undefined && { link: { url, host: new URL(url).host } }),
    priority,
    format,
    earlier: row.earlier,
    ...(row.replaced_by !== null && { replacedBy: row.replaced_by }),
    ...(muted && { muted }),
  };
}
