import { subscribeToAll } from "@/lib/events/pubsub";
import { loop } from "@/lib/work/loop";
import { startDeliveryWorker } from "./deliver";
import { fanOut, maxEventsPerRun } from "./fan-out";

/**
 * How often an instance looks for work without a notification: retries, and a lost instance's
 * deliveries.
 */
const intervalMs = 1000;
/**
 * After a check, notifications are collected for this long, so that a busy instance does not check
 * continuously.
 */
const debounceMs = 20;
/**
 * The delay before the next check when others' open transactions hold up events: short at first,
 * then longer.
 */
const [soonestMs, latestMs] = [4, 500];

/**
 * Send webhooks while this instance runs: new events immediately, and other due deliveries every
 * second.
 * @returns a function to stop; it resolves when no attempt is running
 */
export function startWebhooks(): () => Promise<void> {
  const sending = startDeliveryWorker();
  let backoffMs = 0;
  // A smaller batch after a failed one, in case it was too large.
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
    // The log keeps the unprocessed events.
    failureMessage: "events were not turned into webhooks; will retry",
    run: async (stopping) => {
      for (let more = true; more && !stopping.aborted; ) {
        const turned = await fanOut(events).catch((error) => {
          // Due deliveries are sent even if new events cannot be processed.
          sending.wake();
          [events, backoffMs] = [Math.max(1, Math.floor(events / 4)), 0];
          throw error;
        });
        // Without an active endpoint, nothing is due either.
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
