import type { AppActor, OwnerActor } from "@/lib/actor";
import { ensureServiceApp } from "@/lib/apps/service-app";
import { db } from "@/lib/database/db";
import { change } from "@/lib/events/change-transaction";
import { appsFrozen, FrozenApp } from "@/lib/frozen-errors";
import { hashSecret, newSecret } from "@/lib/keys/secret-tokens";
import type { Scope } from "@/lib/scopes";
import { addScopes, getOrCreateGrant, recordGrantChanged } from "./create-and-change-grant";
import { insertToken } from "./token-store";

/**
 * Runs work as the service's own app. That app is connected like any other, and appears among the
 * connected apps. The token exists only during the work and is never shown.
 * @throws {AppError} 409 while the owner's apps are frozen
 */
export async function asServiceApp<T>(
  owner: OwnerActor,
  scope: Scope,
  work: (app: AppActor) => Promise<T>,
): Promise<T> {
  const token = newSecret("at", owner);
  // The app is in the directory, and the grant refers to it.
  const appId = await ensureServiceApp(owner);
  const id = await change(owner, async (tx) => {
    const grant = await getOrCreateGrant(tx, owner.ownerId, appId);
    const added = await addScopes(tx, grant, [scope]);
    const about = { ownerId: owner.ownerId, appId, grantId: grant.id };
    if (added.length > 0) await recordGrantChanged(tx, about, { added });
    const kept = { token, kind: "access", grant, scopes: [scope], resource: "api", seconds: 60 } as const;
    return (await insertToken(tx, kept)).id;
  });
  try {
    return await work({ kind: "app", tokenHash: hashSecret(token), resource: "api", needs: scope });
  } catch (error) {
    throw error instanceof FrozenApp ? appsFrozen() : error;
  } finally {
    await db.token.deleteMany({ where: { id, ownerId: owner.ownerId } });
  }
}
