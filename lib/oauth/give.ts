import type { OwnerActor } from "@/lib/actor";
import { readDeclared } from "@/lib/apps/schema";
import { AppError } from "@/lib/errors";
import type { Change } from "@/lib/events/change";
import { recordGrantChanged } from "@/lib/grants/changed";
import { addScopes, limitGrant, openGrant, removeScopes } from "@/lib/grants/open";
import { shareTicked } from "@/lib/grants/share";
import { isScope, type Scope } from "@/lib/scopes";

/** What an app asked for, and when. */
export type Asked = { appId: string; scopes: string[]; createdAt: Date };

/** What the owner gives of it: at least one scope, the linked accounts that were ticked, and for how many days. */
export type GrantChoice = {
  allowed: Scope[];
  integrationIds: string[];
  days: number | undefined;
  /** How the app asked, where that was not in the owner's own browser. */
  via?: "device";
};

/**
 * Carry out what the owner decided: the grant gains what is new, each with its time, and loses what stood ticked and was
 * unticked.
 * @returns the grant's id
 * @throws {AppError} 400 when something is left out without which the app cannot work, as it says
 */
export async function give(tx: Change, owner: OwnerActor, asked: Asked, given: GrantChoice): Promise<string> {
  const { days, via } = given;
  await refuseWithoutRequired(tx, asked, given);
  const { grantId, changed } = await grantScopes(tx, owner, asked, given);
  const integrations = await shareTicked(tx, owner, grantId, given.integrationIds);
  const about = { ownerId: owner.ownerId, appId: asked.appId, grantId };
  await recordGrantChanged(tx, about, { ...changed, integrations, ...(days && { days }), ...(via && { via }) });
  return grantId;
}

async function refuseWithoutRequired(tx: Change, asked: Asked, { allowed }: GrantChoice) {
  const app = await tx.app.findUniqueOrThrow({ where: { id: asked.appId }, select: { declaredScopes: true } });
  const declared = readDeclared(app.declaredScopes);
  const missing = asked.scopes.filter(isScope).find((scope) => declared[scope]?.required && !allowed.includes(scope));
  if (missing) throw new AppError(400, `The app cannot work without ${missing}: allow that too, or deny the request`);
}

async function grantScopes(tx: Change, { ownerId }: OwnerActor, asked: Asked, { allowed, days }: GrantChoice) {
  const { id: grantId } = await openGrant(tx, ownerId, asked.appId);
  await limitGrant(tx, grantId, days);
  const unticked = asked.scopes.filter(isScope).filter((scope) => !allowed.includes(scope));
  const removed = await removeScopes(tx, grantId, unticked, asked.createdAt);
  const added = await addScopes(tx, grantId, allowed);
  return { grantId, changed: { added, removed } };
}
