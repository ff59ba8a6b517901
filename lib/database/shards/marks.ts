import { chosenDestination, withDestination } from "@/lib/request-context";
import { shardNamed, shardOfOwner, untilResumed, visitShards } from "./each-shard";
import { formerHome, homeOf } from "./homes";
import { directoryShard, hasSeveralShards, shards } from "./shard-map";

/*
 * Marks for work whose statements do not name their owner, or concern several. A mark applies to
 * all statements of the work. Domains import only this
 * module and ./each-shard.ts of this folder.
 */

/** Runs work on the data of one owner. */
export const inHomeOf = <T>(ownerId: string, work: () => T): T => withDestination({ home: homeOf(ownerId) }, work);

/**
 * Runs work on the data of an owner and of other owners on the same shard. Other shards need the
 * work afterwards (`inOtherShards`).
 */
export const inShardOf = <T>(ownerId: string, work: () => T): T =>
  withDestination({ shard: shardOfOwner(ownerId) }, work);

/**
 * Runs work on the data of an owner who must be found first, like the owner of an email. With one
 * shard, `find` is not needed, so it does not run.
 * @param find returns the owner's ID. For undefined, the work runs in some home, and finds nothing.
 */
export async function inHomeFoundBy<T>(find: () => Promise<string | undefined>, work: () => Promise<T>): Promise<T> {
  if (!hasSeveralShards()) return inService(work);
  const ownerId = await find();
  return withDestination({ home: ownerId === undefined ? formerHome : homeOf(ownerId) }, work);
}

/** Runs work on data that belongs to the service, such as the search for an account by its email. */
export const inService = <T>(work: () => T): T => withDestination("service", work);

/** Returns a function that runs later work, such as a timer's, where the current work runs. */
export function keepShard(): <T>(work: () => T) => T {
  const to = chosenDestination();
  return (work) => (to ? withDestination(to, work) : work());
}

/**
 * Runs work on the data of all owners, once on each shard.
 * @returns the result on each shard, the directory's first
 * @throws the work's error, or `ShardAway`, after every other shard was visited
 */
export const inEveryShard = <T>(work: (shard: number) => Promise<T>): Promise<T[]> =>
  visitShards(allShards(), work, "fail");

/**
 * Runs work on the data of all owners, once on each shard. A shard that is away is skipped, counted
 * and named in the log.
 * @returns the result on each reachable shard
 * @throws the work's error, or `ShardAway` if all shards are away
 */
export const inReachableShards = <T>(work: (shard: number) => Promise<T>): Promise<T[]> =>
  visitShards(allShards(), work, "skip");

const allShards = () => shards().map(({ number }) => [number, number] as const);

/**
 * Runs work on every other shard than an owner's, after the work on the owner's own shard. A shard
 * that is away is skipped, so a chore must repeat the work. With one shard, it does nothing.
 */
export async function inOtherShards(ownerId: string, work: () => Promise<unknown>): Promise<void> {
  const own = shardOfOwner(ownerId);
  if (hasSeveralShards()) await inReachableShards(async (shard) => void (shard === own || (await work())));
}

/**
 * Runs work on items of several owners, once on each shard that has any of them.
 * @param nameOf returns an item's owner ID, or the hash of an owner's secret
 * @returns the result on each of these shards
 * @throws like `inEveryShard`, after the work on all shards has ended
 */
export const forEachShardOf = <Item, T>(items: readonly Item[], nameOf: NameOf<Item>, work: WorkOn<Item, T>) =>
  visitShardsOf(items, nameOf, work, "fail");

/** Like `forEachShardOf`, but skips shards that are away, like `inReachableShards`. */
export const forEachReachableShardOf = <Item, T>(items: readonly Item[], nameOf: NameOf<Item>, work: WorkOn<Item, T>) =>
  visitShardsOf(items, nameOf, work, "skip");

type NameOf<Item> = (item: Item) => string | Uint8Array;
type WorkOn<Item, T> = (items: Item[]) => Promise<T>;

async function visitShardsOf<Item, T>(
  items: readonly Item[],
  nameOf: NameOf<Item>,
  work: WorkOn<Item, T>,
  away: "skip" | "fail",
): Promise<T[]> {
  await untilResumed(items.map(nameOf));
  return visitShards(groupByShard(items, nameOf), work, away);
}

function groupByShard<Item>(items: readonly Item[], nameOf: NameOf<Item>) {
  const groups = new Map<number, Item[]>();
  for (const item of items) {
    const shard = hasSeveralShards() ? shardNamed(nameOf(item)) : directoryShard;
    const group = groups.get(shard);
    if (group) group.push(item);
    else groups.set(shard, [item]);
  }
  return [...groups];
}
