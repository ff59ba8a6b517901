import { noteMailed } from "@/lib/approvals/reminders";
import { pendingOwners } from "@/lib/approvals/sql";
import { isNear } from "@/lib/approvals/terms";
import { appName } from "@/lib/apps/sql";
import { env } from "@/lib/env";
import { lockScreen } from "@/lib/grants/app-choices";
import { log } from "@/lib/log";
import { mailOwner } from "@/lib/owners/mail";
import { heldUntil } from "@/lib/owners/quiet-hours";
import type { Settings } from "@/lib/owners/schema";
import { readSettings } from "@/lib/owners/settings";
import { settingsOf } from "@/lib/owners/sql";
import { literal, sql } from "@/lib/sql";
import { countText } from "@/lib/text/formats";
import { emailOffPath } from "./email-off";
import { cut, minutes, minutesIn } from "./message";
import { asked, unanswered } from "./waiting";

/** At most one e-mail to an owner in so long. */
const everyMinutes = 10;
/** Most questions that one e-mail names. */
const most = 10;

/**
 * Mail owners about questions that have waited as long as they chose, and about those whose deadline is near, in one mail
 * about all that wait. Not about what was shown on one of their browsers and what they have looked at. @returns how many mails were handed over
 */
export async function emailOwners(): Promise<number> {
  if (!env().mail) return 0;
  let sent = 0;
  for (const { owner_id, now } of await dueOwners()) {
    const settings = await readSettings({ ownerId: owner_id });
    if (heldUntil(settings, now) !== undefined) continue;
    if (!(await claim(owner_id))) continue;
    await mail(owner_id, settings).then(
      (wasSent) => (sent += Number(wasSent)),
      // Its turn comes again in ten minutes.
      (error) => log.warn("an e-mail about what waits could not be sent", { reason: String(error) }),
    );
  }
  return sent;
}

const dueOwners = () =>
  sql<{ owner_id: string; now: number }>`WITH RECURSIVE ${pendingOwners}
        SELECT o.owner_id, (extract(epoch FROM now()) * 1000)::float8 AS now
        FROM pending o LEFT JOIN LATERAL ${settingsOf(sql`o.owner_id`)} AS st ON true LEFT JOIN alert_watch w ON w.owner_id = o.owner_id
        WHERE o.owner_id IS NOT NULL AND coalesce(st.email_alerts, true) AND (w.emailed_at IS NULL OR w.emailed_at <= ${ago})
          AND EXISTS (SELECT FROM open_approval a WHERE a.owner_id = o.owner_id AND ${unanswered}
              AND (${isNear} AND a.remind_mailed_at IS NULL OR ${asked} > coalesce(w.emailed_upto, '-infinity')
                AND ${asked} <= now() - make_interval(mins => coalesce(st.email_after_minutes, 10)))
              AND NOT (a.seen_at IS NOT NULL AND EXISTS (SELECT FROM alert_subject s JOIN alert_delivery dl
                ON dl.alert_id = s.alert_id AND dl.kind = 'show' AND dl.outcome = 'sent' WHERE s.subject = a.id)))`.rows();

const ago = sql`now() - make_interval(mins => ${literal(everyMinutes)})`;

/** @returns whether it is this copy's to mail the owner now */
async function claim(ownerId: string): Promise<boolean> {
  const claimed = await sql`INSERT INTO alert_watch (owner_id, emailed_at) VALUES (${ownerId}, now())
    ON CONFLICT (owner_id) DO UPDATE SET emailed_at = now()
    WHERE alert_watch.emailed_at IS NULL OR alert_watch.emailed_at <= ${ago}`.run();
  return claimed === 1;
}

type Waiting = {
  id: string;
  question: string;
  app: string;
  lock_screen: Settings["lockScreen"];
  upto: Date;
  count: number;
  alike: boolean;
  /** Until its deadline, where that is near. */
  left: number | null;
};

/** @returns whether there was still something to tell of */
async function mail(ownerId: string, { emailAfterMinutes }: Settings): Promise<boolean> {
  const waiting =
    await sql<Waiting>`SELECT a.id, a.question, ${appName(sql`a.app_id`)} AS app, ${lockScreen(sql`a.owner_id`, sql`a.app_id`)} AS lock_screen,
        count(*) OVER ()::int AS count, min(a.app_id) OVER () = max(a.app_id) OVER () AS alike, max(${asked}) OVER () AS upto,
        CASE WHEN ${isNear} THEN (extract(epoch FROM a.expires_at - now()) * 1000)::float8 END AS "left"
      FROM open_approval a WHERE a.owner_id = ${ownerId} AND ${unanswered}
      ORDER BY ${isNear} DESC, a.created_at, a.id LIMIT ${most}`.rows();
  const [first] = waiting;
  // Answered a moment ago.
  if (!first) return false;
  const off = `${env().publicUrl}${emailOffPath(ownerId)}`;
  await mailOwner(ownerId, {
    subject: subjectOf(first),
    text: textOf(waiting, first, { off, emailAfterMinutes }),
    headers: { "List-Unsubscribe": `<${off}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
  });
  await sql`UPDATE alert_watch SET emailed_upto = ${first.upto} WHERE owner_id = ${ownerId}`.run();
  const near = waiting.filter(({ left }) => left !== null).map(({ id }) => id);
  if (near.length > 0) await noteMailed(ownerId, near);
  return true;
}

function subjectOf({ count, alike, app, question, lock_screen, left }: Waiting): string {
  if (left !== null) return `${app}: answer within ${minutesIn(left)}`;
  if (count === 1) return lock_screen === "full" ? `${app} asks: ${cut(question, 80)}` : `New question from ${app}`;
  return alike ? `${app}: ${countText(count)} questions wait` : `${countText(count)} questions wait for your answer`;
}

function textOf(
  waiting: Waiting[],
  { count }: Waiting,
  { off, emailAfterMinutes }: { off: string; emailAfterMinutes: number },
) {
  const { publicUrl } = env();
  const lines = waiting.map(
    ({ id, app, question, lock_screen, left }) =>
      `${lock_screen === "full" ? `${app} asks: ${cut(question, 200)}` : `${app} has a question for you.`}${left === null ? "" : ` Answer within ${minutesIn(left)}.`}\n${publicUrl}/approvals/${id}`,
  );
  return [
    ...lines,
    ...(count > waiting.length ? [`And ${countText(count - waiting.length)} more:\n${publicUrl}/approvals`] : []),
    `You answer on the page, signed in. Opening a link decides nothing.`,
    `You get this because ${waiting.some(({ left }) => left !== null) ? "a deadline is near" : `a question has waited for ${minutes(emailAfterMinutes)}`}. To stop these e-mails:\n${off}`,
  ].join("\n\n");
}
