import type { AppActor } from "@/lib/actor";

/** The cache is cleared when it exceeds this many entries. */
const maxEntries = 50_000;
const grants = new Map<string, string>();

/** A token's key in maps. */
export const tokenKey = ({ tokenHash }: AppActor): string => tokenHash.toString("latin1");

/** Caches a token's grant. */
export function cacheGrant(app: AppActor, grantId: string): void {
  if (grants.size > maxEntries) grants.clear();
  grants.set(tokenKey(app), grantId);
}

/**
 * The grant that this instance has seen for a token. For rate limits and fair queuing only, never
 * for authorization.
 */
export const cachedGrant = (app: AppActor): string | undefined => grants.get(tokenKey(app));
