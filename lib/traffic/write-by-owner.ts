import { forEachShardOf } from "@/lib/database/shards/marks";

/**
 * Writes records of several owners, with one call for the owners of each shard.
 * @param ownerOf returns a record's owner ID
 * @param keep gets the records that could not be written, for example because their shard is away
 * @throws the first error, after all shards
 */
export const writeByOwner = async <Of>(
  records: readonly Of[],
  ownerOf: (record: Of) => string,
  write: (some: Of[]) => Promise<unknown>,
  keep: (some: Of[]) => void,
): Promise<void> => {
  await forEachShardOf(records, ownerOf, async (some) => {
    try {
      await write(some);
    } catch (error) {
      keep(some);
      throw error;
    }
  });
};
