import { clock } from "@/lib/clock";
import { empty, type Sql, sql } from "@/lib/database/sql";
import { hasEventAfter, ownersSince } from "@/lib/events/event-sql-for-other-domains";
import { subscribeToAll } from "@/lib/events/pubsub";
import { log } from "@/lib/log";
import { loop } from "@/lib/work/loop";
import { deliverAlerts, startDeliveries } from "./delivery-worker";
import { scheduleAlerts } from "./schedule-alerts";
import { serviceWindows } from "./service-windows";

/** How long to collect changes before planning alerts, in milliseconds. */
const debounceMs = 150;
/**
 * The interval between scans that no change triggers, in milliseconds. These scans find due
 * retries, ended quiet hours, and the unfinished work of an instance that died.
 */
const intervalMs = 3000;

/**
 * Plans and sends owners' alerts until stopped. Runs shortly after each change that this instance
 * publishes, and every few seconds for other due work.
 * @param windows the windows of this instance's workers
 * @returns a stop function, which resolves when nothing is in progress
 */
export function startAlerts(windows = serviceWindows()): () => Promise<void> {
  const heard = new Set<string>();
  const deliveries = startDeliveries(windows);
  let lookedAt = 0;
  /** The log's position before the last scan of all owners. */
  let since: string | undefined;
  const watching = loop({
    intervalMs,
    debounceMs,
    subscribe: (wake) =>
      subscribeToAll((ownerId) => {
        heard.add(ownerId);
        wake();
      }),
    // After a failed run, the next scan repeats the run's work.
    failureMessage: "could not plan alerts; the service will retry",
    run: async () => {
      const everyone = clock.now() - lookedAt >= intervalMs;
      const owners = [...heard];
      heard.clear();
      if (everyone) lookedAt = clock.now();
      const { horizon, failed } = await alertOwners(owners, { everyone, since, send: deliveries.wake });
      if (everyone) since = horizon;
      for (const ownerId of failed) heard.add(ownerId);
    },
  });
  return async () => {
    await watching.stop();
    await deliveries.stop();
  };
}

const isBehind = hasEventAfter(sql`w.owner_id`, sql`w.looked_upto`);
/**
 * Returns a SQL condition that adds owners with due work or unplanned events. The first scan checks
 * all owners for unplanned events. Each later scan checks only owners with events since the
 * previous scan.
 */
function unseen(since: string | undefined): Sql {
  if (since === undefined) return sql`OR w.look_again_at <= now() OR ${isBehind}`;
  return sql`
    OR w.look_again_at <= now()
    OR w.owner_id = ANY (ARRAY${ownersSince(since)}) AND ${isBehind}`;
}

/**
 * Alerts owners to new questions and notifications, and withdraws outdated alerts.
 * @param heard owners with known changes
 * @param how.everyone whether to also scan owners without known changes
 * @param how.since the `horizon` of the last scan of all owners, if any
 * @param how.send sends due deliveries
 * @returns the event log's position before the scan (`horizon`), and the owners whose planning
 *   failed
 */
export async function alertOwners(
  heard: readonly string[] = [],
  { everyone = true, since, send = deliverAlerts }: Look = {},
): Promise<{ horizon: string; failed: string[] }> {
  const { owners, horizon } = (await sql<{ owners: string[]; horizon: string }>`
    SELECT event_horizon()::text AS horizon,
      ARRAY(
        SELECT w.owner_id
        FROM alert_cursor w
        WHERE EXISTS (SELECT FROM alert_target t WHERE t.owner_id = w.owner_id)
          AND (w.owner_id = ANY (${heard}) ${everyone ? unseen(since) : empty})
      ) AS owners`.row())!;
  const failed: string[] = [];
  for (const ownerId of owners)
    await scheduleAlerts(ownerId).catch((error) => {
      failed.push(ownerId);
      log.warn("could not plan an owner's alerts; the service will retry", { reason: String(error) });
    });
  if (everyone || owners.length > 0) await send();
  return { horizon, failed };
}
type Look = { everyone?: boolean; since?: string | undefined; send?: () => Promise<void> | void };
