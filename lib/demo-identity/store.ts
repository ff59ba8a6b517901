import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Adapter, AdapterPayload } from "oidc-provider";

/** The provider's records: by type and ID, with their expiry (epoch milliseconds). */
type Kept = { kind: string; id: string; payload: AdapterPayload; until?: number };

/** Records that outlive a restart: grants and their tokens. The rest expire within minutes. */
const lasting = ["Grant", "RefreshToken", "AccessToken"];

/**
 * An identity provider's storage, for one process at a time.
 * @param file where lasting records are written before anyone learns of them; without a file they
 *   stay in memory
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
  /** Revoke everything that was granted for an account. */
  const revoke = (accountId: string) => forget(({ payload }) => payload.accountId === accountId);
  return { adapter, revoke };
}

const alive = ({ until }: Kept) => until === undefined || until > Date.now();

function read(file: string | undefined): Kept[] {
  if (!file) return [];
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Kept[];
  } catch {
    // No file yet, or an unreadable one: people must consent again.
    return [];
  }
}
