import type { OwnerActor } from "@/lib/actor";
import { type DeclaredScopes, readDeclared } from "@/lib/apps/schema";
import { sql } from "@/lib/database/sql";
import { findGrant } from "@/lib/grants/grants";
import type { ConsentOffer } from "@/lib/grants/schema";
import { sha256 } from "@/lib/keys/crypto";
import { type Scope, scopeNames, scopes, sensitiveScopes } from "@/lib/scopes";

/** What an app asked for, and when. */
export type ScopeRequest = { appId: string; scopes: string[]; createdAt: Date };

type Linked = { id: string; provider: string; email: string; label: string | null };
type Offered = Omit<ConsentOffer, "id" | "csrf" | "app">;

/** What there is to decide about what an app asked for, and what it has already. */
export async function buildConsentOffer(
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

/** The scopes that an app asked for, least risky first, with our words and the app's own. */
const describeScopes = (asked: readonly string[], declared: DeclaredScopes) =>
  scopeNames
    .filter((scope) => asked.includes(scope))
    .map((scope) => ({
      scope,
      sentence: scopes[scope].sentence,
      sensitive: sensitiveScopes.has(scope),
      required: declared[scope]?.required ?? false,
      ...(declared[scope]?.purpose !== undefined && { purpose: declared[scope].purpose }),
    }));

/** Characters of a `shownHash`. */
export const shownLength = 43;

/**
 * A hash of what a page showed of the app and of what it asked for: name, origin, warnings, and the words of each scope
 * (SHA-256 in base64url). It goes with the decision, so that nobody decides about an app that changed meanwhile.
 */
export const shownHash = (app: ConsentOffer["app"], asked: readonly string[], declared: DeclaredScopes): string =>
  sha256(JSON.stringify([app, describeScopes(asked, declared)])).toString("base64url");
