import { withDestination } from "@/lib/request-context";
import { homeOf } from "./homes";
import { homesIn } from "./homes-in-values";
import { directoryShard, hasSeveralShards, shardOfHome, shards } from "./shard-map";

/*
 * Marks for work whose statements do not name their owner, or concern several. A mark applies to
 * all statements of the work. Domains import nothing else of this folder.
 */

/** Runs work on the data of one owner. */
export const inHomeOf = <T>(ownerId: string, work: () => T): T => withDestination({ home: homeOf(ownerId) }, work);

/** Runs work on data that belongs to the service, such as the search for an account by its email. */
export const inService = <T>(work: () => T): T => withDestination("service", work);

/**
 * Runs work on the data of all owners, once on each shard, one shard after another.
 * @returns the result on each shard
 */
export async function inEveryShard<T>(work: (shard: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const { number: shard } of shards()) results.push(await withDestination({ shard }, () => work(shard)));
  return results;
}

/**
 * Runs work on items of several owners, once on each shard that has any of them.
 * @param nameOf returns an item's owner ID, or the hash of an owner's secret
 * @returns the result on each of these shards
 */
export async function forEachShardOf<Item, T>(
  items: readonly Item[],
  nameOf: (item: Item) => string | Uint8Array,
  work: (items: Item[]) => Promise<T>,
): Promise<T[]> {
  const groups = new Map<number, Item[]>();
  for (const item of items) {
    const shard = hasSeveralShards() ? shardNamed(nameOf(item)) : directoryShard;
    const group = groups.get(shard);
    if (group) group.push(item);
    else groups.set(shard, [item]);
  }
  const results: T[] = [];
  for (const [shard, group] of groups) results.push(await withDestination({ shard }, () => work(group)));
  return results;
}

/** @throws {Error} if the value names no home */
function shardNamed(value: string | Uint8Array): number {
  const { sure, likely } = homesIn([value]);
  const home = sure[0] ?? likely;
  if (home === undefined) throw new Error("The value names no owner");
  return shardOfHome(home);
}
