import { processSingleton } from "@/lib/work/process-singleton";
import { type Destination, type Home, homeCount } from "./homes";

/*
 * The shard map says which PostgreSQL stores which homes, as this process knows it. The directory
 * has the truth, in the tables `shard` and `home_placement` (./placement/read-placement.ts).
 * Invariant: every home is in exactly one shard.
 *
 * Without the setting SHARDS, there is one shard, and production resolves no destinations.
 */

/** One PostgreSQL that stores owners. */
export type Shard = {
  /** The permanent number. The directory has the number 0. */
  readonly number: number;
  /** The name in SHARDS, by which a router also knows the shard. The directory is `main`. */
  readonly name: string;
  /** The connection string for statements. By default, DATABASE_URL. */
  readonly url?: string;
  /**
   * The connection string for LISTEN, migrations and moves, without a router. By default,
   * DATABASE_DIRECT_URL for the directory, and `url` for other shards.
   */
  readonly directUrl?: string;
};

/** The shards, and the shard of each home. */
export type Placement = {
  /** All known shards, the directory first. */
  readonly shards: readonly Shard[];
  /** The number of each home's shard. */
  readonly homes: ArrayLike<number>;
  /** The homes whose statements must wait, because they are about to change their shard. */
  readonly paused: ReadonlySet<number>;
  /** The shards between which homes are moving while they are paused. */
  readonly pausedShards: ReadonlySet<number>;
  /** The number of changes to the placement before this one. */
  readonly version: number;
};

/** Rejects statements without a destination, in tests (./statement-routing.ts). */
export type StatementGuard = {
  /** Whether a rejected statement is to be sent nevertheless, according to the caller's stack. */
  readonly exempts: (problem: string) => boolean;
  /** Sends a statement to all databases; undefined if the statement must have a destination. */
  readonly everywhere?: <T>(statement: Sent, send: (shard: number) => Promise<T>) => Promise<T> | undefined;
};
type Sent = { readonly text: string; readonly values: readonly unknown[]; readonly ofService?: boolean };

/** The shard that stores the service's own tables. */
export const directoryShard = 0;
/** The directory's name as a shard. */
export const directoryName = "main";

const unplaced: Placement = {
  shards: [{ number: directoryShard, name: directoryName }],
  homes: new Uint8Array(homeCount),
  paused: new Set(),
  pausedShards: new Set(),
  version: 0,
};

type Listener = (placement: Placement) => unknown;
const state = processSingleton<{
  placement: Placement;
  listeners: Set<Listener>;
  /** Whether the setting SHARDS is set. The second shard can then appear at any time. */
  expectsShards: boolean;
  /** The numbers of shards that this process must not use yet, because they lack migrations. */
  unprepared: ReadonlySet<number>;
  guard?: StatementGuard;
}>("shards", () => ({ placement: unplaced, listeners: new Set(), expectsShards: false, unprepared: new Set() }));

/** The known shards, the directory first. */
export const shards = (): readonly Shard[] => state().placement.shards;

/** The shards and homes as this process knows them. */
export const placement = (): Placement => state().placement;

/** Whether there are several databases, so that each statement needs a destination. */
export const hasSeveralShards = (): boolean => state().placement.shards.length > 1;

/** Whether statements need a destination. Without SHARDS and a guard, nothing is resolved. */
export function isRouted(): boolean {
  const { expectsShards, guard, placement: known } = state();
  return expectsShards || guard !== undefined || known.shards.length > 1;
}

/** Resolves destinations from now on, because a second shard can appear at any time. */
export function expectShards(isExpected = true): void {
  state().expectsShards = isExpected;
}

export const statementGuard = (): StatementGuard | undefined => state().guard;

/** Rejects statements without a destination, or no longer. For tests. */
export function guardStatements(guard: StatementGuard | undefined): void {
  if (guard) state().guard = guard;
  else delete state().guard;
}

/**
 * Replaces the placement, and notifies the listeners.
 * @returns a promise that resolves once all listeners' promises have settled
 */
export async function setPlacement(next: Placement = unplaced): Promise<void> {
  state().placement = next;
  await Promise.allSettled([...state().listeners].map(async (listener) => listener(next)));
}

/**
 * Subscribes to changes of the placement. This instance reports the new version to the directory
 * after the listener's promise has settled.
 * @returns a function that unsubscribes
 */
export function onPlacement(listener: Listener): () => void {
  state().listeners.add(listener);
  return () => void state().listeners.delete(listener);
}

/**
 * Places ranges of homes on shards, whose numbers are their positions. Open connections remain, so
 * call `disconnect` first. For tests.
 * @throws {Error} unless each home is in exactly one shard, and names can be in a comment
 */
export function setShards(
  ranges?: readonly (Omit<Shard, "number"> & { homes: readonly [first: number, last: number] })[],
): void {
  if (!ranges) return void setPlacement();
  for (const { name } of ranges)
    if (!/^\w+$/.test(name)) throw new Error(`Use only letters, digits and _ in a shard's name, not ${name}`);
  const homes = Array.from({ length: homeCount }, (_, home) => {
    const here = [...ranges.keys()].filter((at) => {
      const [first, last] = ranges[at]!.homes;
      return first <= home && home <= last;
    });
    if (here.length !== 1) throw new Error(`Home ${home} must be in exactly one shard`);
    return here[0]!;
  });
  const numbered = ranges.map(({ homes: _, ...shard }, number) => ({ ...shard, number }));
  void setPlacement({ ...unplaced, shards: numbered, homes });
}

/** Returns the number of the shard that stores a home. */
export const shardOfHome = (home: Home): number => state().placement.homes[home] as number;

/**
 * Returns the shard with a number.
 * @throws {UnusableShard} if the setting SHARDS of this instance does not list the shard
 */
export function shardNumbered(number: number): Shard {
  const found = shards().find((shard) => shard.number === number);
  if (!found) throw new UnusableShard(`SHARDS of this instance lacks the shard with the number ${number}`);
  return found;
}

/** Sets the numbers of the shards that this process must not use yet. */
export function setUnprepared(numbers: ReadonlySet<number>): void {
  state().unprepared = numbers;
}

/** Whether this process can use a shard, which may nevertheless be away. */
export const isUsable = (number: number): boolean => !state().unprepared.has(number);

/**
 * Returns the shard with a number, for its first connection.
 * @throws {UnusableShard} if this process must not use the shard
 */
export function usableShard(number: number): Shard {
  const shard = shardNumbered(number);
  if (!isUsable(number))
    throw new UnusableShard(`The shard ${shard.name} was unavailable at startup, and is not prepared yet`);
  return shard;
}

/** Thrown for a shard that this process can't use. Requests return 503. */
export class UnusableShard extends Error {
  /** SQLSTATE sqlclient_unable_to_establish_sqlconnection. */
  readonly code = "08001";
}

/** Returns the number of the shard that a destination's statements go to. */
export function shardOf(destination: Destination): number {
  if (destination === "service") return directoryShard;
  return "shard" in destination ? destination.shard : shardOfHome(destination.home);
}
