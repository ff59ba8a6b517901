import type { OwnerActor } from "@/lib/actor";
import { restartQuestions, stopQuestions } from "@/lib/approvals/frozen-approvals";
import { appName } from "@/lib/apps/app-sql-for-other-domains";
import { epochMs, sql } from "@/lib/database/sql";
import { notFound } from "@/lib/errors";
import { type Change, change } from "@/lib/events/change-transaction";
import { type NewEvent, record } from "@/lib/events/record-events";
import { freezeGrants, hasConnected, unfreezeGrants } from "@/lib/grants/frozen-grants";
import { lockOwnersApps } from "@/lib/owners/owner-sql-for-other-domains";
import { pausePoint } from "@/lib/pause-points";
import { clearFrozenRequests, flushFrozenRequests, frozenRequestsOf } from "@/lib/traffic/frozen-requests";

/*
 * A freeze stops one app, or all of an owner's apps, and can be undone completely. Tokens, grants
 * and questions stay. While a freeze is active, apps get 403, no question is resolved, deadlines
 * stand still, and webhooks report only the freeze.
 *
 * A freeze takes effect in two transactions. The first one stores the freeze in the grants, so
 * every later request on every instance is rejected. The second one marks the pending questions,
 * and waits for answers that were already being recorded. If an instance stops between the two, a
 * chore does the second part.
 */

/** Who froze an app: its owner, the app itself, or the operator. */
export type FrozenBy = "owner" | "app" | "operator";

/** The `appId` of a freeze that covers all of an owner's apps. */
export const everyApp = "";

/** An active freeze. `appId` is "" for all apps, and `since` is in epoch milliseconds. */
export type Freeze = { appId: string; by: FrozenBy; since: number; name?: string };

/**
 * Freezes an app or, with {@link everyApp}, all of the owner's apps. A second call changes nothing.
 * When the call returns, every instance rejects the apps, and no question can be answered.
 * @throws {AppError} 404 if the app is not connected
 */
export async function freeze(
  { ownerId }: Pick<OwnerActor, "ownerId">,
  { appId, by }: { appId: string; by: FrozenBy },
): Promise<void> {
  await change({ ownerId }, async (tx) => {
    await lockOwnersApps(ownerId).run(tx);
    if (appId !== everyApp && !(await hasConnected(tx, ownerId, appId))) throw notFound();
    const active = await activeOf(tx, ownerId);
    if (active.some((it) => it.app_id === appId)) return;
    const { began_at } = (await sql<{ began_at: Date }>`
      INSERT INTO app_freeze (owner_id, app_id, by, began_at)
      VALUES (${ownerId}, ${appId}, ${by}, clock_timestamp())
      RETURNING began_at`.row(tx)) as { began_at: Date };
    const isCovered = active.some((it) => it.app_id === everyApp);
    if (!isCovered) {
      const frozenBefore = active.map((it) => it.app_id);
      await clearFrozenRequests(tx, ownerId, appId, frozenBefore);
    }
    const apps = await freezeGrants(tx, ownerId, appId, began_at);
    await record(tx, ...eventsOf("owner.frozen", { ownerId, appId, apps }, { by }));
  });
  await pausePoint("grant frozen, questions not stopped");
  await stopQuestionsOf(ownerId, appId);
}

/** Stops the clock of the questions that a freeze covers, if the freeze has not ended. */
export async function stopQuestionsOf(ownerId: string, appId: string): Promise<void> {
  await change(
    { ownerId },
    async (tx) => {
      await lockOwnersApps(ownerId).run(tx);
      const active = (await activeOf(tx, ownerId)).find((it) => it.app_id === appId);
      if (!active) return;
      await stopQuestions(tx, { ownerId, appId, since: active.began_at });
      await sql`
        UPDATE app_freeze
        SET stopped_at = now()
        WHERE owner_id = ${ownerId}
          AND app_id = ${appId}
          AND began_at < now() - interval '1 minute'`.run(tx);
    },
    { timeout: 60_000 },
  );
}

/**
 * Ends a freeze of an app or, with {@link everyApp}, the freeze of all apps. Apps that another
 * freeze covers stay frozen. The deadlines of pending questions move by the time for which they were
 * frozen. Without a freeze, the call changes nothing.
 */
export async function unfreeze({ ownerId }: Pick<OwnerActor, "ownerId">, appId: string): Promise<void> {
  await change(
    { ownerId },
    async (tx) => {
      await lockOwnersApps(ownerId).run(tx);
      const ended = await sql<{ began_at: Date; now: Date }>`
        DELETE FROM app_freeze
        WHERE owner_id = ${ownerId} AND app_id = ${appId}
        RETURNING began_at, clock_timestamp()::timestamptz(3) AS now`.row(tx);
      if (!ended) return;
      const others = (await activeOf(tx, ownerId)).map((it) => it.app_id);
      const isCovered = others.includes(everyApp);
      const apps = isCovered ? [] : await unfreezeGrants(tx, ownerId, appId, others);
      if (!isCovered) await restartQuestions(tx, { ownerId, appId, since: ended.began_at }, others, ended.now);
      const frozenMs = ended.now.getTime() - ended.began_at.getTime();
      await record(tx, ...eventsOf("owner.unfrozen", { ownerId, appId, apps }, { frozenMs }));
    },
    { timeout: 60_000 },
  );
}

const activeOf = (tx: Change, ownerId: string) =>
  sql<{ app_id: string; began_at: Date }>`
    SELECT app_id, began_at FROM app_freeze WHERE owner_id = ${ownerId}`.rows(tx);

type Covered = { ownerId: string; appId: string; apps: string[] };

/**
 * Returns one event for each app whose state changed, which the app receives, and one for the
 * owner. If all apps are frozen, the owner's event names no app, and the Activity page omits the
 * others (`every`).
 */
function eventsOf(
  type: "owner.frozen" | "owner.unfrozen",
  { ownerId, appId, apps }: Covered,
  data: Record<string, string | number>,
): NewEvent[] {
  const about = { ownerId, type, subject: ownerId };
  if (appId !== everyApp)
    return [{ ...about, appId, data: { ...data, ...(apps.length === 0 && { unchanged: true }) } }];
  return [
    { ...about, data: { ...data, all: true } },
    ...apps.map((app) => ({ ...about, appId: app, data: { ...data, every: true } })),
  ];
}

/** What a frozen app tried: an operation's ID, and how often. */
export type TriedRequests = { appId: string; name: string; operation: string; count: number };

/** Returns what the owner's frozen apps tried since their freeze began, by app and operation. */
export async function readTried({ ownerId }: Pick<OwnerActor, "ownerId">): Promise<TriedRequests[]> {
  await flushFrozenRequests();
  return sql<TriedRequests>`
    SELECT r.app_id AS "appId", coalesce(n.name, 'An app') AS name, r.operation, r.count
    FROM ${frozenRequestsOf(ownerId)} AS r LEFT JOIN LATERAL ${appName(sql`r.app_id`)} AS n ON true
    ORDER BY name, r.app_id, r.count DESC, r.operation`.rows();
}

/** Returns the owner's active freezes, the freeze of all apps first, then the latest first. */
export async function listFreezes({ ownerId }: Pick<OwnerActor, "ownerId">): Promise<Freeze[]> {
  const found = await sql<Freeze & { name: string | null }>`
    SELECT f.app_id AS "appId", f.by, ${epochMs("f.began_at")} AS since,
      ${appName(sql`f.app_id`)} AS name
    FROM app_freeze f
    WHERE f.owner_id = ${ownerId}
    ORDER BY f.app_id <> '', f.began_at DESC`.rows();
  return found.map(({ name, ...it }) => ({ ...it, ...(name !== null && { name }) }));
}
