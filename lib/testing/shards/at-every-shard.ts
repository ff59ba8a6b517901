import { homesIn } from "@/lib/database/shards/homes-in-values";
import { inEveryShard } from "@/lib/database/shards/marks";
import { directoryShard, hasSeveralShards, shardOfHome } from "@/lib/database/shards/shard-map";

/**
 * Runs the work of a chore or a loop once per shard, as the service does (lib/serving/background-work.ts).
 * @returns the work's result; the sum of numbers, or the joined lists
 */
export async function atEveryShard<T>(work: (shard: number) => Promise<T>): Promise<T> {
  if (!hasSeveralShards()) return work(directoryShard);
  const results = (await inEveryShard(work)).filter((it) => it !== undefined);
  const [first] = results;
  if (typeof first === "number") return (results as number[]).reduce((sum, count) => sum + count, 0) as T;
  return (Array.isArray(first) ? results.flat() : first) as T;
}

// biome-ignore lint/suspicious/noExplicitAny: the functions of a module have different parameters.
type Work = (...args: any[]) => Promise<any>;

/**
 * Returns a module whose asynchronous functions each run once per shard. A shard gets only its own
 * owners of a list, and no call about an owner of another shard.
 */
export const eachOnEveryShard = <Module extends object>(module: Module): Module =>
  Object.fromEntries(
    Object.entries(module).map(([name, it]) => [
      name,
      typeof it === "function" ? (...args: unknown[]) => onTheirShards(it as Work, args) : it,
    ]),
  ) as Module;

async function onTheirShards(work: Work, args: unknown[]) {
  if (!hasSeveralShards()) return work(...args);
  const isHere = (shard: number) => (value: unknown) =>
    homesIn([value]).sure.every((home) => shardOfHome(home) === shard);
  return atEveryShard(async (shard) => {
    const own = args.map((arg) => (Array.isArray(arg) ? arg.filter(isHere(shard)) : arg));
    return own.every(isHere(shard)) ? work(...own) : undefined;
  });
}
