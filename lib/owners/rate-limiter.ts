import { sql } from "@/lib/database/sql";
import { tooMany } from "@/lib/errors";
import { plural } from "@/lib/text/plural";
import { keyOf } from "./fixed-window-limiter";

/** A rate limit (GCRA): `burst` attempts at once, and then one every `seconds`. */
export type RateLimit = { burst: number; seconds: number };

/** A counter's key and its limit. */
export type RateLimitKey = { kind: string; what: string; pace: RateLimit };

/**
 * Consumes one attempt, or throws a 429. As in the generic cell rate algorithm (ITU-T I.371), a row
 * stores only the time at which the whole burst is available again.
 */
async function keepPace({ kind, what, pace: { burst, seconds } }: RateLimitKey): Promise<void> {
  const key = keyOf(kind, what);
  const counted = await sql`
    INSERT INTO throttle (key, failures, expires_at)
    VALUES (${key}, 1, now() + make_interval(secs => ${seconds}))
    ON CONFLICT (key) DO UPDATE SET
      expires_at = greatest(throttle.expires_at, now()) + make_interval(secs => ${seconds})
      WHERE throttle.expires_at <= now() + make_interval(secs => ${seconds * (burst - 1)})`.run();
  if (counted === 1) return;
  const due = await sql<{ wait: number }>`
    SELECT extract(epoch FROM expires_at - now())::float8 - ${seconds * (burst - 1)}::float8 AS wait
    FROM throttle
    WHERE key = ${key}`.row();
  const wait = Math.min(seconds, Math.max(1, Math.ceil(due?.wait ?? 1)));
  throw tooMany(`Too many attempts. Try again in ${words(wait)}.`, wait);
}

const words = (seconds: number) => {
  if (seconds > 90) return plural(Math.ceil(seconds / 60), { one: "a minute", other: "# minutes" });
  return plural(seconds, { one: "a second", other: "# seconds" });
};

/**
 * Consumes an attempt from each of these counters, or from none if any is exhausted. All instances
 * share the counters.
 * @throws {AppError} 429 with Retry-After, at most `pace.seconds`
 */
export async function consumeAll(all: RateLimitKey[]): Promise<void> {
  const counted: RateLimitKey[] = [];
  try {
    for (const each of all) {
      await keepPace(each);
      counted.push(each);
    }
  } catch (error) {
    await Promise.all(counted.map(refund));
    throw error;
  }
}

/** Refunds one attempt. */
export const refund = ({ kind, what, pace }: RateLimitKey) =>
  sql`
    UPDATE throttle
    SET expires_at = expires_at - make_interval(secs => ${pace.seconds})
    WHERE key = ${keyOf(kind, what)}`.run();

export const reset = ({ kind, what }: RateLimitKey) =>
  sql`
    DELETE FROM throttle
    WHERE key = ${keyOf(kind, what)}`.run();
