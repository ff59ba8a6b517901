import type { OwnerActor } from "@/lib/actor";
import { db, pool } from "@/lib/db";
import { record } from "@/lib/events/events";
import { announce } from "@/lib/events/hub";
import { isId } from "@/lib/ids";
import type { FeedItem } from "./schema";

export type FeedFilter = { appId?: string; unread?: boolean };
/** At most 50 notifications; `next` continues after the last of them. */
export type FeedPage = { notifications: FeedItem[]; next?: string };

const pageSize = 50;
/** Counting stops here: beyond 99 it shows as "99+". */
const countCap = 100;

/** What apps told the owner, newest first. `before` is the id of the notification to go on after. */
export async function readFeed(
  owner: OwnerActor,
  { appId, unread = false, before }: FeedFilter & { before?: string } = {},
): Promise<FeedPage> {
  const on = before !== undefined && isId("ntf", before);
  const { rows } = await pool().query<Row>({
    name: `feed${appId ? "-app" : ""}${unread ? "-unread" : ""}${on ? "-on" : ""}`,
    text: `SELECT n.id, (extract(epoch FROM n.created_at) * 1000)::float8 AS created, n.app_id, coalesce(app.name, 'Countersign') AS name, n.title, n.body, n.type,
        n.read_at IS NOT NULL AS read
      FROM notification n LEFT JOIN app ON app.id = n.app_id
      WHERE n.owner_id = $1 ${unread ? "AND n.read_at IS NULL" : ""} ${appId ? "AND n.app_id = $2" : ""}
      ${on ? `AND (n.created_at, n.id) < (SELECT c.created_at, c.id FROM notification c WHERE c.owner_id = $1 AND c.id = $${appId ? 3 : 2})` : ""}
      ORDER BY n.created_at DESC, n.id DESC LIMIT ${pageSize + 1}`,
    values: [owner.ownerId, ...(appId ? [appId] : []), ...(on ? [before] : [])],
  });
  const notifications = rows.slice(0, pageSize).map(item);
  const last = notifications.at(-1);
  return { notifications, ...(rows.length > pageSize && last && { next: last.id }) };
}

/** How many are unread. Never more than 100. */
export async function countUnread(owner: OwnerActor): Promise<number> {
  const { rows } = await pool().query<{ unread: number }>({
    name: "feed/count",
    text: `SELECT count(*)::int AS unread FROM (
      SELECT FROM notification WHERE owner_id = $1 AND read_at IS NULL LIMIT ${countCap}) AS capped`,
    values: [owner.ownerId],
  });
  return rows[0]?.unread ?? 0;
}

/** The owner has read this one. Again, or for one that is not theirs, nothing happens. */
export const markRead = (owner: OwnerActor, id: string): Promise<void> =>
  mark(owner, { ownerId: owner.ownerId, id, readAt: null }, id);

/** The owner has read everything in this view that is no newer than `upTo`, so that what arrives meanwhile stays unread. */
export async function markAllRead(owner: OwnerActor, { appId, upTo }: { appId?: string; upTo: string }): Promise<void> {
  const newest = await db.notification.findFirst({
    where: { ownerId: owner.ownerId, id: upTo },
    select: { createdAt: true },
  });
  if (!newest) return;
  const where = { ownerId: owner.ownerId, readAt: null, createdAt: { lte: newest.createdAt }, ...(appId && { appId }) };
  await mark(owner, where, upTo);
}

/** The event names no app, so that nothing an app can ever read tells of it. */
async function mark(
  owner: OwnerActor,
  where: Parameters<typeof db.notification.updateMany>[0]["where"],
  subject: string,
) {
  const count = await db.$transaction(async (tx) => {
    const marked = await tx.notification.updateMany({ where: { ...where }, data: { readAt: new Date() } });
    if (marked.count > 0)
      await record(tx, { ownerId: owner.ownerId, type: "notification.read", subject, data: { count: marked.count } });
    return marked.count;
  });
  if (count > 0) announce(owner.ownerId);
}

type Row = {
  id: string;
  created: number;
  app_id: string;
  name: string;
  title: string;
  body: string;
  type: string;
  read: boolean;
};

const item = (row: Row): FeedItem => ({
  id: row.id,
  createdAt: row.created,
  app: { appId: row.app_id, name: row.name },
  title: row.title,
  body: row.body,
  type: row.type,
  read: row.read,
});
