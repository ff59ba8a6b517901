import type { OwnerActor } from "@/lib/actor";
import { pool } from "@/lib/db";

/** What an open page needs to know to be current. Counts stop at 100; `event` is the owner's latest, "0" before the first. */
export type News = { pending: number; unread: number; event: string };

/** The owner's counts, and whether their session still holds: in one look, since every open page asks at every change. */
export async function readNews({
  ownerId,
  session,
}: OwnerActor & { session: string }): Promise<News & { signedIn: boolean }> {
  const { rows } = await pool().query<News & { signedIn: boolean }>({
    name: "news",
    text: `SELECT
      (SELECT count(*)::int FROM (SELECT FROM approval WHERE owner_id = $1 AND status = 'pending' LIMIT 100) AS p) AS pending,
      (SELECT count(*)::int FROM (SELECT FROM notification WHERE owner_id = $1 AND read_at IS NULL LIMIT 100) AS u) AS unread,
      coalesce((SELECT max(id) FROM event WHERE owner_id = $1), 0)::text AS event,
      EXISTS (SELECT FROM owner_session
        WHERE id = $2 AND owner_id = $1 AND ended_at IS NULL AND expires_at > now()) AS "signedIn"`,
    values: [ownerId, session],
  });
  return rows[0] ?? { pending: 0, unread: 0, event: "0", signedIn: false };
}
