import type { ClientBase } from "pg";
import type { AppActor } from "@/lib/actor";
import { AppError, badRequest } from "@/lib/errors";
import { sha256 } from "@/lib/keys/crypto";
import { row, run, type Sql, sql } from "@/lib/sql";
import type { Spent } from "@/lib/sweep";
import { identify } from "./admission";
import { alone } from "./alone";

/** What was answered, and whether it was answered before. */
export type Once = { status: number; text: string; replayed: boolean };

/** @throws {AppError} 400 for a key that is not 1 to 255 printable ASCII characters */
export function checkKey(key: string): void {
  if (!/^[\x20-\x7e]{1,255}$/.test(key) || key.trim() === "")
    throw badRequest("Idempotency-Key must be 1 to 255 printable ASCII characters");
}

/**
 * Do it once for each key: the work and the memory of its success are one transaction, so a
 * crash leaves both or neither and a failure is never pinned. Two at once queue on a lock that the transaction holds.
 * @param request what the key stands for; the same key with anything else is 422
 */
export async function once(
  app: AppActor,
  operation: string,
  key: string,
  request: Buffer,
  work: () => Promise<{ status: number; text: string }>,
): Promise<Once> {
  const { ownerId, appId } = await identify(app);
  const place = { ownerId, appId, operation, key };
  const hash = sha256(request);
  return alone(app, `${ownerId} ${appId} ${operation} ${key}`, async (client) => {
    const before = await remembered(client, place, hash);
    if (before) return before;
    const done = { ...(await work()), replayed: false };
    await remember(client, place, hash, done);
    return done;
  });
}

/** What is kept no longer. @param kept what is remembered for longer, of a row, as SQL */
export const spentReplies = (kept: Sql): Spent => ({
  table: "idempotency",
  when: sql`created_at < now() - interval '24 hours' AND NOT (${kept})`,
});

type Key = { ownerId: string; appId: string; operation: string; key: string };

async function remembered(client: ClientBase, place: Key, hash: Buffer): Promise<Once | undefined> {
  const { ownerId, appId, operation, key } = place;
  const before = await row<{ request_hash: Buffer; status: number; reply: string }>(
    sql`SELECT request_hash, status, reply FROM idempotency WHERE owner_id = ${ownerId} AND app_id = ${appId}
      AND operation = ${operation} AND key = ${key} AND created_at > now() - interval '24 hours'`,
    client,
  );
  if (!before) return undefined;
  if (!before.request_hash.equals(hash)) throw new AppError(422, "Idempotency-Key was used for another request");
  return { status: before.status, text: before.reply, replayed: true };
}

const remember = (client: ClientBase, { ownerId, appId, operation, key }: Key, hash: Buffer, { status, text }: Once) =>
  run(
    sql`INSERT INTO idempotency (owner_id, app_id, operation, key, request_hash, status, reply)
      VALUES (${ownerId}, ${appId}, ${operation}, ${key}, ${hash}, ${status}, ${text})
      ON CONFLICT (owner_id, app_id, operation, key) DO UPDATE
      SET request_hash = excluded.request_hash, status = excluded.status, reply = excluded.reply, created_at = now()`,
    client,
  );
