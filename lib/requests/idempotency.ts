import type { AppActor } from "@/lib/actor";
import { type Sql, sql } from "@/lib/database/sql";
import type { ExpiryRule } from "@/lib/database/sweeper";
import { badRequest, idempotencyKeyReused } from "@/lib/errors";
import { sha256 } from "@/lib/keys/crypto";
import { authenticate } from "../access/authorization";
import { withAdvisoryLock } from "./advisory-lock";

/** What is answered. `warnings` are for the developer, and not remembered. */
type Reply = { status: number; text: string; warnings?: readonly string[] | undefined };

/** @throws {AppError} 400 for a key that is not 1 to 255 printable ASCII characters */
export function validateIdempotencyKey(key: string): void {
  if (!/^[\x20-\x7e]{1,255}$/.test(key) || key.trim() === "")
    throw badRequest("Idempotency-Key must be 1 to 255 printable ASCII characters");
}

/**
 * Do it once for each key: the work and the memory of its success are one transaction, so a crash leaves both or neither and
 * a failure is never pinned. Two at once queue on a lock that the transaction holds.
 * @param request what the key stands for; the same key with anything else is 422
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
      SELECT request_hash, status, reply AS text FROM idempotency
        WHERE ${isOf(call)} AND created_at > now() - interval '24 hours'`.row(client);
    if (before && !before.request_hash.equals(hash)) throw idempotencyKeyReused();
    if (before) return { status: before.status, text: before.text, replayed: true };
    const done = await work();
    await storeReply(call, hash, done).run(client);
    return { ...done, replayed: false };
  });
}

/** What a reply is remembered by. */
type Call = { ownerId: string; appId: string; operation: string; key: string };
const isOf = ({ ownerId, appId, operation, key }: Call) =>
  sql`owner_id = ${ownerId} AND app_id = ${appId} AND operation = ${operation} AND key = ${key}`;

/** Remember what was answered, in place of what was before. */
export const storeReply = ({ ownerId, appId, operation, key }: Call, hash: Buffer, { status, text }: Reply): Sql =>
  sql`INSERT INTO idempotency (owner_id, app_id, operation, key, request_hash, status, reply)
    VALUES (${ownerId}, ${appId}, ${operation}, ${key}, ${hash}, ${status}, ${text})
    ON CONFLICT (owner_id, app_id, operation, key) DO UPDATE
    SET request_hash = excluded.request_hash, status = excluded.status, reply = excluded.reply, created_at = now()`;

/** What is remembered, whenever it was answered. */
export const storedReply = (call: Call): Sql => sql`(SELECT reply::json FROM idempotency WHERE ${isOf(call)})`;

/** Forget, for the `caller` of a statement, what was answered with this id. A row for each that was forgotten. */
export const deleteStoredReply = (operation: string, id: string): Sql => sql`DELETE FROM idempotency i USING caller c
  WHERE i.owner_id = c.owner_id AND i.app_id = c.app_id AND i.operation = ${operation} AND i.reply::json ->> 'id' = ${id}
  RETURNING i.key`;

/** What is kept no longer. @param kept what is remembered for longer, of a row, as SQL */
export const expiredReplies = (kept: Sql): ExpiryRule => ({
  table: "idempotency",
  when: sql`created_at < now() - interval '24 hours' AND NOT (${kept})`,
});
