import type { ClientBase } from "pg";
import type { AppActor } from "@/lib/actor";
import { AppError, badRequest } from "@/lib/errors";
import { sha256 } from "@/lib/keys/crypto";
import { type Sql, sql } from "@/lib/sql";
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
  const place = [ownerId, appId, operation, key];
  const hash = sha256(request);
  return alone(app, place.join(" "), async (client) => {
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

async function remembered(client: ClientBase, place: string[], hash: Buffer): Promise<Once | undefined> {
  const { rows } = await client.query<{ request_hash: Buffer; status: number; reply: string }>(
    `SELECT request_hash, status, reply FROM idempotency
     WHERE owner_id = $1 AND app_id = $2 AND operation = $3 AND key = $4 AND created_at > now() - interval '24 hours'`,
    place,
  );
  const [row] = rows;
  if (!row) return undefined;
  if (!row.request_hash.equals(hash)) throw new AppError(422, "Idempotency-Key was used for another request");
  return { status: row.status, text: row.reply, replayed: true };
}

const remember = (client: ClientBase, place: string[], hash: Buffer, { status, text }: Once) =>
  client.query(
    `INSERT INTO idempotency (owner_id, app_id, operation, key, request_hash, status, reply) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (owner_id, app_id, operation, key)
     DO UPDATE SET request_hash = $5, status = $6, reply = $7, created_at = now()`,
    [...place, hash, status, text],
  );
