import type { OwnerActor, SessionOwner } from "@/lib/actor";
import { db } from "@/lib/database/db";
import { type Sql, sql } from "@/lib/database/sql";
import { AppError } from "@/lib/errors";
import { type Change, change, changeUnannounced } from "@/lib/events/change-transaction";
import { type EventType, record } from "@/lib/events/record-events";
import { serviceClientId } from "@/lib/events/service-notification";
import { readAppPreferences, updateAppPreferences } from "@/lib/grants/app-preferences";
import { maxMutedTypes, muteType } from "@/lib/grants/muted-notification-types";
import { seeNotifications } from "@/lib/owners/owner-sql-for-other-domains";
import { searchReach } from "@/lib/text/record-search";
import { isMuted } from "./feed-counts";
import { searchFeed } from "./feed-search";
import type { Triage, Triaged } from "./schema";

type Act = Triage["act"];
type Changed = { id: string; was?: number | null };

/**
 * Marks notifications up to this one as seen, so that badges no longer count them. Does not notify
 * open pages.
 */
export async function markSeen({ ownerId }: OwnerActor, upTo: string): Promise<void> {
  const until = sql`
    SELECT surfaced_at
    FROM notification
    WHERE owner_id = ${ownerId} AND id = ${upTo} AND surfaced_at <= now()`;
  await changeUnannounced(seeNotifications(ownerId, until));
}

/**
 * Applies one action to notifications. Ignores those that belong to another owner or need no
 * change.
 * @throws {AppError} 400 for a notification that can't be muted
 */
export async function triage(owner: SessionOwner, { act, ids, at = [], ...view }: TriageInput): Promise<Triaged> {
  if (/mute-/.test(act)) return mute(owner, act as Mute, ids[0] ?? "");
  if (act === "read-all") return readAll(owner, ids[0] ?? "", view);
  return triageAs(owner, act, (tx) => apply(tx, owner.ownerId, act, ids, at));
}
type TriageInput = Pick<Triage, "act" | "ids"> & Partial<Triage>;

/** Applies an action, and records an event. The event names no app, so no app can read it. */
async function triageAs({ ownerId }: OwnerActor, act: Act, work: (tx: Change) => Promise<Triaged>): Promise<Triaged> {
  return change(null, async (tx) => {
    const triaged = await work(tx);
    const { count, undo } = triaged;
    if (count > 0) await record(tx, { ownerId, type: eventOf(act), subject: undo?.ids[0] ?? ownerId, data: { count } });
    return triaged;
  });
}

function eventOf(act: Act): EventType {
  if (act === "done") return "notification.done";
  if (act.startsWith("read")) return "notification.read";
  if (act.startsWith("snooze")) return "notification.snoozed";
  return act.startsWith("unread") ? "notification.unread" : "notification.returned";
}

/**
 * Marks a view's notifications as read, from the newest displayed one down. Later ones stay unread.
 * With a search, marks all matches.
 */
async function readAll(owner: OwnerActor, upTo: string, { appId, type, search }: Partial<Triage>): Promise<Triaged> {
  const found = search ? await searchFeed(owner, { appId, type, search, unread: true, upTo }, searchReach) : undefined;
  const which = { upTo, appId: appId ?? null, type: type ?? null, ids: found?.ids ?? null };
  return triageAs(owner, "read-all", (tx) => readThese(tx, owner.ownerId, which));
}

type Which = { upTo: string; appId: string | null; type: string | null; ids: string[] | null };

async function readThese(tx: Change, ownerId: string, { upTo, appId, type, ids }: Which): Promise<Triaged> {
  const marked = sql`
    UPDATE notification
    SET read_at = now()
    FROM (
      SELECT id
      FROM notification
      WHERE id IN (
          SELECT n.id
          FROM open_notification n
          WHERE n.owner_id = ${ownerId}
            AND n.read_at IS NULL
            AND NOT ${isMuted}
            AND n.surfaced_at <= now()
            AND (n.surfaced_at, n.id) <= (
              SELECT u.surfaced_at, u.id
              FROM notification u
              WHERE u.owner_id = ${ownerId} AND u.id = ${upTo}
            )
            AND (${appId}::text IS NULL OR n.app_id = ${appId})
            AND (${type}::text IS NULL OR n.type = ${type})
            AND (${ids}::text[] IS NULL OR n.id = ANY (${ids}::text[]))
        )
        AND read_at IS NULL
      ORDER BY id
      FOR NO KEY UPDATE
    ) AS locked
    WHERE notification.id = locked.id AND read_at IS NULL
    RETURNING read_at`;
  const found = await sql<{ count: number; at: number }>`
    WITH marked AS (${marked})
    SELECT count(*)::int AS count, (extract(epoch FROM max(read_at)) * 1000)::float8 AS at
    FROM marked`.row(tx);
  const { count, at } = found ?? { count: 0, at: 0 };
  return { count, ...(count > 0 && { undo: { act: "unread-all" as const, ids: [upTo], at: [at] } }) };
}

/**
 * Applies an action in one conditional UPDATE. Locks the rows in the order of their IDs first, so
 * that concurrent actions can't deadlock.
 */
async function apply(tx: Change, ownerId: string, act: Act, ids: string[], at: number[]): Promise<Triaged> {
  const these = sql`owner_id = ${ownerId} AND id = ANY (${ids})`;
  await sql`SELECT id FROM notification WHERE ${these} ORDER BY id FOR NO KEY UPDATE`.rows(tx);
  const set = (changes: Sql, where: Sql) =>
    sql<Changed>`
      UPDATE notification
      SET ${changes}
      WHERE ${these} AND ${where}
      RETURNING id`.rows(tx);
  switch (act) {
    case "done":
      return triaged("back", await set(sql`done_at = now()`, sql`done_at IS NULL`));
    case "back": {
      // An expired notification that is restored stays until the owner marks it as done.
      const back = sql`done_at = NULL,
        expires_at = CASE WHEN expires_at > now() THEN expires_at END`;
      return triaged("done", await set(back, sql`done_at IS NOT NULL`));
    }
    case "read":
      return triaged("unread", await set(sql`read_at = now()`, sql`read_at IS NULL`));
    case "unread":
      return triaged("read", await set(sql`read_at = NULL`, sql`read_at IS NOT NULL`));
    case "unread-all": {
      const count = await sql`
        UPDATE notification n
        SET read_at = NULL
        FROM (
          SELECT id
          FROM notification
          WHERE owner_id = ${ownerId}
            AND read_at = to_timestamp(${at[0] ?? 0}::float8 / 1000)::timestamptz(3)
          ORDER BY id
          FOR NO KEY UPDATE
        ) AS locked
        WHERE n.id = locked.id`.run(tx);
      return { count };
    }
    default: {
      const minutes = Number(/^snooze-(\d+)$/.exec(act)?.[1] ?? 0);
      return triaged("surface", await surface(tx, ownerId, ids, minutes, at));
    }
  }
}

/** Sets when notifications enter the inbox: at given times, after some minutes, or now. */
const surface = (tx: Change, ownerId: string, ids: string[], minutes: number, at: number[]) =>
  sql<Changed>`
    UPDATE notification n
    SET surfaced_at = coalesce(
      to_timestamp(old.at / 1000),
      date_trunc('milliseconds', now()) + make_interval(mins => ${minutes}::int)
    )
    FROM (
      SELECT o.id, g.at, (extract(epoch FROM o.surfaced_at) * 1000)::float8 AS was
      FROM unnest(${ids}::text[], ${at}::float8[]) AS g (id, at) JOIN notification o ON o.id = g.id
      WHERE o.owner_id = ${ownerId} AND o.done_at IS NULL
      FOR UPDATE OF o
    ) AS old
    WHERE n.id = old.id
    RETURNING n.id, old.was`.rows(tx);

function triaged(undo: Act, changed: Changed[]): Triaged {
  const ids = changed.map(({ id }) => id);
  const previousTimes = changed.flatMap(({ was }) => (was === undefined || was === null ? [] : [was]));
  return { count: ids.length, ...(ids.length > 0 && { undo: { act: undo, ids, at: previousTimes } }) };
}

type Mute = "mute-app" | "unmute-app" | "mute-type" | "unmute-type";
const opposite = (act: Mute) => (act.startsWith("un") ? act.slice(2) : `un${act}`) as Mute;

/** Mutes or unmutes the app or the type of this notification. */
async function mute(owner: SessionOwner, act: Mute, id: string): Promise<Triaged> {
  const from = await db.notification.findFirst({
    where: { ownerId: owner.ownerId, id },
    select: { appId: true, type: true },
  });
  if (!from) return { count: 0 };
  const { appId, type } = from;
  const on = act.startsWith("mute");
  if (on && appId === serviceClientId) throw new AppError(400, "You can’t mute notifications from Countersign");
  const { notificationsMuted, mutedTypes } = await readAppPreferences(owner, appId);
  if (act.endsWith("-app")) {
    if (notificationsMuted === on) return { count: 0 };
    await updateAppPreferences(owner, appId, { notificationsMuted: on });
  } else {
    if (mutedTypes.includes(type) === on) return { count: 0 };
    if (on && mutedTypes.length >= maxMutedTypes)
      throw new AppError(400, "Too many muted types for this app. Mute the app instead.");
    await muteType(owner, appId, type, on);
  }
  return { count: 1, undo: { act: opposite(act), ids: [id], at: [] } };
}
