import { type Executor, sql } from "@/lib/database/sql";
import { acceptedKeys, key, retainKeys, seal, unseal } from "./crypto";

/*
 * All keys derive from SECRET, but some of them must stay the same when the operator replaces
 * SECRET. These keys only name or compare values: they hash random tokens, or identify the service
 * to push services. Stored values and other programs depend on them, so no overlap would ever end.
 * The first "secret rotate" therefore stores them, encrypted under the new SECRET. No other key is
 * retained, because a former SECRET must not open a session, a link or a stored value.
 *
 * All instances use the same retained keys at all times: until "secret rotate" stores them, they
 * derive from the secret that `secret_check` identifies.
 */

/** The purposes of retained keys. */
export const retainedPurposes = [
  // Hashes of tokens, client secrets, codes and links, which have at least 60 random bits.
  "token-pepper",
  // Derived IDs and codes that are computed again.
  "code-family",
  "user-code",
  // Hashes of values that are compared with earlier ones.
  "refresh-network",
  "throttle",
  // IDs of events, which apps store as cursors.
  "event-id",
  // Browsers accept alerts only from the VAPID key with which they subscribed.
  "vapid",
  "vapid 2",
] as const;

/** The purpose under which retained keys are encrypted. */
export const sealedWith = "retained-keys";

/**
 * Loads the retained keys into this process.
 * @param dependsOnPrevious whether the database still depends on SECRET_PREVIOUS
 * @throws if a stored key can't be decrypted with SECRET or SECRET_PREVIOUS
 */
export async function loadRetainedKeys(dependsOnPrevious: boolean): Promise<void> {
  const rows = await sql<{ purpose: string; sealed: Uint8Array }>`
    SELECT purpose, sealed
    FROM retained_key`.rows();
  // The derived keys must not come from an earlier call.
  retainKeys(new Map());
  const keys = new Map<string, Buffer>();
  for (const purpose of dependsOnPrevious ? retainedPurposes : []) {
    const previous = acceptedKeys(purpose).at(-1);
    if (previous) keys.set(purpose, previous);
  }
  for (const { purpose, sealed } of rows) keys.set(purpose, Buffer.from(unseal(sealedWith, sealed, purpose), "base64"));
  retainKeys(keys);
}

/** Stores this process's retained keys, encrypted under SECRET, which has just replaced another secret. */
export async function storeRetainedKeys(on: Executor): Promise<void> {
  for (const purpose of retainedPurposes) {
    await sql`
      INSERT INTO retained_key (purpose, sealed)
      VALUES (${purpose}, ${seal(sealedWith, key(purpose).toString("base64"), purpose)})
      ON CONFLICT (purpose) DO UPDATE SET sealed = excluded.sealed, sealed_at = now()`.run(on);
  }
}

/** Deletes the retained keys, because nothing that depends on them may remain valid. */
export async function deleteRetainedKeys(on: Executor): Promise<void> {
  await sql`DELETE FROM retained_key`.run(on);
  retainKeys(new Map());
}

/** Returns when SECRET last replaced another secret with an overlap. */
export async function lastRotation(): Promise<Date | undefined> {
  const found = await sql<{ at: Date | null }>`SELECT max(sealed_at) AS at FROM retained_key`.row();
  return found?.at ?? undefined;
}
