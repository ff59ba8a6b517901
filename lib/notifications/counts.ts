import type { OwnerActor } from "@/lib/actor";
import { pool } from "@/lib/db";
import type { Quiet } from "./quiet";

/** What stands beside the feed. Counts stop at 100. Times in epoch milliseconds. */
export type FeedCounts = {
  unread: number;
  muted: number;
  snoozed: number;
  /** Of the unread: what came in quiet hours that still hold. */
  held: number;
  /** Until when the owner has seen what came. */
  seenAt: number;
  /** When the next one comes back from its snooze or expires. */
  changesAt?: number;
  /** The apps' words for kinds of things, of what is in the inbox lately. */
  types: string[];
};

const most = 100;
const muted = "(n.app_muted OR n.type_muted)";
const inbox = "n.owner_id = $1 AND n.surfaced_at <= now()";
const count = (condition: string) =>
  `(SELECT count(*)::int FROM (SELECT FROM open_notification n WHERE ${condition} LIMIT ${most}) AS capped)`;

export async function countFeed(owner: OwnerActor, quiet?: Quiet): Promise<FeedCounts> {
  const { rows } = await pool().query<FeedCounts & { changesAt: number | null }>({
    name: "feed/counts",
    text: `SELECT ${count(`${inbox} AND NOT ${muted} AND n.read_at IS NULL`)} AS unread,
      CASE WHEN EXISTS (SELECT FROM app_choice c WHERE c.owner_id = $1 AND (c.notifications_muted OR c.muted_types <> '{}'))
        THEN ${count(`${inbox} AND ${muted}`)} ELSE 0 END AS muted,
      ${count("n.owner_id = $1 AND n.surfaced_at > now()")} AS snoozed,
      ${count(`${inbox} AND NOT ${muted} AND n.read_at IS NULL AND n.surfaced_at >= to_timestamp($2::float8 / 1000)
        AND NOT (n.urgent AND $3::boolean)`)} AS held,
      (SELECT coalesce((extract(epoch FROM notifications_seen_at) * 1000)::float8, 0) FROM owner WHERE id = $1) AS "seenAt",
      (SELECT (extract(epoch FROM least(
        (SELECT min(n.surfaced_at) FROM open_notification n WHERE n.owner_id = $1 AND n.surfaced_at > now()),
        (SELECT min(l.expires_at) FROM (SELECT n.expires_at FROM open_notification n WHERE ${inbox}
          ORDER BY n.surfaced_at DESC, n.id DESC LIMIT 200) AS l))) * 1000)::float8) AS "changesAt",
      ARRAY(SELECT DISTINCT l.type FROM (SELECT n.type FROM open_notification n WHERE ${inbox} AND NOT ${muted}
        ORDER BY n.surfaced_at DESC, n.id DESC LIMIT 200) AS l ORDER BY l.type LIMIT 12) AS types`,
    values: [owner.ownerId, quiet?.since ?? null, quiet?.urgentBreaks ?? false],
  });
  const { changesAt, ...counts } = rows[0] as FeedCounts & { changesAt: number | null };
  return { ...counts, ...(changesAt !== null && { changesAt }) };
}
