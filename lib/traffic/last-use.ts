import { clock } from "@/lib/clock";
import { writeGrantsUsed, writeScopesUsed, writeTokensUsed } from "@/lib/grants/token-store";
import type { Scope } from "@/lib/scopes";
import { processSingleton } from "@/lib/work/process-singleton";
import { writeBehind } from "@/lib/work/write-behind";

/**
 * The interval between writes, and the minimum interval between writes of the same grant, in
 * milliseconds.
 */
const flushEveryMs = 15_000;
const grantEveryMs = 60_000;

type Usage = {
  /**
   * The scopes used since the last write, with the time of their last use, by grant. The scope ''
   * stands for none.
   */
  waiting: Map<string, Map<string, number>>;
  /** The grant and the last use of each token whose use is not written yet, by token hash. */
  tokens: Map<string, { grantId: string; at: number }>;
  /** The time of the last write, by grant. */
  written: Map<string, number>;
};

const usage = processSingleton<Usage>("usage", () => ({ waiting: new Map(), tokens: new Map(), written: new Map() }));
const writing = processSingleton("writing usage", () =>
  writeBehind({
    every: flushEveryMs,
    problem: "could not record when tokens were last used; the service will retry",
    write: writeDue,
  }),
);

/**
 * Records an app's use of a grant, scope and token. Sends no query, because a later batch writes
 * the use.
 */
export function recordUsage(grantId: string, scope: Scope | null, tokenHash?: Buffer): void {
  const it = usage();
  let scopes = it.waiting.get(grantId);
  if (!scopes) it.waiting.set(grantId, (scopes = new Map()));
  const usedAt = clock.now();
  scopes.set(scope ?? "", usedAt);
  if (tokenHash) it.tokens.set(tokenHash.toString("latin1"), { grantId, at: usedAt });
  writing().markDirty();
}

/** Writes all recorded uses now, before the process ends. Never throws. */
export const flushUsage = (): Promise<void> => writing().flush();

async function writeDue(all: boolean): Promise<boolean> {
  const it = usage();
  const now = clock.now();
  for (const [grantId, writtenAt] of it.written) if (now - writtenAt >= grantEveryMs) it.written.delete(grantId);
  const due = [...it.waiting].filter(([grantId]) => all || !it.written.has(grantId));
  if (due.length === 0) return it.waiting.size > 0;
  const grants = new Set(due.map(([grantId]) => grantId));
  const tokens = [...it.tokens].filter(([, { grantId }]) => grants.has(grantId));
  // The uses are deleted before the write, because they would fill the memory if they couldn't be
  // written. The next use is recorded again.
  for (const grantId of grants) it.waiting.delete(grantId);
  for (const [hash] of tokens) it.tokens.delete(hash);
  await write(due, now);
  if (tokens.length > 0) await writeTokensUsed(tokens.map((token) => asTokenUse(token, now)));
  for (const grantId of grants) it.written.set(grantId, now);
  return it.waiting.size > 0;
}

/** Returns how long ago a time was, in seconds. */
const age = (time: number, now: number) => Math.max(0, now - time) / 1000;

const asTokenUse = ([hash, { at }]: [string, { at: number }], now: number) => ({
  hash: Buffer.from(hash, "latin1"),
  age: age(at, now),
});

async function write(due: [string, Map<string, number>][], now: number) {
  await writeGrantsUsed(due.map(([grantId, scopes]) => ({ grantId, age: age(Math.max(...scopes.values()), now) })));
  const uses = due.flatMap(([grantId, scopes]) =>
    [...scopes].flatMap(([scope, at]) => (scope === "" ? [] : [{ grantId, scope, age: age(at, now) }])),
  );
  if (uses.length > 0) await writeScopesUsed(uses);
}
