import { db } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { install, lockKeys, newKey } from "./receipt-keys";

/**
 * The result of a revocation. `since` is the recorded time of the theft, and `replacement` the ID
 * of the new signing key if the revoked key was the current one.
 */
export type Revocation =
  | { done: true; since: Date; replacement?: string }
  /** `later`: the key is already revoked since the earlier time `since`. */
  | { done: false; problem: "unknown" | "future" }
  | { done: false; problem: "later"; since: Date };

/**
 * Revokes a key that others may have had since this time. Verifiers then reject its receipts,
 * except those that they received earlier according to their own records. If the key is the current
 * one, a new key replaces it. A repeated revocation can only set an earlier time, because a later
 * time would make rejected receipts valid again.
 */
export async function revokeReceiptKey(kid: string, since: Date): Promise<Revocation> {
  const created = await newKey();
  return db.$transaction(async (tx): Promise<Revocation> => {
    await lockKeys(tx);
    const found = await sql<{ current: boolean; since: Date | null; future: boolean }>`
      SELECT retired_at IS NULL AS current, revoked_since AS since,
        ${since}::timestamptz > clock_timestamp() AS future
      FROM receipt_key
      WHERE id = ${kid}`.row(tx);
    if (!found) return { done: false, problem: "unknown" };
    if (found.future) return { done: false, problem: "future" };
    if (found.since && found.since < since) return { done: false, problem: "later", since: found.since };
    if (found.current) await install(tx, created);
    await sql`
      UPDATE receipt_key
      SET revoked_since = ${since}, revoked_at = coalesce(revoked_at, clock_timestamp())
      WHERE id = ${kid}`.run(tx);
    return { done: true, since, ...(found.current && { replacement: created.kid }) };
  });
}
