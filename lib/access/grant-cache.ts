import type { AppActor } from "@/lib/actor";

/** Beyond this many the memory starts anew. */
const most = 50_000;
const grants = new Map<string, string>();

/** A token as a key of maps. */
export const tokenKey = ({ tokenHash }: AppActor): string => tokenHash.toString("latin1");

/** Remember which grant a token opened. */
export function cacheGrant(app: AppActor, grantId: string): void {
  if (grants.size > most) grants.clear();
  grants.set(tokenKey(app), grantId);
}

/** The grant that a token opened before on this copy: to count requests and take turns by, and never for who may do what. */
export const cachedGrant = (app: AppActor): string | undefined => grants.get(tokenKey(app));
