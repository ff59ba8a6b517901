import type { Credential } from "./providers/provider";

const minute = 60_000;
const hour = 60 * minute;

/**
 * Delays in milliseconds before the next check after consecutive failures. The last one applies to
 * all further failures.
 */
const pauses = [1, 5, 15, 30, 60].map((minutes) => minutes * minute);
/** Maximum wait that a provider can ask for, in milliseconds. */
const maxRetryAfterMs = 24 * hour;
/**
 * Tokens are renewed at least daily, because some expire when unused. Passwords are checked by a
 * login. Both intervals are in milliseconds.
 */
const maxUnrenewedMs = 20 * hour;
const betweenLogins = 12 * hour;
/** Minimum interval between renewals in milliseconds, however short a provider's tokens live. */
const shortest = 30_000;

/**
 * Returns the time of the next check after consecutive failures, in epoch milliseconds like `now`.
 * Jitter keeps accounts that failed together from being retried together.
 * @param failures at least 1
 * @param retryAfter seconds that the provider asked us to wait; honored up to a day, and never
 *   shortened
 */
export function tryAgainAt(now: number, failures: number, retryAfter = 0, random = Math.random()): number {
  const pause = pauses[Math.min(failures, pauses.length) - 1] ?? minute;
  return Math.round(now + Math.max(pause * (0.8 + 0.4 * random), Math.min(retryAfter * 1000, maxRetryAfterMs)));
}

/**
 * Returns the time of the next check of a working account, in epoch milliseconds. The check is at
 * least daily, and before the token expires. The margin is five minutes or a tenth of the token's
 * life, whichever is more, and at most half its life. The check may be up to a tenth earlier, so
 * that checks spread out.
 * @param renewedAt when the provider last issued the credential
 */
export function checkAgainAt(credential: Credential, renewedAt: number, now: number, random = Math.random()): number {
  const due = credential.kind === "mail" ? now + betweenLogins : tokenDue(credential, renewedAt);
  return Math.round(now + Math.max(shortest, (due - now) * (1 - 0.1 * random)));
}

function tokenDue({ expiresAt, refreshToken }: Credential & { kind: "oauth" }, renewedAt: number): number {
  const daily = renewedAt + maxUnrenewedMs;
  if (expiresAt === undefined) return daily;
  const life = Math.max(0, expiresAt - renewedAt);
  // A credential that cannot be renewed works until it expires.
  const ahead = refreshToken ? Math.min(Math.max(5 * minute, life / 10), life / 2) : 0;
  return Math.min(daily, expiresAt - ahead);
}
