import { clock } from "@/lib/clock";

/**
 * Returns how long to wait, in seconds, according to a `Retry-After` header with a number or a date
 * (RFC 9110 section 10.2.3). Returns undefined if the header is missing or invalid.
 * @param now the current time, in epoch milliseconds
 */
export function retryAfterOf(header: string | undefined, now = clock.now()): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
