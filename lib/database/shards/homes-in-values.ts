import { processSingleton } from "@/lib/work/process-singleton";
import { formerHome, type Home, readHome } from "./homes";
import { isRouted } from "./shard-map";

/*
 * Most statements name their owner among their values: by the owner's ID, or by the hash of a
 * secret that gives access to the owner's data. Their home can be read from these values, so
 * domains never need to state it.
 *
 * A hash does not contain a home. The home is therefore remembered beside each hash that this
 * process computes, for as long as the hash is in memory.
 *
 * A secret without a home counts as home 0, unless this process has found its owner's home
 * (./homeless-secrets.ts).
 */

const homesOfHashes = processSingleton("homes of hashes", () => new WeakMap<Uint8Array, Home>());

/** Hashes of secrets without a home, until their owner's home is found. */
const unlocated = processSingleton("unlocated secrets", () => new WeakSet<Uint8Array>());
/** The homes that were found for secrets without one, by hash. If full, it is cleared. */
const found = processSingleton("homes of secrets", () => new Map<string, Home>());
const maxFound = 50_000;

/**
 * Remembers the home of an owner's secret beside the secret's hash, if statements are routed.
 * @param homeOf returns the home in the secret's text, `none` for an owner's secret without a home,
 *   and undefined for a secret of the service
 */
export function noteHome(hash: Uint8Array, homeOf: () => Home | "none" | undefined): void {
  const home = isRouted() ? homeOf() : undefined;
  if (home === undefined) return;
  const known = home === "none" ? found().get(keyOf(hash)) : home;
  if (known === undefined) unlocated().add(hash);
  homesOfHashes().set(hash, known ?? formerHome);
}

/** Remembers the home that was found for a secret without one. */
export function rememberHome(hash: Uint8Array, home: Home): void {
  if (found().size >= maxFound) found().clear();
  found().set(keyOf(hash), home);
  homesOfHashes().set(hash, home);
  unlocated().delete(hash);
}

const keyOf = (hash: Uint8Array) => Buffer.from(hash).toString("latin1");

/** Whether a hash is of a secret without a home whose owner's home was not found yet. */
export const isUnlocated = (hash: Uint8Array): boolean => unlocated().has(hash);

/** Returns the home of the secret with this hash, if this process hashed its text. */
export const notedHome = (hash: Uint8Array): Home | undefined => homesOfHashes().get(hash);

/** The homes among a statement's values. */
type HomesInValues = {
  /** The homes that the values certainly name, each once. */
  sure: Home[];
  /**
   * The home that a value names unless an instance of an earlier version created it: a secret
   * without a home, or the ID of an alert.
   */
  likely: Home | undefined;
};

/**
 * Finds the homes among a statement's values, which can be Prisma's arguments. JSON text is not
 * searched, because it contains what people write.
 */
export function homesIn(values: readonly unknown[]): HomesInValues {
  const [sure, likely] = [new Set<Home>(), new Set<Home>()];
  for (const value of values) collect(value, sure, likely);
  return { sure: [...sure], likely: [...likely][0] };
}

function collect(value: unknown, sure: Set<Home>, likely: Set<Home>): void {
  if (typeof value === "string") {
    const home = /^(own|alt|chn)_[0-9a-v]{32}$/.test(value) ? readHome(value.slice(14, 16)) : undefined;
    if (home !== undefined) (value.startsWith("own") ? sure : likely).add(home);
  } else if (value instanceof Uint8Array) {
    const home = notedHome(value);
    if (home !== undefined) (home === formerHome ? likely : sure).add(home);
  } else if (value !== null && typeof value === "object") {
    for (const each of Object.values(value)) collect(each, sure, likely);
  }
}
