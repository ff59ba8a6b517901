import { sql } from "@/lib/database/sql";
import { tooMany } from "@/lib/errors";
import { sign } from "@/lib/keys/crypto";

/** A limit with a fixed window: at most `max` attempts within `seconds` of the first. */
type Limit = { max: number; seconds: number };

/**
 * Counts an attempt before it is made, so that concurrent attempts can't exceed the limit. All
 * instances share the counters.
 * @throws {AppError} 429 with Retry-After
 */
export async function consumeAttempt(kind: string, what: string, { max, seconds }: Limit, message: string) {
  const counted = await sql<{ failures: number; wait: number }>`
    INSERT INTO throttle (key, failures, expires_at)
    VALUES (${keyOf(kind, what)}, 1, now() + make_interval(secs => ${seconds}))
    ON CONFLICT (key) DO UPDATE SET
      failures = CASE
        WHEN throttle.expires_at <= now() THEN 1
        ELSE least(throttle.failures + 1, 1000000)
      END,
      expires_at = CASE
        WHEN throttle.expires_at <= now() THEN excluded.expires_at
        ELSE throttle.expires_at
      END
    RETURNING failures, extract(epoch FROM expires_at - now())::float8 AS wait`.row();
  if (counted && counted.failures > max) throw tooMany(message, counted.wait);
}

/** Refunds an attempt that was not a failure. */
export const refundAttempt = (kind: string, what: string) =>
  sql`
    UPDATE throttle
    SET failures = failures - 1
    WHERE key = ${keyOf(kind, what)} AND failures > 0`.run();

/**
 * Returns a counter's key, which contains only a keyed hash of the value. People sometimes enter
 * passwords into the email field, and these must not be stored.
 */
export const keyOf = (kind: string, what: string) => `${kind}/${sign("throttle", what)}`;
