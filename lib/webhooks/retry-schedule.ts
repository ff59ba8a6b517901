import { clock } from "@/lib/clock";
import { env } from "@/lib/config/env";

/** The maximum Retry-After that is honored, in seconds. */
const maxWaitSeconds = 24 * 60 * 60;

/**
 * Returns the seconds until the next attempt: the schedule's interval, or longer if the receiver
 * asks for it. Up to a tenth of the interval is added, so that deliveries that failed together are
 * not all retried at the same time.
 * @param tried the number of attempts so far
 * @param retryAfter the seconds that the receiver asked for, limited to a day
 * @returns undefined if there is no further attempt
 */
export function nextAttemptIn(tried: number, retryAfter = 0, random = clock.random()): number | undefined {
  const pause = env().webhookSchedule[tried];
  return pause === undefined ? undefined : Math.max(pause * (1 + random / 10), Math.min(retryAfter, maxWaitSeconds));
}
