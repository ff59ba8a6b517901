import { env } from "@/lib/config/env";

/** Longest that a receiver may have us wait, in seconds. */
const longestWait = 24 * 60 * 60;

/**
 * How long until the next attempt, in seconds: as the schedule says, up to a tenth later, so that what failed together does
 * not come back together; later still where the receiver asked for that.
 * @param tried attempts so far
 * @param retryAfter seconds that the receiver asked for: honoured up to a day, and never sooner than the schedule
 * @returns undefined when there is no further attempt
 */
export function nextAttemptIn(tried: number, retryAfter = 0, random = Math.random()): number | undefined {
  const pause = env().webhookSchedule[tried];
  return pause === undefined ? undefined : Math.max(pause * (1 + random / 10), Math.min(retryAfter, longestWait));
}
