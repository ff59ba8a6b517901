import { startAlerts } from "@/lib/alerts/alert-loop";
import { startChores } from "@/lib/cli/background-chores";
import { onEachShard } from "@/lib/database/shards/each-shard";
import { startWebhooks } from "@/lib/webhooks/dispatcher";

/**
 * Starts alerts, webhooks and chores, once for each shard.
 * @returns a stop function, which resolves when nothing is in progress
 */
export const startBackgroundWork = (): (() => Promise<void>) =>
  onEachShard(() => {
    const stops = [startAlerts(), startWebhooks(), startChores()];
    return async () => void (await Promise.all(stops.map((stop) => stop())));
  });
