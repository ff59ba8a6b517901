import { pool } from "@/lib/db";
import { log } from "@/lib/log";
import { apart } from "@/lib/request-context";
import { perProcess } from "@/lib/work/per-process";
import { liveToken } from "./admission";

/** How often the tokens of those who wait are looked at, and how many by one statement. */
const everyMs = 3_000;
const atOnce = 1_000;

type Held = { hash: Buffer; ends: Set<() => void> };
type Tokens = { held: Map<string, Held>; timer: NodeJS.Timeout | undefined };

const tokens = perProcess<Tokens>("live tokens", () => ({ held: new Map(), timer: undefined }));

/**
 * Hear within seconds that a token works no longer: revoked, expired, or its grant taken back, on whichever copy. For those
 * whom no statement of their own would tell, because they wait. @returns how to stop
 */
export function whileTokenLives(hash: Buffer, ended: () => void): () => void {
  const it = tokens();
  const key = hash.toString("latin1");
  const held = it.held.get(key) ?? { hash, ends: new Set() };
  it.held.set(key, held);
  held.ends.add(ended);
  it.timer ??= apart(() => setTimeout(() => void check(it), everyMs).unref());
  return () => {
    held.ends.delete(ended);
    if (held.ends.size === 0 && it.held.get(key) === held) it.held.delete(key);
  };
}

async function check(it: Tokens) {
  const all = [...it.held.values()];
  try {
    for (let at = 0; at < all.length; at += atOnce) {
      for (const hash of await dead(all.slice(at, at + atOnce).map((held) => held.hash)))
        for (const ended of [...(it.held.get(hash.toString("latin1"))?.ends ?? [])]) ended();
    }
  } catch (error) {
    log.warn("the tokens of waiting apps were not checked", { reason: String(error) });
  }
  it.timer = it.held.size > 0 ? setTimeout(() => void check(it), everyMs).unref() : undefined;
}

async function dead(hashes: Buffer[]): Promise<Buffer[]> {
  const { rows } = await pool().query<{ hash: Buffer }>({
    name: "dead-tokens",
    text: `SELECT shown.hash FROM unnest($1::bytea[]) AS shown(hash)
      WHERE NOT EXISTS (SELECT FROM ${liveToken} AND t.hash = shown.hash)`,
    values: [hashes],
  });
  return rows.map(({ hash }) => hash);
}
