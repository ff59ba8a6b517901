import { env } from "@/lib/config/env";
import { asAppError } from "@/lib/errors";
import { chosenDestination, startingFor, withDestination } from "@/lib/request-context";
import { counter } from "@/lib/telemetry/declare-metrics";
import { failureReporter } from "@/lib/work/failure-reporter";
import { processSingleton } from "@/lib/work/process-singleton";
import { type Home, readHome } from "./homes";
import { homesIn } from "./homes-in-values";
import { untilHomesResumed } from "./moves/pause-gate";
import { serviceTables } from "./service-tables";
import {
  directoryShard,
  hasSeveralShards,
  onPlacement,
  placement,
  type Shard,
  shardNumbered,
  shardOf,
  shardOfHome,
  shards,
} from "./shard-map";

/*
 * Work for all owners runs once per shard, independently: a shard that is away stops only the work
 * of its own owners. There are three forms. Background work, such as loops and workers, is started
 * for each shard (`onEachShard`), so its code need not mention shards. State with a loop of its own
 * exists once per shard (`perShard`). A visit (`inEveryShard`, `inReachableShards` in ./marks.ts)
 * runs on all shards at the same time, and either fails for a shard that is away, or skips, counts
 * and names it.
 */

type Stop = () => Promise<void>;

/** The start of a shard's background work. Log lines name the shard if there are several. */
const startOf = ({ number: shard, name }: Shard) => ({
  destination: { shard },
  about: () => (hasSeveralShards() ? { shard: name } : {}),
});

/**
 * Starts background work once for each shard, also for shards that are added later.
 * @param start starts the work; its statements go to the shard
 * @returns a function that stops the work on all shards
 */
export function onEachShard(start: () => Stop): Stop {
  const running = new Map<number, Stop>();
  const ending = new Set<Promise<void>>();
  const adjust = () => {
    for (const shard of shards())
      if (!running.has(shard.number)) running.set(shard.number, startingFor(startOf(shard), start));
    for (const [number, stop] of running)
      if (!shards().some((shard) => shard.number === number)) {
        running.delete(number);
        const ended = stop().finally(() => ending.delete(ended));
        ending.add(ended);
      }
  };
  const unsubscribe = onPlacement(adjust);
  adjust();
  return async () => {
    unsubscribe();
    await Promise.all([...ending, ...[...running.values()].map((stop) => stop())]);
  };
}

/** A shard, as its work sees it. */
export type OneShard = {
  readonly number: number;
  /** Returns the address of the shard's PostgreSQL, without a router or pooler. */
  directUrl(): string;
  /** Runs work whose statements go to the shard. */
  run<T>(work: () => T): T;
};

const oneShard = ({ number, url, directUrl = url }: Shard): OneShard => ({
  number,
  directUrl: () => directUrl ?? env().directUrl,
  run: (work) => withDestination({ shard: number }, work),
});

/** Values of which each shard has its own. They are created on first use. */
export type PerShard<T> = {
  of(shard: number): T;
  ofOwner(ownerId: string): T;
  /** The values that exist. */
  all(): Iterable<T>;
};

/**
 * Creates a value once for each shard, such as a loop with its state.
 * @param name a name that is unique in the program
 * @param make creates the value; its loops and workers belong to the shard
 */
export function perShard<T>(name: string, make: (shard: OneShard) => T): PerShard<T> {
  const made = processSingleton(name, () => new Map<number, T>());
  const of = (number: number) => {
    let value = made().get(number);
    if (value === undefined) {
      const shard = shardNumbered(number);
      made().set(number, (value = startingFor(startOf(shard), () => make(oneShard(shard)))));
    }
    return value;
  };
  return { of, ofOwner: (ownerId) => of(shardOfOwner(ownerId)), all: () => made().values() };
}

/** Returns the number of an owner's shard, or the directory's for any other text. */
export function shardOfOwner(ownerId: string): number {
  const home = hasSeveralShards() ? readHome(ownerId.slice(14, 16)) : undefined;
  return home === undefined ? directoryShard : shardOfHome(home);
}

/** Returns the numbers of the shards that store homes. */
export const shardsWithHomes = (): number[] => [...new Set(Array.from(placement().homes))];

/** Whether there is one database, so that one transaction can change the data of several owners. */
export const isOneDatabase = (): boolean => !hasSeveralShards();

/** Whether an owner's data is in the directory's database. With one database, it always is. */
export const isOwnerInDirectory = (ownerId: string): boolean => shardOfOwner(ownerId) === directoryShard;

/**
 * Subscribes to moves of homes to other shards.
 * @param listener receives a function that returns whether an owner's data moved
 * @returns a function that unsubscribes
 */
export function onOwnersMoved(listener: (hasMoved: (ownerId: string) => boolean) => void): () => void {
  let before = placement().homes;
  return onPlacement(({ homes }) => {
    const former = before;
    before = homes;
    listener((ownerId) => {
      const home = readHome(ownerId.slice(14, 16));
      return home !== undefined && former[home] !== homes[home];
    });
  });
}

/**
 * Returns the number of the shard that stores an owner.
 * @param name the owner's ID, or the hash of an owner's secret
 * @throws {Error} if the value names no home
 */
export function shardNamed(name: string | Uint8Array): number {
  return hasSeveralShards() ? shardOfHome(homeNamed(name)) : directoryShard;
}

/** @throws {Error} if the value names no home */
function homeNamed(name: string | Uint8Array): Home {
  const { sure, likely } = homesIn([name]);
  const home = sure[0] ?? likely;
  if (home === undefined) throw new Error("The value names no owner");
  return home;
}

/**
 * Waits until no named owner is moving to another shard. Nothing may wait between this and the work
 * on the shards that `shardNamed` then returns.
 */
export const untilResumed = async (names: readonly (string | Uint8Array)[]): Promise<void> => {
  if (placement().paused.size > 0) await untilHomesResumed(names.map(homeNamed));
};

/** Whether a table belongs to the service, so that its rows are in the directory. */
export const isTableOfService = (table: string): boolean => serviceTables.has(table);

/** Whether the current work concerns the directory: because of its mark, or because it has none. */
export function isInDirectory(): boolean {
  const to = chosenDestination();
  return to === undefined || shardOf(to) === directoryShard;
}

/** Thrown for work that requires every shard, if one is away. The message names the shard. */
export class ShardAway extends Error {
  /** SQLSTATE sqlclient_unable_to_establish_sqlconnection, so that a request returns 503. */
  readonly code = "08001";

  constructor(name: string, options: { cause: unknown }) {
    super(`The shard ${name} is unavailable: ${String(options.cause)}`, options);
  }
}

const skipped = counter(
  "countersign_shard_skipped_total",
  "Visits of all shards that skipped a shard because the shard was unavailable, by shard.",
  "shard",
);
const skips = perShard("skips of shards", () =>
  failureReporter("a shard is unavailable; work for all owners skips the shard until it is back"),
);

/**
 * Runs work on shards at the same time.
 * @param visits the shards' numbers, each with what the work gets
 * @param away whether a shard that is unavailable is skipped, or fails the visit
 */
export async function visitShards<Of, T>(
  visits: readonly (readonly [shard: number, of: Of])[],
  work: (of: Of) => Promise<T>,
  away: "skip" | "fail",
): Promise<T[]> {
  const visit = ([shard, of]: readonly [number, Of]) => withDestination({ shard }, () => work(of));
  if (!hasSeveralShards()) return settleAll(visits.map(visit));
  const results: { value: T }[] = [];
  const missed: ShardAway[] = [];
  const reached = visits.map(async (each, index) => {
    const [shard] = each;
    try {
      results[index] = { value: await visit(each) };
      skips.of(shard).succeeded();
    } catch (error) {
      if (asAppError(error)?.status !== 503) throw error;
      missed.push(new ShardAway(nameOf(shard), { cause: error }));
      if (away === "fail") return;
      skipped([nameOf(shard)]);
      skips.of(shard).failed(error);
    }
  });
  await settleAll(reached);
  // Nothing was reached, so the work was not done at all.
  const [first] = missed;
  if (first && (away === "fail" || missed.length === visits.length)) throw first;
  return results.filter((it) => it !== undefined).map(({ value }) => value);
}

const nameOf = (number: number) => shards().find((shard) => shard.number === number)?.name ?? String(number);

/** Waits for all work. @throws the first error, once no work is running */
export async function settleAll<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(work);
  const failed = settled.find((it) => it.status === "rejected");
  if (failed) throw failed.reason;
  return settled.map((it) => (it as PromiseFulfilledResult<T>).value);
}
