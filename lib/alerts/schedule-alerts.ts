import { nextReturnAt } from "@/lib/approvals/approval-sql-for-other-domains";
import { isReminderDue, remindAt } from "@/lib/approvals/approval-state-sql";
import { markReminded } from "@/lib/approvals/mark-reminded";
import { db, type Transaction } from "@/lib/database/db";
import { type Sql, sql } from "@/lib/database/sql";
import { latestEvent } from "@/lib/events/event-sql-for-other-domains";
import { serviceClientId } from "@/lib/events/service-notification";
import { newHomedId } from "@/lib/ids";
import { readInboxHints } from "@/lib/notifications/notification-display-hints";
import { heldUntil } from "@/lib/owners/quiet-hours";
import { readSettings } from "@/lib/owners/settings";
import { isConnected, needsAlert, waitingSince } from "./needs-alert-sql";
import type { AlertContent } from "./push-schema";
import { closeResolvedAlerts, withdraw } from "./withdraw-alerts";

/*
 * An alert must not depend on the request that created its question. Alerts are therefore planned
 * from the stored pending questions, so a repeated or concurrent plan changes nothing. Tests read
 * sent messages with `lib/testing/fake-push-service.ts`, which decrypts messages as browsers do.
 */

/**
 * The minimum interval between an app's alerts, in milliseconds. Later questions are collected in a
 * digest.
 */
const windowMs = 600_000;
/**
 * The minimum interval between an app's deadline reminders, in milliseconds. It is short, because a
 * reminder must arrive before the deadline.
 */
const reminderWindowMs = 60_000;

type Group = { appId: string; about: AlertContent["about"]; ids: string[]; urgent: boolean; reminder?: true };

/**
 * Plans an owner's alerts for each app's new questions, due reminders and new notifications. Delays
 * an alert during quiet hours, or soon after another alert about the same app. Withdraws alerts
 * that have nothing current, and records alerted questions, so that a second scan or another
 * instance repeats nothing.
 */
export async function scheduleAlerts(ownerId: string): Promise<void> {
  const settings = await readSettings({ ownerId });
  await db.$transaction(async (tx) => {
    const watch = await sql<{ now: number; latest: bigint; since: Date; targets: string[] }>`
      SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now, since,
        ${latestEvent(ownerId)} AS latest,
        ARRAY(SELECT t.id FROM alert_target t WHERE t.owner_id = w.owner_id) AS targets
      FROM alert_cursor w
      WHERE owner_id = ${ownerId}
      FOR UPDATE`.row(tx);
    if (!watch || watch.targets.length === 0) return;
    const { now, latest, since, targets } = watch;
    await closeResolvedAlerts(tx, ownerId);

    const recent = await recentAlerts(tx, ownerId);
    const groups = [
      ...(await questions(tx, ownerId, isNew(since), sql`a.created_at`)),
      ...(await questions(tx, ownerId, isDueSoon, sql`a.expires_at`, true)),
      ...(await newNotifications(tx, ownerId, since)),
    ];
    const alerted: string[] = [];
    let again = Math.min(await nextToReturn(tx, ownerId), await nextReminder(tx, ownerId));
    for (const group of groups) {
      // An alert about questions is delayed only by a recent alert about questions, and a reminder
      // only by a recent reminder. An alert about notifications is delayed by any recent alert.
      const last = recent
        .filter(
          ({ appId, about, reminder }) =>
            appId === group.appId &&
            (group.reminder ? reminder : about === group.about || group.about === "notifications"),
        )
        .map(({ at }) => at + (group.reminder ? reminderWindowMs : windowMs));
      const until = Math.max(heldUntil(settings, now, group) ?? 0, ...last);
      if (until > now) again = Math.min(again, until);
      else {
        await makeAlert(tx, ownerId, group, targets);
        if (group.about === "questions") alerted.push(...group.ids);
        recent.push({ appId: group.appId, about: group.about, reminder: group.reminder ?? false, at: now });
      }
    }
    // A question whose first alert is close to its deadline needs no reminder.
    if (alerted.length > 0) await markReminded(tx, ownerId, alerted);
    const lookAgain = Number.isFinite(again) ? new Date(again) : null;
    await sql`
      UPDATE alert_cursor
      SET looked_upto = ${latest}, look_again_at = ${lookAgain}
      WHERE owner_id = ${ownerId}`.run(tx);
  });
}

const isTold = sql`EXISTS (
  SELECT FROM alert_subject s WHERE s.owner_id = a.owner_id AND s.subject = a.id
)`;
/** SQL: whether a question became pending after `since` and has had no alert. */
const isNew = (since: Date) => sql`${waitingSince} > ${since} AND NOT ${isTold}`;
/**
 * SQL: whether a question needs its deadline reminder. A question that has had no alert gets its
 * first alert instead.
 */
const isDueSoon = sql`a.reminded_at IS NULL AND ${isReminderDue} AND ${isTold}`;

/** Returns the matching questions, grouped by app. */
async function questions(tx: Transaction, ownerId: string, which: Sql, order: Sql, reminder?: true): Promise<Group[]> {
  const groups = await sql<{ app_id: string; ids: string[] }>`
    SELECT a.app_id, array_agg(a.id ORDER BY ${order}, a.id) AS ids
    FROM open_approval a
    WHERE a.owner_id = ${ownerId} AND ${needsAlert} AND ${which}
    GROUP BY a.app_id`.rows(tx);
  const about = { about: "questions", urgent: false, ...(reminder && { reminder }) } as const;
  return groups.map(({ app_id, ids }) => ({ ...about, appId: app_id, ids }));
}

/** Returns when the next reminder is due, in epoch milliseconds, or Infinity if none is. */
async function nextReminder(tx: Transaction, ownerId: string): Promise<number> {
  const next = await sql<{ at: Date | null }>`
    SELECT min(${remindAt}) AS at
    FROM open_approval a
    WHERE a.owner_id = ${ownerId}
      AND ${needsAlert}
      AND a.expires_at IS NOT NULL
      AND a.reminded_at IS NULL
      AND ${remindAt} > now()`.row(tx);
  return next?.at?.getTime() ?? Number.POSITIVE_INFINITY;
}

/**
 * Returns the last day's unread notifications that have high or urgent priority and no alert yet,
 * grouped by app and urgency.
 */
async function newNotifications(tx: Transaction, ownerId: string, since: Date) {
  const found = await sql<{ id: string; app_id: string; data: unknown }>`
    SELECT n.id, n.app_id, n.data
    FROM (
      SELECT *
      FROM open_notification o
      WHERE o.owner_id = ${ownerId}
        AND o.read_at IS NULL
        AND o.surfaced_at <= now()
        AND o.surfaced_at > greatest(${since}, now() - interval '1 day')
        AND NOT (o.app_muted OR o.type_muted)
      ORDER BY o.surfaced_at DESC, o.id DESC LIMIT 2000
    ) AS n
    WHERE n.data #>> '{inbox,priority}' IN ('high', 'urgent')
      AND (n.app_id = ${serviceClientId} OR ${isConnected})
      AND NOT EXISTS (
        SELECT FROM alert_subject s WHERE s.owner_id = n.owner_id AND s.subject = n.id
      )
    ORDER BY n.created_at, n.id`.rows(tx);
  const groups = new Map<string, Group>();
  for (const { id, app_id: appId, data } of found) {
    const urgent = readInboxHints(data).extras.priority === "urgent";
    // Urgent notifications get their own group.
    const key = `${appId} ${urgent}`;
    const group = groups.get(key) ?? { appId, about: "notifications", ids: [], urgent };
    groups.set(key, { ...group, ids: [...group.ids, id] });
  }
  return [...groups.values()].sort((a, b) => Number(b.urgent) - Number(a.urgent));
}

async function recentAlerts(tx: Transaction, ownerId: string) {
  type Row = { app_id: string; about: AlertContent["about"]; reminder: boolean; at: Date };
  const found = await sql<Row>`
    SELECT app_id, about, reminder, max(created_at) AS at
    FROM alert
    WHERE owner_id = ${ownerId} AND created_at > now() - ${windowMs / 1000} * interval '1 second'
    GROUP BY app_id, about, reminder`.rows(tx);
  return found.map(({ app_id, about, reminder, at }) => ({ appId: app_id, about, reminder, at: at.getTime() }));
}

/**
 * Returns when the next snoozed question or notification returns, in epoch milliseconds, or
 * Infinity if none does.
 */
async function nextToReturn(tx: Transaction, ownerId: string): Promise<number> {
  const found = await sql<{ at: Date | null }>`
    SELECT least(
      ${nextReturnAt(ownerId)},
      (
        SELECT min(n.surfaced_at)
        FROM open_notification n
        WHERE n.owner_id = ${ownerId} AND n.surfaced_at > now() AND n.read_at IS NULL
      )
    ) AS at`.row(tx);
  return found?.at?.getTime() ?? Number.POSITIVE_INFINITY;
}

/** Creates one alert for a group, and a delivery for each of the owner's browsers and channels. */
async function makeAlert(tx: Transaction, ownerId: string, { appId, about, ids, reminder }: Group, targets: string[]) {
  const id = newHomedId("alt", { ownerId });
  const tag = ids.length === 1 ? (ids[0] as string) : `${appId}.${about}`;
  // The new alert replaces open alerts with the same tag and includes their contents.
  const before = await tx.alert.findMany({ where: { ownerId, tag, closedAt: null }, select: { id: true } });
  await sql`
    INSERT INTO alert (id, owner_id, app_id, about, tag, reminder)
    VALUES (${id}, ${ownerId}, ${appId}, ${about}, ${tag}, ${reminder ?? false})`.run(tx);
  if (before.length > 0) {
    const olds = before.map((old) => old.id);
    await sql`
      UPDATE alert_subject
      SET alert_id = ${id}
      WHERE owner_id = ${ownerId} AND alert_id = ANY (${olds})`.run(tx);
    await sql`
      UPDATE alert
      SET closed_at = now()
      WHERE owner_id = ${ownerId} AND id = ANY (${olds})`.run(tx);
    // Alerts in browsers need no withdrawal, because the new alert replaces the old one by its tag.
    await withdraw(tx, ownerId, olds, sql`t.kind <> 'browser'`);
  }
  await sql`
    INSERT INTO alert_subject (owner_id, subject, alert_id)
    SELECT ${ownerId}, subject, ${id}
    FROM unnest(${ids}::text[]) AS subject
    ON CONFLICT (subject) DO UPDATE SET alert_id = excluded.alert_id`.run(tx);
  // Locks the browsers and channels. Otherwise, a browser or channel that is removed concurrently
  // would leave its delivery behind.
  await sql`
    WITH browser AS (
      SELECT id
      FROM push_subscription
      WHERE owner_id = ${ownerId} AND id = ANY (${targets})
      FOR KEY SHARE
    ), channel AS (
      SELECT id
      FROM alert_channel
      WHERE owner_id = ${ownerId} AND id = ANY (${targets})
      FOR KEY SHARE
    )
    INSERT INTO alert_delivery (owner_id, alert_id, target_id, kind)
    SELECT ${ownerId}, ${id}, t.id, 'show'
    FROM (SELECT id FROM browser UNION ALL SELECT id FROM channel) AS t`.run(tx);
}
