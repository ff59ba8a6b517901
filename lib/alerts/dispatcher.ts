import { empty, sql } from "@/lib/database/sql";
import { hasEventAfter, ownersSince } from "@/lib/events/event-log";
import { subscribeToAll } from "@/lib/events/pubsub";
import { log } from "@/lib/log";
import { loop } from "@/lib/work/loop";
import { deliverAlerts, startDeliveries } from "./deliver";
import { scheduleAlerts } from "./scheduler";

/** News are gathered for so long, so that a burst is looked at once. */
const gatherMs = 150;
/** How often a copy looks for what nobody announced to it: retries, the end of quiet hours, a copy that was lost. */
const everyMs = 3000;

/**
 * Keep owners told, in their browsers and on their channels, for as long as this copy runs: soon after news of which it hears, and every few
 * seconds what is due. @returns how to stop; resolves when nothing is under way
 */
export function startAlerts(): () => Promise<void> {
  const heard = new Set<string>();
  const deliveries = startDeliveries();
  let [lookedAt, since]: [number, string?] = [0];
  const watching = loop({
    intervalMs: everyMs,
    debounceMs: gatherMs,
    subscribe: (wake) =>
      subscribeToAll((ownerId) => {
        heard.add(ownerId);
        wake();
      }),
    // What was heard is found by looking.
    failureMessage: "alerts could not be planned; will retry",
    run: async () => {
      const everyone = Date.now() - lookedAt >= everyMs;
      const owners = [...heard];
      heard.clear();
      if (everyone) lookedAt = Date.now();
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
/** Of whom nobody said so. The first look asks for every owner there is, each later one for those with events since the one before. */
const unseen = (since: string | undefined) =>
  sql`OR w.look_again_at <= now() OR ${since === undefined ? empty : sql`w.owner_id = ANY (ARRAY${ownersSince(since)}) AND `}${isBehind}`;

/**
 * Tell owners what is new and take away what is over.
 * @param heard owners with news
 * @param how.everyone whether to look also for those of whom nobody said so
 * @param how.since the `horizon` of the last look for everyone, if there was one
 * @param how.send what sends what is due; the next look waits for it
 * @returns the place in the log that it saw, and the owners for whom it has to be done again
 */
export async function alertOwners(
  heard: readonly string[] = [],
  { everyone = true, since, send = deliverAlerts }: Look = {},
): Promise<{ horizon: string; failed: string[] }> {
  const { owners, horizon } = (await sql<{ owners: string[]; horizon: string }>`SELECT event_horizon()::text AS horizon,
    ARRAY(SELECT w.owner_id FROM alert_watch w WHERE EXISTS (SELECT FROM alert_target t WHERE t.owner_id = w.owner_id)
      AND (w.owner_id = ANY (${heard}) ${everyone ? unseen(since) : empty})) AS owners`.row())!;
  const failed: string[] = [];
  for (const ownerId of owners)
    await scheduleAlerts(ownerId).catch((error) => {
      failed.push(ownerId);
      log.warn("an owner's alerts could not be looked for", { reason: String(error) });
    });
  if (everyone || owners.length > 0) await send();
  return { horizon, failed };
}
type Look = { everyone?: boolean; since?: string | undefined; send?: () => Promise<void> | void };
