import { timingSafeEqual } from "node:crypto";
import type { OwnerActor } from "@/lib/actor";
import { identifier, sql } from "@/lib/database/sql";
import { asAppError, badRequest, notFound } from "@/lib/errors";
import { change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { hashSecret, isSecret, newServiceSecret } from "@/lib/keys/secret-tokens";
import { type Client, getApp } from "./apps";

/** A new secret, and when the previous secret expires, in epoch milliseconds. */
export type ReplacedSecret = { clientSecret: string; oldLast4: string; oldUntil: number };

/**
 * Rotates a confidential app's secret. Returns the new secret, which can't be read again. The
 * secret in use keeps working for 24 hours, so that the owner has time to deploy the new secret. If
 * the current secret was never used and the previous secret still works, the previous secret counts
 * as the one in use: it keeps its expiry time, and the current secret stops working immediately.
 * Issued tokens stay valid.
 * @throws {AppError} 400 for a public app, 404
 */
export async function rotateSecret(owner: OwnerActor, clientId: string): Promise<ReplacedSecret> {
  if ((await getApp(owner, clientId)).public) throw badRequest("A public app has no client secret");
  const { ownerId } = owner;
  const clientSecret = newServiceSecret("cs");
  const old = await change(owner, async (tx) => {
    const changed = await sql<{ last4: string; until: Date }>`
      UPDATE app
      SET old_secret_hash = CASE WHEN ${unused} THEN old_secret_hash ELSE secret_hash END,
        old_secret_last4 = CASE WHEN ${unused} THEN old_secret_last4 ELSE secret_last4 END,
        old_secret_used_at = CASE WHEN ${unused} THEN old_secret_used_at ELSE secret_used_at END,
        old_secret_until = CASE
          WHEN ${unused} THEN old_secret_until
          ELSE now() + interval '24 hours'
        END,
        secret_hash = ${hashSecret(clientSecret)}, secret_last4 = ${clientSecret.slice(-4)},
        secret_used_at = NULL
      WHERE id = ${clientId}
        AND owner_id = ${ownerId}
        AND kind = 'manual'
        AND secret_hash IS NOT NULL
        AND deleted_at IS NULL
      RETURNING old_secret_last4 AS last4, old_secret_until AS until`.row(tx);
    if (!changed) throw notFound();
    await record(tx, { ...about(ownerId, clientId), type: "app.changed", data: { changed: "secret" } });
    return changed;
  });
  return { clientSecret, oldLast4: old.last4, oldUntil: old.until.getTime() };
}

/**
 * SQL: whether the app must still be using its previous secret, because that one works and the
 * current one was never used.
 */
const unused = sql`secret_used_at IS NULL AND old_secret_until > now()`;

/**
 * Revokes the previous secret.
 * @throws {AppError} 404 if no previous secret works
 */
export async function revokePreviousSecret(owner: OwnerActor, clientId: string): Promise<void> {
  const { ownerId } = owner;
  await change(owner, async (tx) => {
    const ended = await sql`
      UPDATE app
      SET old_secret_hash = NULL, old_secret_last4 = NULL, old_secret_until = NULL,
        old_secret_used_at = NULL
      WHERE id = ${clientId}
        AND owner_id = ${ownerId}
        AND deleted_at IS NULL
        AND old_secret_until > now()`.run(tx);
    if (ended === 0) throw notFound();
    await record(tx, { ...about(ownerId, clientId), type: "app.changed", data: { changed: "old secret" } });
  });
}

const about = (ownerId: string, clientId: string) => ({ ownerId, appId: clientId, subject: clientId });

/**
 * Returns which of a confidential app's secrets this is: the current one, or the previous one while
 * it works. Returns undefined for any other.
 */
export function matchingSecret({ secretHash, oldSecretHash }: Client, secret: string): "current" | "old" | undefined {
  if (secretHash === null || !isSecret(secret, ["cs"])) return undefined;
  const hash = hashSecret(secret);
  if (timingSafeEqual(hash, secretHash)) return "current";
  return oldSecretHash !== null && timingSafeEqual(hash, oldSecretHash) ? "old" : undefined;
}

/**
 * Records a secret's last use, to the minute, so that the owner can tell whether the previous
 * secret is still needed. Skips a secret that was replaced in the meantime.
 */
export async function recordSecretUse(client: Client, which: "current" | "old"): Promise<void> {
  const [prefix, hash] = which === "current" ? ["", client.secretHash] : ["old_", client.oldSecretHash];
  const usedAt = identifier(`${prefix}secret_used_at`);
  await sql`
    UPDATE app
    SET ${usedAt} = now()
    WHERE id = ${client.clientId}
      AND ${identifier(`${prefix}secret_hash`)} = ${hash}
      AND (${usedAt} IS NULL OR ${usedAt} < now() - interval '1 minute')`
    .run()
    .catch((error) => {
      // Known apps go on while the directory is away.
      if (asAppError(error)?.status !== 503) throw error;
    });
}
