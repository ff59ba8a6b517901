import type { Credential } from "./providers/provider";

const minute = 60_000;
const hour = 60 * minute;

/** How long after failures in a row an account is looked at again; the last holds for all that follow. */
const pauses = [1, 5, 15, 30, 60].map((minutes) => minutes * minute);
/** Longest that a provider may have us wait. */
const longestRetryAfter = 24 * hour;
/** Tokens are renewed at least daily, since some end when they are not used; a password is only tried. */
const longestUnrenewed = 20 * hour;
const betweenLogins = 12 * hour;
/** However short a provider's tokens live. */
const shortest = 30_000;

/**
 * When to try again after so many failures in a row, each a little off, so that what failed together does not come back
 * together. Epoch milliseconds, like `now`.
 * @param failures at least 1
 * @param retryAfter seconds that the provider asked for: honoured up to a day, and never cut short
 */
export function tryAgainAt(now: number, failures: number, retryAfter = 0, random = Math.random()): number {
  const pause = pauses[Math.min(failures, pauses.length) - 1] ?? minute;
  return Math.round(now + Math.max(pause * (0.8 + 0.4 * random), Math.min(retryAfter * 1000, longestRetryAfter)));
}

/**
 * When to look at a working account again: before its token ends by five minutes or a tenth of its life, whichever is more
 * (but by half of it at most), and at least daily. Up to a tenth earlier, so that many do not come at once. Epoch milliseconds.
 * @param renewedAt when the provider last gave us what we hold
 */
export function checkAgainAt(credential: Credential, renewedAt: number, now: number, random = Math.random()): number {
  const due = credential.kind === "mail" ? now + betweenLogins : tokenDue(credential, renewedAt);
  return Math.round(now + Math.max(shortest, (due - now) * (1 - 0.1 * random)));
}

function tokenDue({ expiresAt, refreshToken }: Credential & { kind: "oauth" }, renewedAt: number): number {
  const daily = renewedAt + longestUnrenewed;
  if (expiresAt === undefined) return daily;
  const life = Math.max(0, expiresAt - renewedAt);
  // What cannot be renewed works to its end.
  const ahead = refreshToken ? Math.min(Math.max(5 * minute, life / 10), life / 2) : 0;
  return Math.min(daily, expiresAt - ahead);
}
