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
 * A secret without a home counts as home 0, but an instance of a version from before homes may have
 * issued it to an owner with another home during an upgrade. With one shard, this makes no
 * difference. Before a second shard is added, such secrets must be registered in the directory, in
 * a planned table `secret_route` (hash and home). Only a lookup of a secret without a home that
 * finds nothing in home 0 then reads that table. Its rows are the live secrets of owners outside of
 * home 0 whose text has no home. All of them expire, or are replaced at the owner's next sign-in,
 * except for personal tokens. These can be found by their creation before the end of the upgrade.
 */

const homesOfHashes = processSingleton("homes of hashes", () => new WeakMap<Uint8Array, Home>());

/**
 * Remembers the home of an owner's secret beside the secret's hash, if statements are routed.
 * @param homeOf returns the home in the secret's text, `formerHome` if it contains none, and
 *   undefined for a secret of the service
 */
export function noteHome(hash: Uint8Array, homeOf: () => Home | undefined): void {
  const home = isRouted() ? homeOf() : undefined;
  if (home !== undefined) homesOfHashes().set(hash, home);
}

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
