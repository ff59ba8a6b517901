import type { AppActor, OwnerActor } from "@/lib/actor";
import { nameSkeletons } from "@/lib/apps/names";
import { db } from "@/lib/db";
import { type Change, change } from "@/lib/events/change";
import { hashSecret, newSecret } from "@/lib/keys/crypto";
import { newId } from "@/lib/keys/ids";
import type { Scope } from "@/lib/scopes";
import { recordGrantChanged } from "./changed";
import { addScopes, openGrant } from "./open";

/** No app may have our name but this one. */
const name = "Countersign test";

/**
 * Do something as an app would, for an owner who wants to see how that is: as the service's own test app, let in like any
 * other and shown among the connected apps. Its token exists while the work lasts and is shown to nobody.
 */
export async function asTestApp<T>(owner: OwnerActor, scope: Scope, work: (app: AppActor) => Promise<T>): Promise<T> {
  const tokenHash = hashSecret(newSecret("at"));
  const id = newId("tok");
  await change(owner, async (tx) => {
    const appId = await testApp(tx, owner);
    const grant = await openGrant(tx, owner.ownerId, appId);
    const added = await addScopes(tx, grant.id, [scope]);
    const about = { ownerId: owner.ownerId, appId, grantId: grant.id };
    if (added.length > 0) await recordGrantChanged(tx, about, { added });
    await tx.$executeRaw`
      INSERT INTO token (id, hash, kind, grant_id, family_id, scopes, last4, expires_at)
      VALUES (${id}, ${tokenHash}, 'access', ${grant.id}, ${newId("fam")}, ${[scope]}, '', now() + interval '1 minute')`;
  });
  try {
    return await work({ kind: "app", tokenHash, resource: "api", needs: scope });
  } finally {
    await db.token.deleteMany({ where: { id } });
  }
}

async function testApp(tx: Change, { ownerId }: OwnerActor): Promise<string> {
  const { nameSkeleton, nameFolded } = nameSkeletons(name);
  const [{ id }] = await tx.$queryRaw<[{ id: string }]>`
    INSERT INTO app (id, owner_id, kind, name, name_skeleton, name_folded, redirect_uris, grant_types)
    VALUES (${newId("app")}, ${ownerId}, 'test', ${name}, ${nameSkeleton}, ${nameFolded}, '{}', '{}')
    ON CONFLICT (owner_id) WHERE kind = 'test' DO UPDATE SET owner_id = excluded.owner_id RETURNING id`;
  return id;
}
