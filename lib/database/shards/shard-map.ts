import { processSingleton } from "@/lib/work/process-singleton";
import { type Destination, type Home, homeCount } from "./homes";

/*
 * The shard map says which PostgreSQL cluster stores which homes. Invariant: every home is in
 * exactly one shard.
 *
 * Today, there is always one shard, and no setting for more. Only tests use several. Before
 * operators can, the following must be added: copies of the service's tables on every shard, a
 * directory of email addresses and passkeys, and of secrets without a home (./homes-in-values.ts),
 * migrations of every shard, transactions that use the directory and an owner's shard (an app's
 * registration and deletion, a consent, a device code), a delivery worker for each shard, gauges
 * and commands that combine the shards' results, and the tool that moves a home. Until then, the
 * directory is on the first shard.
 */

/** One PostgreSQL cluster. */
export type Shard = {
  /** The name by which a router knows the shard. */
  name: string;
  /** The first and the last of the homes that it stores. */
  homes: readonly [first: number, last: number];
  /** The connection string. By default, DATABASE_URL. */
  url?: string;
  /**
   * The router at that address. If set, each statement names the shard in a comment
   * (./router-comment.ts).
   */
  router?: "spqr";
};

/**
 * Rejects statements without a destination, in tests (./statement-routing.ts). `exempts` returns
 * whether a rejected statement is to be sent nevertheless, according to the caller's stack.
 */
export type StatementGuard = { exempts: (problem: string) => boolean };

/** The shard that stores the service's own tables. */
export const directoryShard = 0;

const single: readonly Shard[] = [{ name: "shard_0", homes: [0, homeCount - 1] }];
const state = processSingleton<{ map: readonly Shard[]; guard?: StatementGuard }>("shards", () => ({ map: single }));

/** The shards, by number. */
export const shards = (): readonly Shard[] => state().map;

/** Whether there are several databases, so that each statement needs a destination. */
export const hasSeveralShards = (): boolean => state().map.length > 1;

/** Whether statements need a destination. With one shard and without a guard, nothing is resolved. */
export function isRouted(): boolean {
  const { map, guard } = state();
  return map.length > 1 || guard !== undefined;
}

export const statementGuard = (): StatementGuard | undefined => state().guard;

/** Rejects statements without a destination, or no longer. For tests. */
export function guardStatements(guard: StatementGuard | undefined): void {
  if (guard) state().guard = guard;
  else delete state().guard;
}

/**
 * Replaces the shard map. Open connections remain, so call `disconnect` first. For tests.
 * @throws {Error} unless each home is in exactly one shard, and names can be in a comment
 */
export function setShards(map: readonly Shard[] = single): void {
  for (const { name } of map)
    if (!/^\w+$/.test(name)) throw new Error(`Use only letters, digits and _ in a shard's name, not ${name}`);
  for (let home = 0; home < homeCount; home++)
    if (map.filter(({ homes: [first, last] }) => first <= home && home <= last).length !== 1)
      throw new Error(`Home ${home} must be in exactly one shard`);
  state().map = map;
}

/** Returns the number of the shard that stores a home. */
export const shardOfHome = (home: Home): number =>
  state().map.findIndex(({ homes: [first, last] }) => first <= home && home <= last);

/** Returns the number of the shard that a destination's statements go to. */
export function shardOf(destination: Destination): number {
  if (destination === "service") return directoryShard;
  return "shard" in destination ? destination.shard : shardOfHome(destination.home);
}
