import { clock } from "@/lib/clock";
import type { Credential } from "./providers/provider";

const minute = 60_000;
const hour = 60 * minute;

/**
 * The delays before the next check after consecutive failures, in milliseconds. The last delay
 * applies to all further failures.
 */
const pauses = [1, 5, 15, 30, 60].map((minutes) => minutes * minute);
/** The maximum delay that a provider can ask for, in milliseconds. */
const maxRetryAfterMs = 24 * hour;
/**
 * The maximum intervals between token renewals and between password checks, in milliseconds. Tokens
 * are renewed at least every 20 hours, because some expire if they are not used.
 */
const maxUnrenewedMs = 20 * hour;
const betweenLogins = 12 * hour;
/**
 * The minimum interval between renewals, in milliseconds. It applies even if a provider's tokens
 * expire sooner.
 */
const shortest = 30_000;

/**
 * Returns the time of the next check after consecutive failures, in epoch milliseconds like `now`.
 * Jitter spreads out accounts that failed together, so that they are not all checked together
 * again.
 * @param failures the number of consecutive failures, at least 1
 * @param retryAfter the minimum wait that the provider asked for, in seconds; capped at a day
 */
export function tryAgainAt(now: number, failures: number, retryAfter = 0, random = clock.random()): number {
  const pause = pauses[Math.min(failures, pauses.length) - 1] ?? minute;
  return Math.round(now + Math.max(pause * (0.8 + 0.4 * random), Math.min(retryAfter * 1000, maxRetryAfterMs)));
}

/**
 * Returns the time of the next check of a working account, in epoch milliseconds. A password is
 * checked after 12 hours. A token is renewed within 20 hours and before it expires. Each wait is
 * shortened at random by up to a tenth, so that checks spread out.
 * @param renewedAt when the provider last issued the credential
 */
export function checkAgainAt(credential: Credential, renewedAt: number, now: number, random = clock.random()): number {
  const due = credential.kind === "mail" ? now + betweenLogins : tokenDue(credential, renewedAt);
  return Math.round(now + Math.max(shortest, (due - now) * (1 - 0.1 * random)));
}

function tokenDue({ expiresAt, refreshToken }: Credential & { kind: "oauth" }, renewedAt: number): number {
  const daily = renewedAt + maxUnrenewedMs;
  if (expiresAt === undefined) return daily;
  const life = Math.max(0, expiresAt - renewedAt);
  // A token is renewed a tenth of its lifetime before it expires, but at least five minutes and at
  // most half its lifetime before. A credential without a refresh token works until it expires.
  const ahead = refreshToken ? Math.min(Math.max(5 * minute, life / 10), life / 2) : 0;
  return Math.min(daily, expiresAt - ahead);
}
