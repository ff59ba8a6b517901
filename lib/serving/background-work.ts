import { startAlerts } from "@/lib/alerts/alert-loop";
import { serviceWindows } from "@/lib/alerts/service-windows";
import { startChores } from "@/lib/cli/background-chores";
import { onEachShard } from "@/lib/database/shards/each-shard";
import { startWebhooks } from "@/lib/webhooks/dispatcher";
import { endpointWindows } from "@/lib/webhooks/endpoint-windows";

/**
 * Starts alerts, webhooks and chores, once for each shard.
 * @returns a stop function, which resolves when nothing is in progress
 */
export function startBackgroundWork(): () => Promise<void> {
  const [services, endpoints] = [serviceWindows(), endpointWindows()];
  return onEachShard(() => {
    const stops = [startAlerts(services), startWebhooks(endpoints), startChores()];
    return async () => void (await Promise.all(stops.map((stop) => stop())));
  });
}
