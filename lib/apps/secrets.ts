import { timingSafeEqual } from "node:crypto";
import type { OwnerActor } from "@/lib/actor";
import { sql } from "@/lib/database/sql";
import { badRequest, notFound } from "@/lib/errors";
import { change } from "@/lib/events/change";
import { record } from "@/lib/events/events";
import { hashSecret, isSecret, newSecret } from "@/lib/keys/crypto";
import { type Client, getApp } from "./apps";

/** A new secret, and the one before that works beside it until then, in epoch milliseconds. */
export type ReplacedSecret = { clientSecret: string; oldLast4: string; oldUntil: number };

/**
 * Give a confidential app another secret, returned this once. Two work from then on: the new one, and for 24 hours the one
 * that stands where the app runs, so that it can be replaced there. That is the one that was in use; but where the one before
 * it still works and the one in use never was used, nobody stands on that: it stops now, and the one before goes on to its own
 * end. Tokens already issued live on.
 * @throws {AppError} 400 for a public app, 404
 */
export async function rotateSecret(owner: OwnerActor, clientId: string): Promise<ReplacedSecret> {
  if ((await getApp(owner, clientId)).public) throw badRequest("A public app has no secret");
  const { ownerId } = owner;
  const clientSecret = newSecret("cs");
  const old = await change(owner, async (tx) => {
    const changed = await sql<{ last4: string; until: Date }>`UPDATE app SET
        old_secret_hash = CASE WHEN ${unused} THEN old_secret_hash ELSE secret_hash END,
        old_secret_last4 = CASE WHEN ${unused} THEN old_secret_last4 ELSE secret_last4 END,
        old_secret_used_at = CASE WHEN ${unused} THEN old_secret_used_at ELSE secret_used_at END,
        old_secret_until = CASE WHEN ${unused} THEN old_secret_until ELSE now() + interval '24 hours' END,
        secret_hash = ${hashSecret(clientSecret)}, secret_last4 = ${clientSecret.slice(-4)}, secret_used_at = NULL
      WHERE id = ${clientId} AND owner_id = ${ownerId} AND kind = 'manual' AND secret_hash IS NOT NULL AND deleted_at IS NULL
      RETURNING old_secret_last4 AS last4, old_secret_until AS until`.row(tx);
    if (!changed) throw notFound();
    await record(tx, { ...about(ownerId, clientId), type: "app.changed", data: { changed: "secret" } });
    return changed;
  });
  return { clientSecret, oldLast4: old.last4, oldUntil: old.until.getTime() };
}

/** Whether what is deployed can only be the secret before: it works, and the one in use never was used. */
const unused = sql`secret_used_at IS NULL AND old_secret_until > now()`;

/**
 * Let the secret before work no longer.
 * @throws {AppError} 404 when there is none that works
 */
export async function revokePreviousSecret(owner: OwnerActor, clientId: string): Promise<void> {
  const { ownerId } = owner;
  await change(owner, async (tx) => {
    const ended =
      await sql`UPDATE app SET old_secret_hash = NULL, old_secret_last4 = NULL, old_secret_until = NULL, old_secret_used_at = NULL
      WHERE id = ${clientId} AND owner_id = ${ownerId} AND deleted_at IS NULL AND old_secret_until > now()`.run(tx);
    if (ended === 0) throw notFound();
    await record(tx, { ...about(ownerId, clientId), type: "app.changed", data: { changed: "old secret" } });
  });
}

const about = (ownerId: string, clientId: string) => ({ ownerId, appId: clientId, subject: clientId });

/** Which of a confidential app's secrets this is: the one in use, or the one before while it works; undefined for neither. */
export function matchingSecret({ secretHash, oldSecretHash }: Client, secret: string): "current" | "old" | undefined {
  if (secretHash === null || !isSecret(secret, ["cs"])) return undefined;
  const hash = hashSecret(secret);
  if (timingSafeEqual(hash, secretHash)) return "current";
  return oldSecretHash !== null && timingSafeEqual(hash, oldSecretHash) ? "old" : undefined;
}

/** Keep when a secret was last used, to the minute: what tells whether the old one can go. One that was replaced meanwhile is none. */
export async function recordSecretUse(client: Client, which: "current" | "old"): Promise<void> {
  const { clientId, secretHash, oldSecretHash } = client;
  if (which === "current") {
    await sql`UPDATE app SET secret_used_at = now()
      WHERE id = ${clientId} AND secret_hash = ${secretHash}
        AND (secret_used_at IS NULL OR secret_used_at < now() - interval '1 minute')`.run();
  } else {
    await sql`UPDATE app SET old_secret_used_at = now() WHERE id = ${clientId} AND old_secret_hash = ${oldSecretHash}
        AND (old_secret_used_at IS NULL OR old_secret_used_at < now() - interval '1 minute')`.run();
  }
}
