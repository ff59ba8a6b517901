import type { OwnerActor } from "@/lib/actor";
import { readDeclared } from "@/lib/apps/schema";
import { findGrant } from "@/lib/grants/grants";
import type { Offer } from "@/lib/grants/schema";
import { type Scope, scopeNames, scopes } from "@/lib/scopes";
import { sql } from "@/lib/sql";
import type { ScopeRequest } from "./decide";
import { describeScopes } from "./shown";

type Linked = { id: string; provider: string; email: string; label: string | null };
type Offered = Omit<Offer, "id" | "csrf" | "app">;

/** What there is to decide about what an app asked for, and what it has already. */
export async function offer(
  owner: OwnerActor,
  { appId, scopes: asked, createdAt, app }: ScopeRequest & { app: { declaredScopes: unknown } },
): Promise<Offered> {
  const declared = readDeclared(app.declaredScopes);
  const grant = await findGrant(owner, appId);
  const granted = new Map(
    // What was granted meanwhile counts as not yet granted, so that leaving its box empty takes nothing back.
    grant?.scopes.filter((it) => it.grantedAt <= createdAt.getTime()).map((it) => [it.scope, it.grantedAt]),
  );
  const shared = new Set(grant?.integrationIds);
  const linked = await sql<Linked>`SELECT id, provider, email, label FROM linked_account
    WHERE owner_id = ${owner.ownerId} AND NOT removed ORDER BY id`.rows();
  const at = (scope: Scope) => {
    const grantedAt = granted.get(scope);
    return grantedAt !== undefined && { grantedAt };
  };
  return {
    requested: describeScopes(asked, declared).map((it) => ({ ...it, ...at(it.scope) })),
    alreadyGranted: scopeNames
      .filter((scope) => !asked.includes(scope))
      .map((scope) => ({ scope, sentence: scopes[scope].sentence, grantedAt: granted.get(scope) }))
      .flatMap(({ grantedAt, ...it }) => (grantedAt === undefined ? [] : [{ ...it, grantedAt }])),
    integrations: linked.map(({ id, provider, email, label }) => ({
      id,
      provider,
      email,
      ...(label !== null && { label }),
      shared: shared.has(id),
    })),
    firstTime: !grant,
    ...(grant?.expiresAt && { grantExpiresAt: grant.expiresAt }),
  };
}
