import { randomInt } from "node:crypto";

/*
 * A home is a number that an owner gets once, at random, and keeps permanently. When the service
 * uses several PostgreSQL clusters, each cluster stores the owners of a range of homes. A request
 * must reach the right cluster before any query. Owners' IDs and secrets therefore contain the
 * home, and no table has a column for it. Invariant: an owner's home never changes.
 */

/** The number of homes. Two digits in base32hex have exactly this many values. */
export const homeCount = 1024;

/** A home: an integer from 0 to `homeCount` - 1. */
export type Home = number & { readonly kind: "home" };

/**
 * Where a statement goes: to the shard of a home, to the directory with the service's own tables,
 * or to a shard by its number, in work that visits every shard. A home is only likely if it comes
 * from a secret or an ID that an earlier version could have created (./homes-in-values.ts).
 */
export type Destination = { readonly home: Home; readonly isLikely?: boolean } | { readonly shard: number } | "service";

/**
 * The home of every owner and secret from before homes. Their IDs have zeros in the home's place,
 * and their secrets contain no home.
 */
export const formerHome = 0 as Home;

/** Returns a random home for a new owner. */
export const drawHome = (): Home => randomInt(homeCount) as Home;

/** Returns a home as two digits in lowercase base32hex (RFC 4648 section 7). */
export const homeText = (home: Home): string => home.toString(32).padStart(2, "0");

/** Reads a home from its two digits. Returns undefined for any other text. */
export const readHome = (text: string): Home | undefined =>
  /^[0-9a-v]{2}$/.test(text) ? (Number.parseInt(text, 32) as Home) : undefined;

/**
 * Returns the home in an ID, such as an owner's ID. In SQL, the home's text is
 * `substr(owner_id, 15, 2)`.
 * @throws if the text does not have the form of an ID
 */
export function homeOf(id: string): Home {
  const [, text = ""] = /^[a-z]{3}_[0-9a-v]{10}([0-9a-v]{2})[0-9a-v]{20}$/.exec(id) ?? [];
  const home = readHome(text);
  if (home === undefined) throw new Error("The text is not an ID, so it has no home");
  return home;
}
