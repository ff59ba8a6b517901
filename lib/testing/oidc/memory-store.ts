import type { Adapter, AdapterPayload } from "oidc-provider";

/** One of the provider's records, with its expiry (epoch milliseconds). */
type StoredRecord = { kind: string; id: string; payload: AdapterPayload; until?: number };

/** Creates an identity provider's storage, in memory. */
export function openStore() {
  const all = new Map<string, StoredRecord>();
  const forget = (which: (kept: StoredRecord) => boolean) => {
    for (const [key, kept] of all) if (which(kept)) all.delete(key);
  };
  const found = async (kept: StoredRecord | undefined) => (kept && alive(kept) ? kept.payload : undefined);
  const adapter = (kind: string): Adapter => ({
    async upsert(id, payload, seconds) {
      forget((kept) => !alive(kept));
      all.set(`${kind}:${id}`, { kind, id, payload, ...(seconds && { until: Date.now() + seconds * 1000 }) });
    },
    find: (id) => found(all.get(`${kind}:${id}`)),
    findByUid: (uid) => found([...all.values()].find((kept) => kept.kind === kind && kept.payload.uid === uid)),
    findByUserCode: async () => undefined,
    async consume(id) {
      const kept = all.get(`${kind}:${id}`);
      if (kept) kept.payload = { ...kept.payload, consumed: Math.floor(Date.now() / 1000) };
    },
    destroy: async (id) => forget((kept) => kept.kind === kind && kept.id === id),
    revokeByGrantId: async (grantId) => forget(({ payload }) => payload.grantId === grantId),
  });
  /** Revokes everything that was granted for an account. */
  const revoke = (accountId: string) => forget(({ payload }) => payload.accountId === accountId);
  return { adapter, revoke };
}

const alive = ({ until }: StoredRecord) => until === undefined || until > Date.now();
