import { subscribeToAll } from "@/lib/events/pubsub";
import { loop } from "@/lib/work/loop";
import { startDeliveryWorker } from "./delivery-worker";
import { fanOut, maxEventsPerRun } from "./fan-out";

/**
 * The interval at which an instance looks for work without a notification, such as retries and a
 * failed instance's deliveries, in milliseconds.
 */
const intervalMs = 1000;
/**
 * The time in milliseconds for which notifications are collected after a check, so that a busy
 * instance does not check continuously.
 */
const debounceMs = 20;
/**
 * The first and the longest delay, in milliseconds, before the next check while other open
 * transactions delay events. The delay increases from check to check.
 */
const [soonestMs, latestMs] = [4, 500];

/**
 * Sends webhooks while this instance runs: new events immediately, and other due deliveries every
 * second.
 * @returns a function that stops it and resolves when no attempt is running
 */
export function startWebhooks(): () => Promise<void> {
  const sending = startDeliveryWorker();
  let backoffMs = 0;
  // After a failed batch, the next is smaller, in case the batch was too large.
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
    // The service can retry, because the log keeps the unprocessed events.
    failureMessage: "could not create webhook deliveries from events; the service will retry",
    run: async (stopping) => {
      for (let more = true; more && !stopping.aborted; ) {
        const turned = await fanOut(events).catch((error) => {
          // Due deliveries are sent even if new events cannot be processed.
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
