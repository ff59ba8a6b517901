import type { AppActor } from "@/lib/actor";

/** The maximum number of entries. A cache that exceeds it is cleared. */
const maxEntries = 50_000;
const grants = new Map<string, string>();

/** Returns the key that identifies a token in maps. */
export const tokenKey = ({ tokenHash }: AppActor): string => tokenHash.toString("latin1");

/** Caches a token's grant. A full cache is cleared first. */
export function cacheGrant(app: AppActor, grantId: string): void {
  if (grants.size > maxEntries) grants.clear();
  grants.set(tokenKey(app), grantId);
}

/**
 * Returns the grant that this instance last saw for a token, if any. The grant may be out of date,
 * so use it only for rate limits and fair queuing, never for authorization.
 */
export const cachedGrant = (app: AppActor): string | undefined => grants.get(tokenKey(app));
