import { sql } from "@/lib/database/sql";
import { loop } from "@/lib/work/loop";
import { processSingleton } from "@/lib/work/process-singleton";

/** How often the tokens of those who wait are looked at, and how many by one statement. */
const everyMs = 3_000;
const atOnce = 1_000;

type Held = { hash: Buffer; ends: Set<() => void> };

/** Begun by the first who waits. */
const tokens = processSingleton("live tokens", () => {
  const held = new Map<string, Held>();
  const problem = "the tokens of waiting apps were not checked";
  loop({ intervalMs: everyMs, failureMessage: problem, run: () => check(held) });
  return held;
});

/**
 * Hear within seconds that a token works no longer: revoked, expired, or its grant taken back, on whichever copy. For those
 * whom no statement of their own would tell, because they wait. @returns how to stop
 */
export function onTokenEnd(hash: Buffer, ended: () => void): () => void {
  const all = tokens();
  const key = hash.toString("latin1");
  const held = all.get(key) ?? { hash, ends: new Set() };
  all.set(key, held);
  held.ends.add(ended);
  return () => {
    held.ends.delete(ended);
    if (held.ends.size === 0 && all.get(key) === held) all.delete(key);
  };
}

async function check(held: Map<string, Held>) {
  const all = [...held.values()];
  for (let at = 0; at < all.length; at += atOnce) {
    for (const hash of await dead(all.slice(at, at + atOnce).map((each) => each.hash)))
      for (const ended of [...(held.get(hash.toString("latin1"))?.ends ?? [])]) ended();
  }
}

async function dead(hashes: Buffer[]): Promise<Buffer[]> {
  const dead = await sql<{ hash: Buffer }>`SELECT shown.hash FROM unnest(${hashes}::bytea[]) AS shown(hash)
    WHERE NOT EXISTS (SELECT FROM live_token t WHERE t.hash = shown.hash)`.rows();
  return dead.map(({ hash }) => hash);
}
