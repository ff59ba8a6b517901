import { perShard, shardNamed } from "@/lib/database/shards/each-shard";
import { sql } from "@/lib/database/sql";
import { loop } from "@/lib/work/loop";
import { processSingleton } from "@/lib/work/process-singleton";

/**
 * The interval between checks of waiting apps' tokens, in milliseconds, and the maximum number of
 * tokens per query.
 */
const intervalMs = 3_000;
const batchSize = 1_000;

type WatchedToken = { hash: Buffer; ends: Set<() => void> };

const tokens = processSingleton("live tokens", () => new Map<string, WatchedToken>());
/** Checks the watched tokens of each shard. The first listener starts the timer. */
const checks = perShard("token checks", ({ number }) =>
  loop({
    intervalMs,
    failureMessage: "could not check the tokens of waiting apps; the service will retry",
    run: async () => {
      const here: WatchedToken[] = [];
      for (const token of tokens().values()) {
        const shard = shardNamed(token.hash);
        if (shard === number) here.push(token);
        // The token's home may have moved to a shard without a timer.
        else checks.of(shard);
      }
      await checkAll(tokens(), here);
    },
  }),
);

/**
 * Calls the listener within seconds after a token stops working on any instance, and again at each
 * check until the listener is removed. A token stops working when it expires, when it or its
 * grant is revoked, or when a freeze begins. A waiting request needs this, because it runs no statement that would check its
 * token.
 * @returns a function that removes the listener
 */
export function onTokenEnd(hash: Buffer, ended: () => void): () => void {
  const all = tokens();
  const key = hash.toString("latin1");
  const held = all.get(key) ?? { hash, ends: new Set() };
  all.set(key, held);
  held.ends.add(ended);
  checks.of(shardNamed(hash));
  return () => {
    held.ends.delete(ended);
    if (held.ends.size === 0 && all.get(key) === held) all.delete(key);
  };
}

async function checkAll(held: Map<string, WatchedToken>, all: readonly WatchedToken[]) {
  for (let index = 0; index < all.length; index += batchSize) {
    for (const hash of await dead(all.slice(index, index + batchSize).map((each) => each.hash)))
      for (const ended of [...(held.get(hash.toString("latin1"))?.ends ?? [])]) ended();
  }
}

async function dead(hashes: Buffer[]): Promise<Buffer[]> {
  const dead = await sql<{ hash: Buffer }>`
    SELECT shown.hash
    FROM unnest(${hashes}::bytea[]) AS shown(hash)
    WHERE NOT EXISTS (
      SELECT FROM live_token t WHERE t.hash = shown.hash AND NOT t.frozen
    )`.rows();
  return dead.map(({ hash }) => hash);
}
