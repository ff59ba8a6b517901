import { pool } from "@/lib/db";

/**
 * What is kept no longer. A used code stays until everything issued from it has expired, since using it again ends that;
 * a decided request and an old sign-in link stay a while to say so.
 */
const spent = [
  ["authorization_code", "expires_at < now() - interval '2 hours'"],
  ["consent_request", "expires_at < now() - interval '1 hour'"],
  ["idempotency", "created_at < now() - interval '24 hours'"],
  ["throttle", "expires_at < now()"],
  ["owner_session", "expires_at < now() OR ended_at < now()"],
  ["passkey_challenge", "expires_at < now()"],
  ["sign_in_link", "expires_at < now() - interval '1 hour'"],
] as const;
const batch = 1000;

/** Delete what has expired, a thousand rows at a time so that nothing waits long. Call it every few minutes. @returns rows */
export async function sweep(): Promise<number> {
  let total = 0;
  for (const [table, condition] of spent) {
    let deleted = batch;
    while (deleted === batch) {
      const { rowCount } = await pool().query(
        `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${batch} FOR UPDATE SKIP LOCKED))`,
      );
      deleted = rowCount ?? 0;
      total += deleted;
    }
  }
  return total;
}
