import { allowsLinkAnswer, pendingOwners } from "@/lib/approvals/approval-sql-for-other-domains";
import { isReminderDue } from "@/lib/approvals/approval-state-sql";
import type { Fact } from "@/lib/approvals/facts";
import { markMailed } from "@/lib/approvals/mark-reminded";
import { appName } from "@/lib/apps/app-sql-for-other-domains";
import { env } from "@/lib/config/env";
import { epochMs, literal, sql } from "@/lib/database/sql";
import { appPreferencesOf, lockScreen } from "@/lib/grants/app-preferences";
import { log } from "@/lib/log";
import { mailOwner } from "@/lib/owners/mail-owner";
import { hasConfirmedEmail, settingsOf } from "@/lib/owners/owner-sql-for-other-domains";
import { heldUntil } from "@/lib/owners/quiet-hours";
import type { Settings } from "@/lib/owners/schema";
import { readSettings } from "@/lib/owners/settings";
import { minutes } from "./alert-message";
import { makeAnswerLinks } from "./answer-link";
import { digestMail } from "./digest-mail";
import { emailFreezePath } from "./email-freeze";
import { emailOffPath } from "./email-unsubscribe";
import { needsAlert, waitingSince } from "./needs-alert-sql";

/** Minimum number of minutes between two emails to an owner. */
const everyMinutes = 10;
/** Maximum number of questions in one email. */
const maxQuestions = 10;

/**
 * Emails owners about pending questions, up to ten in each email, but not during their quiet hours.
 * An email is due when a question has been pending as long as its owner chose, or when its deadline
 * is near. A question causes no email if its alert was sent and the owner has opened the question.
 * @returns the number of emails handed to the mail server
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
      // A failed email is not retried here, because the owner is due again in ten minutes.
      (error) => log.warn("could not send an email about pending questions", { reason: String(error) }),
    );
  }
  return sent;
}

const dueOwners = () =>
  sql<{ owner_id: string; now: number }>`
    WITH RECURSIVE ${pendingOwners}
    SELECT o.owner_id, (extract(epoch FROM now()) * 1000)::float8 AS now
    FROM pending o
      LEFT JOIN LATERAL ${settingsOf(sql`o.owner_id`)} AS st ON true
      LEFT JOIN alert_cursor w ON w.owner_id = o.owner_id
    WHERE o.owner_id IS NOT NULL
      AND ${hasConfirmedEmail(sql`o.owner_id`)}
      AND coalesce(st.email_alerts, true)
      AND (w.emailed_at IS NULL OR w.emailed_at <= ${ago})
      AND EXISTS (
        SELECT FROM open_approval a
        WHERE a.owner_id = o.owner_id
          AND ${needsAlert}
          AND (
            ${isReminderDue} AND a.remind_mailed_at IS NULL
            OR ${waitingSince} > coalesce(w.emailed_upto, '-infinity')
              AND ${waitingSince} <= now() - make_interval(
                mins => coalesce(st.email_after_minutes, 10)
              )
          )
          AND NOT (
            a.seen_at IS NOT NULL
            AND EXISTS (
              SELECT FROM alert_subject s
                JOIN alert_delivery dl
                  ON dl.owner_id = s.owner_id
                    AND dl.alert_id = s.alert_id
                    AND dl.kind = 'show'
                    AND dl.outcome = 'sent'
              WHERE s.owner_id = a.owner_id AND s.subject = a.id
            )
          )
      )`.rows();

const ago = sql`now() - make_interval(mins => ${literal(everyMinutes)})`;

/**
 * Claims the owner's next email for this instance.
 * @returns whether this instance may email the owner now
 */
async function claim(ownerId: string): Promise<boolean> {
  const claimed = await sql`
    INSERT INTO alert_cursor (owner_id, emailed_at)
    VALUES (${ownerId}, now())
    ON CONFLICT (owner_id) DO UPDATE SET emailed_at = now()
      WHERE alert_cursor.emailed_at IS NULL OR alert_cursor.emailed_at <= ${ago}`.run();
  return claimed === 1;
}

type PendingRow = {
  id: string;
  question: string;
  facts: Fact[] | null;
  app: string;
  of_app: number;
  lock_screen: Settings["lockScreen"];
  upto: Date;
  count: number;
  now: number;
  due_at: number | null;
  near: boolean;
  /** Whether the question, and the owner's settings for its app, allow an answer by link. */
  linked: boolean;
};

/**
 * Emails an owner about pending questions.
 * @returns whether an email was sent
 */
async function mail(ownerId: string, settings: Settings & { zoneKnown: boolean }): Promise<boolean> {
  const waiting = await sql<PendingRow>`
    SELECT a.id, a.question, a.facts, ${appName(sql`a.app_id`)} AS app,
      ${lockScreen(sql`a.owner_id`, sql`a.app_id`)} AS lock_screen, count(*) OVER ()::int AS count,
      count(*) OVER (PARTITION BY a.app_id)::int AS of_app, max(${waitingSince}) OVER () AS upto,
      (extract(epoch FROM now()) * 1000)::float8 AS now, ${epochMs("a.expires_at")} AS due_at,
      ${isReminderDue} AS near,
      ${allowsLinkAnswer(sql`a.id`)} AND c.always_confirm IS NOT TRUE AS linked
    FROM open_approval a
      LEFT JOIN LATERAL ${appPreferencesOf(sql`a.owner_id`, sql`a.app_id`)} AS c ON true
    WHERE a.owner_id = ${ownerId} AND ${needsAlert}
    ORDER BY a.expires_at, a.created_at, a.id LIMIT ${maxQuestions}`.rows();
  const [first] = waiting;
  // No question needs an alert anymore.
  if (!first) return false;
  const { publicUrl } = env();
  const off = `${publicUrl}${await emailOffPath(ownerId)}`;
  const freeze = `${publicUrl}${await emailFreezePath(ownerId)}`;
  const mayLink = settings.emailAnswers && !settings.alwaysConfirm;
  const links = await makeAnswerLinks(
    ownerId,
    mayLink ? waiting.filter(({ linked }) => linked).map(({ id }) => id) : [],
  );
  const questions = waiting.map(({ id, app, of_app, question, facts, lock_screen, due_at }) => ({
    app,
    ofApp: of_app,
    ...(lock_screen === "full" && { question, facts: facts ?? [] }),
    ...(due_at !== null && { dueAt: due_at }),
    ...(links.get(id) ?? { link: `${publicUrl}/approvals/${id}` }),
  }));
  const { emailAfterMinutes, timeZone, zoneKnown } = settings;
  const near = waiting.filter((it) => it.near).map(({ id }) => id);
  const sent = await mailOwner(ownerId, {
    ...digestMail(questions, {
      now: first.now,
      timeZone: zoneKnown ? timeZone : undefined,
      count: first.count,
      because:
        near.length > 0
          ? "a question’s deadline is near"
          : `a question has been waiting for ${minutes(emailAfterMinutes)}`,
      publicUrl,
      off,
      freeze,
    }),
    headers: { "List-Unsubscribe": `<${off}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
  });
  // The account's email changed in the meantime.
  if (!sent) return false;
  await sql`UPDATE alert_cursor SET emailed_upto = ${first.upto} WHERE owner_id = ${ownerId}`.run();
  if (near.length > 0) await markMailed(ownerId, near);
  return true;
}
