/**
 * Returns the seconds that `Retry-After` asks for, as a number or a date (RFC 9110 section 10.2.3).
 * Undefined if it is missing or invalid.
 * @param now epoch milliseconds
 */
export function retryAfterOf(header: string | undefined, now = Date.now()): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
