import type { OwnerActor } from "@/lib/actor";
import { pool } from "@/lib/db";

/**
 * What an open page needs to know to be current. Counts stop at 100; `pending` leaves out what is put off, what waits for its
 * app, what has an answer that is being held, and what muted or revoked apps ask. `unseen` is of notifications: what came since the owner last looked
 * at them, neither muted nor held for quiet hours; `broken` of linked accounts that only the owner can mend. `event` differs
 * from any before when there is something to look at.
 */
export type OwnerNews = { pending: number; unseen: number; broken: number; event: string };
/** Quiet hours that hold now: since when (epoch milliseconds), and whether what is urgent counts all the same. */
type Holding = { since: number; urgentBreaks: boolean };

/** The owner's counts, and whether their session still holds: in one look, since every open page asks at every change. */
export async function readNews({
  ownerId,
  session,
  quiet,
}: OwnerActor & { session: string; quiet?: Holding | undefined }): Promise<OwnerNews & { signedIn: boolean }> {
  const { rows } = await pool().query<OwnerNews & { signedIn: boolean }>({
    name: "news",
    text: `SELECT
      (SELECT count(*)::int FROM (SELECT FROM app_grant g CROSS JOIN LATERAL (
          SELECT FROM approval a LEFT JOIN approval_desk d ON d.approval_id = a.id
          WHERE a.owner_id = g.owner_id AND a.app_id = g.app_id AND a.status = 'pending' AND a.deadline_passed_at IS NULL
            AND (a.expires_at IS NULL OR a.expires_at > now()) AND d.held_answer IS NULL AND d.asked_back_at IS NULL
            AND (d.snoozed_until IS NULL OR d.snoozed_until <= now()) LIMIT 100) AS one
        WHERE g.owner_id = $1 AND g.revoked_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > now())
          AND NOT EXISTS (SELECT FROM app_choice ch
            WHERE ch.owner_id = g.owner_id AND ch.app_id = g.app_id AND ch.questions_muted) LIMIT 100) AS p) AS pending,
      (SELECT count(*)::int FROM (SELECT FROM open_notification n
        WHERE n.owner_id = $1 AND NOT (n.app_muted OR n.type_muted) AND n.surfaced_at <= now()
          AND n.surfaced_at > coalesce((SELECT notifications_seen_at FROM owner WHERE id = $1), '-infinity')
          AND ($3::float8 IS NULL OR n.surfaced_at < to_timestamp($3 / 1000) OR (n.urgent AND $4)) LIMIT 100) AS u) AS unseen,
      (SELECT count(*)::int FROM integration WHERE owner_id = $1 AND status = 'needs_reauth') AS broken,
      coalesce((SELECT max(id) FROM event WHERE owner_id = $1), 0)::text AS event,
      EXISTS (SELECT FROM owner_session
        WHERE id = $2 AND owner_id = $1 AND ended_at IS NULL AND expires_at > now()) AS "signedIn"`,
    values: [ownerId, session, quiet?.since ?? null, quiet?.urgentBreaks ?? false],
  });
  const none = { pending: 0, unseen: 0, broken: 0, event: "0", signedIn: false };
  const { event, ...news } = rows[0] ?? none;
  // What an owner puts off, mutes or takes back leaves no event, and shows in the counts.
  return { ...news, event: `${event}.${news.pending}.${news.unseen}` };
}
