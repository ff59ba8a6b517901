import type { Resource } from "@/lib/access/resource-indicator";
import type { OwnerActor } from "@/lib/actor";
import { lockOwnApp } from "@/lib/apps/lock-app";
import { sql } from "@/lib/database/sql";
import { notFound } from "@/lib/errors";
import { change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { hashSecret, isSecret, newSecret } from "@/lib/keys/secret-tokens";
import type { Scope } from "@/lib/scopes";
import { validate } from "@/lib/text/validate";
import { addScopes, getOrCreateGrant, recordGrantChanged } from "./create-and-change-grant";
import { NewPersonalToken } from "./schema";
import { insertToken } from "./token-store";

/**
 * Creates a personal token, which is returned once and stored only as a hash. The token acts as the
 * app, so the app must be live, and the owner must have registered or connected it. Scopes that the
 * grant lacks are added, because the owner just chose them. The token ends with the grant at the
 * latest.
 * @returns the token with `expiresAt` in epoch milliseconds, and `owner`, the owner's ID in
 *   receipts and webhooks
 * @throws {AppError} 400 naming the problem; 404 for any other app, whether or not it exists
 */
export async function createPersonalToken(
  owner: OwnerActor,
  input: NewPersonalToken,
): Promise<{ token: string; id: string; expiresAt: number; scopes: Scope[]; owner: string; resource: Resource }> {
  const { ownerId } = owner;
  const { clientId, scopes, days, resource, name = "" } = validate(NewPersonalToken, input);
  const token = newSecret("pat", owner);
  const { id, expiresAt } = await change(owner, async (tx) => {
    await lockOwnApp(tx, owner, clientId);
    const grant = await getOrCreateGrant(tx, ownerId, clientId);
    const added = await addScopes(tx, grant, scopes);
    const kept = { token, kind: "personal", grant, scopes, resource, name: name || null } as const;
    const { id, expiresAt } = await insertToken(tx, { ...kept, seconds: days * 86_400 });
    const about = { ownerId, appId: clientId };
    if (added.length > 0) await recordGrantChanged(tx, { ...about, grantId: grant.id }, { added });
    await record(tx, { ...about, type: "token.created", subject: id, data: { scopes, personal: true } });
    return { id, expiresAt };
  });
  return { token, id, expiresAt: expiresAt.getTime(), scopes, owner: ownerId, resource };
}

/**
 * Revokes one token, given in full or by its ID. The token's next call returns 401. Revoking it
 * again has no effect.
 * @throws {AppError} 404 if the owner has no such token
 */
export async function revokeToken(owner: OwnerActor, tokenOrId: string): Promise<void> {
  const { ownerId } = owner;
  const hash = isSecret(tokenOrId, ["at", "pat"]) ? hashSecret(tokenOrId) : null;
  await change(owner, async (tx) => {
    const token = await sql<{ id: string; app_id: string; revoked_at: Date | null }>`
      SELECT t.id, g.app_id, t.revoked_at
      FROM token t JOIN app_grant g ON g.id = t.grant_id
      WHERE (t.hash = ${hash} OR t.id = ${tokenOrId}) AND t.owner_id = ${ownerId}
      FOR UPDATE OF t`.row(tx);
    if (!token) throw notFound();
    if (token.revoked_at === null) {
      await sql`UPDATE token SET revoked_at = now() WHERE id = ${token.id} AND owner_id = ${ownerId}`.run(tx);
      await record(tx, { ownerId, appId: token.app_id, type: "token.revoked", subject: token.id });
    }
  });
}
