import { forEachShardOf } from "@/lib/database/shards/marks";

/**
 * Writes records of several owners, with one call for the owners of each shard.
 * @param ownerOf returns a record's owner ID
 */
export const writeByOwner = async <Of>(
  records: readonly Of[],
  ownerOf: (record: Of) => string,
  write: (some: Of[]) => Promise<unknown>,
): Promise<void> => void (await forEachShardOf(records, ownerOf, write));
