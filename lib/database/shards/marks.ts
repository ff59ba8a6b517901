import { withDestination } from "@/lib/request-context";
import { homeOf } from "./homes";
import { shards } from "./shard-map";

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
export async function inEveryShard<T>(work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const shard of shards().keys()) results.push(await withDestination({ shard }, work));
  return results;
}
