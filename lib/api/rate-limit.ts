import { cachedGrant } from "@/lib/access/grant-cache";
import type { AppActor } from "@/lib/actor";
import { clock } from "@/lib/clock";
import { env } from "@/lib/config/env";
import { tooMany } from "@/lib/errors";

type Bucket = { tokens: number; at: number };

/**
 * This instance's token buckets, one per grant. A bucket refills at a fixed rate per second, up to
 * the burst. A token's requests are not limited until its first authorized request, which reveals
 * the token's grant.
 */
const buckets = new Map<string, Bucket>();
/**
 * The maximum number of buckets. Above it, all are cleared, which rejects no request, because a new
 * bucket is full.
 */
const maxBuckets = 50_000;

/**
 * Rejects a call if the token's grant has used up its burst.
 * @throws {AppError} 429
 */
export function checkRate(app: AppActor): void {
  if (env().rateLimit === 0) return;
  const grant = cachedGrant(app);
  const bucket = grant === undefined ? undefined : refilled(grant);
  if (bucket && bucket.tokens < 1) throw tooMany("Too many requests", (1 - bucket.tokens) / env().rateLimit);
}

/**
 * Counts one request from an authorized app.
 * @returns the RateLimit headers to send (draft-ietf-httpapi-ratelimit-headers), or none if limits
 *   are off or the app is not authorized
 */
export function countRequest(app: AppActor): Record<string, string> {
  const { rateLimit, rateBurst } = env();
  if (rateLimit === 0 || !app.admitted) return {};
  if (buckets.size > maxBuckets) buckets.clear();
  const bucket = refilled(app.admitted.grantId);
  bucket.tokens = Math.max(0, bucket.tokens - 1);
  const left = Math.floor(bucket.tokens);
  return {
    "ratelimit-policy": `"grant";q=${rateBurst};w=${Math.ceil(rateBurst / rateLimit)}`,
    ratelimit: `"grant";r=${left};t=${Math.ceil((rateBurst - bucket.tokens) / rateLimit)}`,
  };
}

function refilled(grant: string): Bucket {
  const { rateLimit, rateBurst } = env();
  const now = clock.elapsed();
  const bucket = buckets.get(grant) ?? { tokens: rateBurst, at: now };
  bucket.tokens = Math.min(rateBurst, bucket.tokens + ((now - bucket.at) / 1000) * rateLimit);
  bucket.at = now;
  buckets.set(grant, bucket);
  return bucket;
}
