import { forEachShardOf } from "@/lib/database/shards/marks";

/**
 * Runs work on deliveries that are being sent, once on each shard. An owner can move to another
 * shard, together with the lease, while a delivery is being sent.
 */
export const onTheirShards = <Item, T>(
  items: readonly Item[],
  ownerOf: (item: Item) => string,
  work: (some: Item[]) => Promise<T>,
): Promise<T[]> => forEachShardOf(items, ownerOf, work);
