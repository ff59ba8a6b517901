import { inEveryShard } from "@/lib/database/shards/marks";
import { hasSeveralShards } from "@/lib/database/shards/shard-map";

/**
 * Runs the work of a chore or a loop once per shard, as the service does (lib/serving/background-work.ts).
 * @returns the work's result; the sum of numbers, or the joined lists
 */
export async function atEveryShard<T>(work: () => Promise<T>): Promise<T> {
  if (!hasSeveralShards()) return work();
  const results = await inEveryShard(work);
  const [first] = results;
  if (typeof first === "number") return (results as number[]).reduce((sum, count) => sum + count, 0) as T;
  return (Array.isArray(first) ? results.flat() : first) as T;
}

// biome-ignore lint/suspicious/noExplicitAny: the functions of a module have different parameters.
type Work = (...args: any[]) => Promise<any>;

/** Returns a module whose asynchronous functions each run once per shard. */
export const eachOnEveryShard = <Module extends object>(module: Module): Module =>
  Object.fromEntries(
    Object.entries(module).map(([name, it]) => [
      name,
      typeof it === "function" ? (...args: unknown[]) => atEveryShard(() => (it as Work)(...args)) : it,
    ]),
  ) as Module;
