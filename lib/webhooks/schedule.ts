import { env } from "@/lib/env";

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

/** The seconds that `Retry-After` asks for: a number, or a date (RFC 9110 section 10.2.3). @param now epoch milliseconds */
export function retryAfterOf(said: string | undefined, now = Date.now()): number | undefined {
  const text = said?.trim();
  if (!text) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
