import { subscribeToAll } from "@/lib/events/pubsub";
import { loop } from "@/lib/work/loop";
import { startDeliveryWorker } from "./delivery-worker";
import { fanOut, maxEventsPerRun } from "./fan-out";

/**
 * How often an instance looks for work without a notification, such as retries or deliveries of a
 * failed instance, in milliseconds.
 */
const intervalMs = 1000;
/**
 * How long notifications are collected after a check, in milliseconds, so that a busy instance does
 * not check continuously.
 */
const debounceMs = 20;
/**
 * The shortest and longest delay, in milliseconds, before another check while open transactions
 * delay events. The delay grows with each check.
 */
const [soonestMs, latestMs] = [4, 500];

/**
 * Sends webhooks: new events immediately, and other due deliveries every second.
 * @returns a function that stops sending, and resolves when no attempt is running
 */
export function startWebhooks(): () => Promise<void> {
  const sending = startDeliveryWorker();
  let backoffMs = 0;
  // The next batch size. Reduced after a failure, in case the batch was too large.
  let events = maxEventsPerRun;

  const turning = loop({
    first: 0,
    intervalMs: () => backoffMs || intervalMs,
    cooldownMs: debounceMs,
    subscribe: (wake) =>
      subscribeToAll(() => {
        backoffMs = 0;
        wake();
      }),
    // Nothing is lost, because the log keeps the events.
    failureMessage: "could not create webhook deliveries from events; the service will retry",
    run: async (stopping) => {
      for (let more = true; more && !stopping.aborted; ) {
        const turned = await fanOut(events).catch((error) => {
          // Sends due deliveries even if new events can't be processed.
          sending.wake();
          [events, backoffMs] = [Math.max(1, Math.floor(events / 4)), 0];
          throw error;
        });
        // Without an active endpoint, no delivery is due either.
        if (turned.wanted) sending.wake();
        events = maxEventsPerRun;
        backoffMs = turned.unsettled || turned.busy ? Math.min(latestMs, backoffMs * 2 || soonestMs) : 0;
        more = turned.more;
      }
    },
  });
  return async () => {
    await turning.stop();
    await sending.stop();
  };
}
