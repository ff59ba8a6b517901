import type { AppActor } from "@/lib/actor";
import type { ExpiryRule } from "@/lib/database/expired-row-sweeper";
import { type Sql, sql } from "@/lib/database/sql";
import { badRequest, idempotencyKeyReused } from "@/lib/errors";
import { sha256 } from "@/lib/keys/crypto";
import { authenticate } from "../access/authorization";
import { withAdvisoryLock } from "./advisory-lock";

/** A stored response. `warnings` are for the developer, and are not stored. */
type Reply = { status: number; text: string; warnings?: readonly string[] | undefined };

/**
 * Validates an idempotency key.
 * @throws {AppError} 400 unless it is 1 to 255 printable ASCII characters
 */
export function validateIdempotencyKey(key: string): void {
  if (!/^[\x20-\x7e]{1,255}$/.test(key) || key.trim() === "")
    throw badRequest("Idempotency-Key must be 1 to 255 printable ASCII characters");
}

/**
 * Runs work once per idempotency key. The work and its stored response are one transaction, so that
 * a crash leaves both or neither. A failure is not stored. Concurrent requests with the key wait
 * for a lock.
 * @param request the request to which the key belongs; a different request with the key is rejected
 * with 422
 */
export async function runIdempotent(
  app: AppActor,
  operation: string,
  key: string,
  request: Buffer,
  work: () => Promise<Reply>,
): Promise<Reply & { replayed: boolean }> {
  const { ownerId, appId } = await authenticate(app);
  const call = { ownerId, appId, operation, key };
  const hash = sha256(request);
  return withAdvisoryLock(app, `${ownerId} ${appId} ${operation} ${key}`, async (client) => {
    const before = await sql<{ request_hash: Buffer; status: number; text: string }>`
      SELECT request_hash, status, reply AS text
      FROM idempotency
      WHERE ${isOf(call)} AND created_at > now() - interval '24 hours'`.row(client);
    if (before && !before.request_hash.equals(hash)) throw idempotencyKeyReused();
    if (before) return { status: before.status, text: before.text, replayed: true };
    const done = await work();
    await storeReply(call, hash, done).run(client);
    return { ...done, replayed: false };
  });
}

/** The fields that identify a stored reply. */
type Call = { ownerId: string; appId: string; operation: string; key: string };
const isOf = ({ ownerId, appId, operation, key }: Call) =>
  sql`owner_id = ${ownerId} AND app_id = ${appId} AND operation = ${operation} AND key = ${key}`;

/** SQL that stores a reply and replaces any previous one. */
export const storeReply = ({ ownerId, appId, operation, key }: Call, hash: Buffer, { status, text }: Reply): Sql =>
  sql`
    INSERT INTO idempotency (owner_id, app_id, operation, key, request_hash, status, reply)
    VALUES (${ownerId}, ${appId}, ${operation}, ${key}, ${hash}, ${status}, ${text})
    ON CONFLICT (owner_id, app_id, operation, key) DO UPDATE SET
      request_hash = excluded.request_hash, status = excluded.status, reply = excluded.reply,
      created_at = now()`;

/** SQL: the stored reply, regardless of its age. */
export const storedReply = (call: Call): Sql => sql`(
  SELECT reply::"json" FROM idempotency WHERE ${isOf(call)}
)`;

/**
 * SQL for a CTE: deletes the stored responses that contain this record's ID and belong to `caller`,
 * and returns a row for each.
 */
export const deleteStoredReply = (operation: string, id: string): Sql => sql`
  DELETE FROM idempotency i
  USING caller c
  WHERE i.owner_id = c.owner_id
    AND i.app_id = c.app_id
    AND i.operation = ${operation}
    AND i.reply::"json" ->> 'id' = ${id}
  RETURNING i.key`;

/**
 * Returns the expiry rule for stored responses.
 * @param kept SQL: whether a row is kept longer
 */
export const expiredReplies = (kept: Sql): ExpiryRule => ({
  table: "idempotency",
  when: sql`created_at < now() - interval '24 hours' AND NOT (${kept})`,
});
