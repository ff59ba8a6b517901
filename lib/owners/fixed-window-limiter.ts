import { isIPv6 } from "node:net";
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
 * Returns the part of an address that rate limits count. For IPv6, this is the first 64 bits,
 * because a caller controls a whole /64 (RFC 6177).
 */
export function ipPrefix(address: string): string {
  if (!isIPv6(address) || /^::ffff:[\d.]+$/i.test(address)) return address;
  const [head = "", tail] = address.split("%", 1)[0]!.split("::");
  const before = head.split(":").filter(Boolean);
  const after = tail?.split(":").filter(Boolean) ?? [];
  const whole = [...before, ...Array(Math.max(0, 8 - before.length - after.length)).fill("0"), ...after];
  return whole
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(":");
}

/** Returns the caller's network as text: an IPv4 address, or an IPv6 /64. */
export function ipNetwork(address: string): string {
  const group = ipPrefix(address).replace(/^::ffff:/i, "");
  return group === address || !group.includes(":") ? group : `${group}::/64`;
}

/**
 * Returns a counter's key, which contains only a keyed hash of the value. People sometimes enter
 * passwords into the email field, and these must not be stored.
 */
export const keyOf = (kind: string, what: string) => `${kind}/${sign("throttle", what)}`;
