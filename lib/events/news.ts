import type { OwnerActor } from "@/lib/actor";
import { pool } from "@/lib/db";

/**
 * What an open page needs to know to be current. Counts stop at 100; `event` is the owner's latest, "0" before the first.
 * `unseen` is of notifications: what came since the owner last looked at them, neither muted nor held for quiet hours.
 */
export type News = { pending: number; unseen: number; event: string };
/** Quiet hours that hold now: since when (epoch milliseconds), and whether what is urgent counts all the same. */
type Holding = { since: number; urgentBreaks: boolean };

/** The owner's counts, and whether their session still holds: in one look, since every open page asks at every change. */
export async function readNews({
  ownerId,
  session,
  quiet,
}: OwnerActor & { session: string; quiet?: Holding | undefined }): Promise<News & { signedIn: boolean }> {
  const { rows } = await pool().query<News & { signedIn: boolean }>({
    name: "news",
    text: `SELECT
      (SELECT count(*)::int FROM (SELECT FROM approval WHERE owner_id = $1 AND status = 'pending' LIMIT 100) AS p) AS pending,
      (SELECT count(*)::int FROM (SELECT FROM open_notification n
        WHERE n.owner_id = $1 AND NOT (n.app_muted OR n.type_muted) AND n.surfaced_at <= now()
          AND n.surfaced_at > coalesce((SELECT notifications_seen_at FROM owner WHERE id = $1), '-infinity')
          AND ($3::float8 IS NULL OR n.surfaced_at < to_timestamp($3 / 1000) OR (n.urgent AND $4)) LIMIT 100) AS u) AS unseen,
      coalesce((SELECT max(id) FROM event WHERE owner_id = $1), 0)::text AS event,
      EXISTS (SELECT FROM owner_session
        WHERE id = $2 AND owner_id = $1 AND ended_at IS NULL AND expires_at > now()) AS "signedIn"`,
    values: [ownerId, session, quiet?.since ?? null, quiet?.urgentBreaks ?? false],
  });
  return rows[0] ?? { pending: 0, unseen: 0, event: "0", signedIn: false };
}
