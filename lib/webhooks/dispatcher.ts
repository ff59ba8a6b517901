import { subscribeToAll } from "@/lib/events/pubsub";
import { loop } from "@/lib/work/loop";
import { startDeliveryWorker } from "./deliver";
import { fanOut, maxEventsPerRun } from "./fan-out";

/** How often a copy looks for what nobody announced to it: retries, and what a copy that was lost left behind. */
const everyMs = 1000;
/** News are gathered for so long after a look, so that a busy copy does not look back to back. */
const gatherMs = 20;
/** How long until the next look for what others' open transactions hold up: soon at first, then less and less often. */
const [soonestMs, latestMs] = [4, 500];

/**
 * Send webhooks for as long as this copy runs: at once for news that begin on it, and every second what else is due.
 * @returns how to stop; resolves when nothing is under way
 */
export function startWebhooks(): () => Promise<void> {
  const sending = startDeliveryWorker();
  let patience = 0;
  // Fewer after a turn that failed, in case it was too large.
  let events = maxEventsPerRun;

  const turning = loop({
    first: 0,
    intervalMs: () => patience || everyMs,
    cooldownMs: gatherMs,
    subscribe: (wake) =>
      subscribeToAll(() => {
        patience = 0;
        wake();
      }),
    // The log keeps what was not turned.
    failureMessage: "events were not turned into webhooks; will retry",
    run: async (stopping) => {
      for (let more = true; more && !stopping.aborted; ) {
        const turned = await fanOut(events).catch((error) => {
          // What is due is sent also while nothing new can be turned.
          sending.wake();
          [events, patience] = [Math.max(1, Math.floor(events / 4)), 0];
          throw error;
        });
        // Where no endpoint is on, nothing is due either.
        if (turned.wanted) sending.wake();
        events = maxEventsPerRun;
        patience = turned.unsettled || turned.busy ? Math.min(latestMs, patience * 2 || soonestMs) : 0;
        more = turned.more;
      }
    },
  });
  return async () => {
    await turning.stop();
    await sending.stop();
  };
}
