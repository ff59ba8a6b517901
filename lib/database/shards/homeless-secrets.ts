import { formerHome, homeOf } from "./homes";
import { isUnlocated, rememberHome } from "./homes-in-values";
import { hasSeveralShards, placement, shardOfHome, shards } from "./shard-map";
import { inShard } from "./statement-routing";

/*
 * A secret without a home belongs to home 0, or an instance of a version from before homes issued it
 * to an owner with another home during an upgrade. Such a secret is looked up before its first
 * statement: on the shard of home 0, and then on the others. Each process remembers what it found,
 * because an owner's home never changes. An unknown secret is not remembered, and costs a statement
 * on every shard.
 */

/**
 * Finds the home of a secret whose text contains none, and remembers it beside the secret's hash.
 * @param ownerOf returns the owner of the secret, if the current shard has it
 * @returns undefined if the home is known, or if there is one database
 * @throws {Error} if the secret is on no reachable shard, and a shard is away
 */
export const locateHash = (hash: Uint8Array, ownerOf: () => Promise<string | undefined>): Promise<void> | undefined =>
  hasSeveralShards() && isUnlocated(hash) ? locate(hash, ownerOf) : undefined;

async function locate(hash: Uint8Array, ownerOf: () => Promise<string | undefined>): Promise<void> {
  for (;;) {
    const { version } = placement();
    const owner = await find(ownerOf);
    if (owner !== undefined) return rememberHome(hash, homeOf(owner));
    // Otherwise, the owner may have moved from a shard that was not asked yet to one that was.
    if (placement().version === version) return;
  }
}

async function find(ownerOf: () => Promise<string | undefined>): Promise<string | undefined> {
  const failures: unknown[] = [];
  const ask = (shard: number) =>
    inShard(shard, ownerOf).catch((error) => {
      failures.push(error);
      return undefined;
    });
  const first = shardOfHome(formerHome);
  const others = shards().filter(({ number }) => number !== first);
  const owner = (await ask(first)) ?? (await Promise.all(others.map(({ number }) => ask(number)))).find(Boolean);
  if (owner === undefined && failures.length > 0) throw failures[0];
  return owner;
}
