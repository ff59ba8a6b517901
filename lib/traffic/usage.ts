import type { Scope } from "@/lib/scopes";
import { sql } from "@/lib/sql";
import { perProcess } from "@/lib/work/per-process";
import { tally } from "@/lib/work/tally";

/** A grant's use is written every so often, and that of one grant no more often than once a minute. */
const flushEveryMs = 15_000;
const grantEveryMs = 60_000;

type Usage = {
  /** Not yet written: each grant's scopes used, '' for none, with the time of the last use. */
  waiting: Map<string, Map<string, number>>;
  /** Not yet written: each token, by its hash, with its grant and the time of its last use. */
  tokens: Map<string, { grantId: string; at: number }>;
  /** When each grant was last written. */
  written: Map<string, number>;
};

const usage = perProcess<Usage>("usage", () => ({ waiting: new Map(), tokens: new Map(), written: new Map() }));
const writing = perProcess("writing usage", () =>
  tally({ every: flushEveryMs, problem: "the time of last use was not recorded", write: writeDue }),
);

/** Note that an app just used its grant, which scope it took and with which token. Costs no query; it is written down later. */
export function touch(grantId: string, scope: Scope | null, tokenHash?: Buffer): void {
  const it = usage();
  let scopes = it.waiting.get(grantId);
  if (!scopes) it.waiting.set(grantId, (scopes = new Map()));
  const at = Date.now();
  scopes.set(scope ?? "", at);
  if (tokenHash) it.tokens.set(tokenHash.toString("latin1"), { grantId, at });
  writing().noted();
}

/** Write down every use noted so far. For draining; never throws. */
export const flushUsage = (): Promise<void> => writing().flush();

async function writeDue(all: boolean): Promise<boolean> {
  const it = usage();
  const now = Date.now();
  for (const [grantId, at] of it.written) if (now - at >= grantEveryMs) it.written.delete(grantId);
  const due = [...it.waiting].filter(([grantId]) => all || !it.written.has(grantId));
  if (due.length === 0) return it.waiting.size > 0;
  const grants = new Set(due.map(([grantId]) => grantId));
  const tokens = [...it.tokens].filter(([, { grantId }]) => grants.has(grantId));
  // A time of last use is worth less than the memory of an outage: it is noted again at the next use.
  for (const grantId of grants) it.waiting.delete(grantId);
  for (const [hash] of tokens) it.tokens.delete(hash);
  await write(due, now);
  await writeTokens(tokens, now);
  for (const grantId of grants) it.written.set(grantId, now);
  return it.waiting.size > 0;
}

async function writeTokens(tokens: [string, { at: number }][], now: number) {
  if (tokens.length === 0) return;
  const hashes = tokens.map(([hash]) => Buffer.from(hash, "latin1"));
  await sql`UPDATE token t SET last_used_at = greatest(last_used_at, now() - make_interval(secs => used.age))
    FROM unnest(${hashes}::bytea[], ${tokens.map(([, { at }]) => age(at, now))}::float8[]) AS used (hash, age)
    WHERE t.hash = used.hash AND t.id IN (SELECT id FROM token WHERE hash = ANY (${hashes}) FOR NO KEY UPDATE SKIP LOCKED)`.run();
}

/** In seconds. */
const age = (at: number, now: number) => Math.max(0, now - at) / 1000;

/** Ages, not times: the clock that counts is the database's. Rows another copy is writing are left to it. */
async function write(due: [string, Map<string, number>][], now: number) {
  const ids = due.map(([grantId]) => grantId);
  const ages = due.map(([, scopes]) => age(Math.max(...scopes.values()), now));
  await sql`UPDATE app_grant g SET last_used_at = greatest(last_used_at, now() - make_interval(secs => used.age))
    FROM unnest(${ids}::text[], ${ages}::float8[]) AS used (id, age)
    WHERE g.id = used.id AND g.id IN (SELECT id FROM app_grant WHERE id = ANY (${ids}) FOR NO KEY UPDATE SKIP LOCKED)`.run();
  const uses = due.flatMap(([grantId, scopes]) =>
    [...scopes].flatMap(([scope, at]) => (scope === "" ? [] : [{ grantId, scope, age: age(at, now) }])),
  );
  if (uses.length === 0) return;
  const grantIds = uses.map(({ grantId }) => grantId);
  await sql`UPDATE grant_scope s SET last_used_at = greatest(last_used_at, now() - make_interval(secs => used.age))
    FROM unnest(${grantIds}::text[], ${uses.map(({ scope }) => scope)}::text[], ${uses.map((use) => use.age)}::float8[])
      AS used (id, scope, age)
    WHERE s.grant_id = used.id AND s.scope = used.scope AND (s.grant_id, s.scope) IN (
      SELECT grant_id, scope FROM grant_scope WHERE grant_id = ANY (${grantIds}) FOR NO KEY UPDATE SKIP LOCKED)`.run();
}
