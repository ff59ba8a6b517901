import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Adapter, AdapterPayload } from "oidc-provider";

/** What the provider keeps: by its kind and id, until when (epoch milliseconds). */
type Kept = { kind: string; id: string; payload: AdapterPayload; until?: number };

/** What outlives a restart: who let us in, and the tokens of that. The rest is over within minutes. */
const lasting = ["Grant", "RefreshToken", "AccessToken"];

/**
 * The memory of an identity provider, for one process at a time.
 * @param file where what lasts is written down before anybody is told of it; only in memory without one
 */
export function openStore(file?: string) {
  const all = new Map<string, Kept>(read(file).map((kept) => [`${kept.kind}:${kept.id}`, kept]));
  const changed = (kind: string) => {
    if (!file || !lasting.includes(kind)) return;
    const rows = [...all.values()].filter((kept) => lasting.includes(kept.kind) && alive(kept));
    writeFileSync(`${file}.new`, JSON.stringify(rows), { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  };
  const forget = (which: (kept: Kept) => boolean) => {
    const gone = [...all].filter(([, kept]) => which(kept));
    for (const [key] of gone) all.delete(key);
    for (const kind of new Set(gone.map(([, kept]) => kept.kind))) changed(kind);
  };
  const found = async (kept: Kept | undefined) => (kept && alive(kept) ? kept.payload : undefined);
  const adapter = (kind: string): Adapter => ({
    async upsert(id, payload, seconds) {
      for (const [key, kept] of all) if (!alive(kept)) all.delete(key);
      all.set(`${kind}:${id}`, { kind, id, payload, ...(seconds && { until: Date.now() + seconds * 1000 }) });
      changed(kind);
    },
    find: (id) => found(all.get(`${kind}:${id}`)),
    findByUid: (uid) => found([...all.values()].find((kept) => kept.kind === kind && kept.payload.uid === uid)),
    findByUserCode: async () => undefined,
    async consume(id) {
      const kept = all.get(`${kind}:${id}`);
      if (kept) kept.payload = { ...kept.payload, consumed: Math.floor(Date.now() / 1000) };
      changed(kind);
    },
    destroy: async (id) => forget((kept) => kept.kind === kind && kept.id === id),
    revokeByGrantId: async (grantId) => forget(({ payload }) => payload.grantId === grantId),
  });
  /** Take back whatever was given for an account. */
  const revoke = (accountId: string) => forget(({ payload }) => payload.accountId === accountId);
  return { adapter, revoke };
}

const alive = ({ until }: Kept) => until === undefined || until > Date.now();

function read(file: string | undefined): Kept[] {
  if (!file) return [];
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Kept[];
  } catch {
    // Nothing yet, or nothing that could be read: then those who were let in are asked again.
    return [];
  }
}
