import { subscribeToAll } from "@/lib/events/hub";
import { hasEventAfter } from "@/lib/events/log";
import { log } from "@/lib/log";
import { empty, sql } from "@/lib/sql";
import { loop } from "@/lib/work/loop";
import { deliverAlerts, startDeliveries } from "./deliver";
import { planAlerts } from "./plan";

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
  let lookedAt = 0;
  const watching = loop({
    every: everyMs,
    gather: gatherMs,
    onNews: (wake) =>
      subscribeToAll((ownerId) => {
        heard.add(ownerId);
        wake();
      }),
    // What was heard is found by looking.
    problem: "alerts could not be planned; will retry",
    run: () => {
      const everyone = Date.now() - lookedAt >= everyMs;
      const owners = [...heard];
      heard.clear();
      if (everyone) lookedAt = Date.now();
      return alertOwners(owners, everyone, deliveries.wake);
    },
  });
  return async () => {
    await watching.stop();
    await deliveries.stop();
  };
}

/** Whether there may be something of which nobody said so. */
const unseen = sql`w.look_again_at <= now() OR ${hasEventAfter(sql`w.owner_id`, sql`w.looked_upto`)}`;

/**
 * Tell owners what is new and take away what is over.
 * @param heard owners with news
 * @param everyone whether to look also for those of whom nobody said so
 * @param send what sends what is due; the next look waits for it
 */
export async function alertOwners(
  heard: readonly string[] = [],
  everyone = true,
  send: () => Promise<void> | void = deliverAlerts,
): Promise<void> {
  const owners = await sql<{ owner_id: string }>`SELECT w.owner_id FROM alert_watch w
    WHERE EXISTS (SELECT FROM alert_target t WHERE t.owner_id = w.owner_id)
      AND (w.owner_id = ANY (${heard}) ${everyone ? sql`OR ${unseen}` : empty})`.rows();
  for (const { owner_id } of owners)
    await planAlerts(owner_id).catch((error) =>
      log.warn("an owner's alerts could not be looked for", { reason: String(error) }),
    );
  if (everyone || owners.length > 0) await send();
}
