import { timingSafeEqual } from "node:crypto";
import type { OwnerActor } from "@/lib/actor";
import { hashSecret, isSecret, newSecret } from "@/lib/crypto";
import { db } from "@/lib/db";
import { badRequest, notFound } from "@/lib/errors";
import { record } from "@/lib/events/events";
import { announce } from "@/lib/events/hub";
import { type Client, getApp } from "./apps";

/**
 * Give a confidential app another secret, returned this once. The one before goes on working for 24 hours, so that it can be
 * replaced wherever it stands; one before that stops now. Tokens already issued live on.
 * @returns `oldUntil`: when the one before stops, in epoch milliseconds
 * @throws {AppError} 400 for a public app, 404
 */
export async function rotateSecret(
  owner: OwnerActor,
  clientId: string,
): Promise<{ clientSecret: string; oldUntil: number }> {
  if ((await getApp(owner, clientId)).public) throw badRequest("A public app has no secret");
  const { ownerId } = owner;
  const clientSecret = newSecret("cs");
  const oldUntil = await db.$transaction(async (tx) => {
    const [changed] = await tx.$queryRaw<{ old_secret_until: Date }[]>`
      UPDATE app SET old_secret_hash = secret_hash, old_secret_last4 = secret_last4, old_secret_used_at = secret_used_at,
        old_secret_until = now() + interval '24 hours',
        secret_hash = ${hashSecret(clientSecret)}, secret_last4 = ${clientSecret.slice(-4)}, secret_used_at = NULL
      WHERE id = ${clientId} AND owner_id = ${ownerId} AND kind = 'manual' AND secret_hash IS NOT NULL AND deleted_at IS NULL
      RETURNING old_secret_until`;
    if (!changed) throw notFound();
    await record(tx, { ...about(ownerId, clientId), type: "app.changed", data: { changed: "secret" } });
    return changed.old_secret_until;
  });
  announce(ownerId);
  return { clientSecret, oldUntil: oldUntil.getTime() };
}

/**
 * Let the secret before work no longer.
 * @throws {AppError} 404 when there is none that works
 */
export async function endOldSecret({ ownerId }: OwnerActor, clientId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const ended = await tx.$executeRaw`
      UPDATE app SET old_secret_hash = NULL, old_secret_last4 = NULL, old_secret_until = NULL, old_secret_used_at = NULL
      WHERE id = ${clientId} AND owner_id = ${ownerId} AND deleted_at IS NULL AND old_secret_until > now()`;
    if (ended === 0) throw notFound();
    await record(tx, { ...about(ownerId, clientId), type: "app.changed", data: { changed: "old secret" } });
  });
  announce(ownerId);
}

const about = (ownerId: string, clientId: string) => ({ ownerId, appId: clientId, subject: clientId });

/** Which of a confidential app's secrets this is: the one in use, or the one before while it works; undefined for neither. */
export function whichSecret({ secretHash, oldSecretHash }: Client, secret: string): "current" | "old" | undefined {
  if (secretHash === null || !isSecret(secret, ["cs"])) return undefined;
  const hash = hashSecret(secret);
  if (timingSafeEqual(hash, secretHash)) return "current";
  return oldSecretHash !== null && timingSafeEqual(hash, oldSecretHash) ? "old" : undefined;
}

/** Keep when a secret was last used, to the minute: what tells whether the old one can go. */
export async function noteSecretUse({ clientId }: Client, which: "current" | "old"): Promise<void> {
  if (which === "current") {
    await db.$executeRaw`
      UPDATE app SET secret_used_at = now()
      WHERE id = ${clientId} AND (secret_used_at IS NULL OR secret_used_at < now() - interval '1 minute')`;
  } else {
    await db.$executeRaw`
      UPDATE app SET old_secret_used_at = now() WHERE id = ${clientId} AND old_secret_hash IS NOT NULL
        AND (old_secret_used_at IS NULL OR old_secret_used_at < now() - interval '1 minute')`;
  }
}
