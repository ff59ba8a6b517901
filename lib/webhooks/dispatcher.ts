import { subscribeToAll } from "@/lib/events/pubsub";
import { loop } from "@/lib/work/loop";
import { startDeliveryWorker } from "./delivery-worker";
import { endpointWindows } from "./endpoint-windows";
import { fanOut, maxEventsPerRun } from "./fan-out";

/**
 * The interval at which an instance looks for work that no notification reports, in milliseconds.
 * Such work includes retries, and deliveries of a failed instance.
 */
const intervalMs = 1000;
/**
 * How long notifications are collected after a check, in milliseconds. A busy instance therefore
 * does not check continuously.
 */
const debounceMs = 20;
/**
 * The minimum and maximum delay before the next check, in milliseconds, while open transactions
 * delay events. The delay doubles with each check.
 */
const [soonestMs, latestMs] = [4, 500];

/**
 * Starts sending webhooks: new events immediately, and other due deliveries every second.
 * @param windows the windows of this instance's workers
 * @returns a function that stops sending, and resolves when no attempt is running
 */
export function startWebhooks(windows = endpointWindows()): () => Promise<void> {
  const sending = startDeliveryWorker(windows);
  let backoffMs = 0;
  // The size of the next batch. It is reduced after a failure, in case the batch was too large.
  let events = maxEventsPerRun;

  const turn = async (stopping: AbortSignal) => {
    for (let more = true; more && !stopping.aborted; ) {
      const turned = await fanOut(events).catch((error) => {
        // Sends due deliveries even though new events could not be processed.
        sending.wake();
        [events, backoffMs] = [Math.max(1, Math.floor(events / 4)), 0];
        throw error;
      });
      // If there is no active endpoint, no delivery is due either.
      if (turned.wanted) sending.wake();
      events = maxEventsPerRun;
      backoffMs = turned.unsettled || turned.busy ? Math.min(latestMs, backoffMs * 2 || soonestMs) : 0;
      more = turned.more;
    }
  };
  const turning = loop({
    first: 0,
    intervalMs: () => backoffMs || intervalMs,
    cooldownMs: debounceMs,
    subscribe: (wake) =>
      subscribeToAll(() => {
        backoffMs = 0;
        wake();
      }),
    // A failure loses nothing, because the log keeps the events.
    failureMessage: "could not create webhook deliveries from events; the service will retry",
    run: turn,
  });
  return async () => {
    await turning.stop();
    await sending.stop();
  };
}
