import { isInDirectory, isOneDatabase } from "@/lib/database/shards/each-shard";
import { forEachShardOf, inHomeOf, inReachableShards } from "@/lib/database/shards/marks";

/*
 * With several databases, a delivery is in the database of its event's owner. The endpoint is in
 * the directory, and every database has a copy that only PostgreSQL's replication changes.
 */

/**
 * Runs work on deliveries that are being sent, once on each shard. An owner can move to another
 * shard, together with the lease, while a delivery is being sent.
 */
export const onTheirShards = <Item, T>(
  items: readonly Item[],
  ownerOf: (item: Item) => string,
  work: (some: Item[]) => Promise<T>,
): Promise<T[]> => forEachShardOf(items, ownerOf, work);

/** Whether one statement can change deliveries of the current work together with their endpoints. */
export const hasEndpointsHere = isInDirectory;

export { isOneDatabase };

/** Runs work in the database of an endpoint's owner. */
export const withEndpointOwner = inHomeOf;

/** The results of work on the deliveries of all owners. */
export type OnShards<T> = {
  /** The results on the reachable shards, the directory's first. */
  results: T[];
  /** Whether no shard was skipped. */
  isComplete: boolean;
};

/** Runs work on the deliveries of all owners. A shard that is away is skipped. */
export async function onReachableShards<T>(work: () => Promise<T>): Promise<OnShards<T>> {
  let visits = 0;
  const results = await inReachableShards(() => {
    visits++;
    return work();
  });
  return { results, isComplete: results.length === visits };
}
