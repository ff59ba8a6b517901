import type { OwnerActor } from "@/lib/actor";
import { type DeclaredScopes, readDeclared } from "@/lib/apps/schema";
import { sql } from "@/lib/database/sql";
import { findGrant } from "@/lib/grants/grants";
import type { ConsentOffer } from "@/lib/grants/schema";
import { sha256 } from "@/lib/keys/crypto";
import { type Scope, scopeNames, scopes, sensitiveScopes } from "@/lib/scopes";

/** An app's request with the time of the request. */
export type ScopeRequest = { appId: string; scopes: string[]; createdAt: Date };

type Linked = { id: string; provider: string; email: string; label: string | null };
type Offered = Omit<ConsentOffer, "id" | "csrf" | "app">;

/**
 * Returns the requested scopes and the owner's accounts, and says which of them the app already
 * has.
 */
export async function buildConsentOffer(
  owner: OwnerActor,
  { appId, scopes: asked, createdAt, app }: ScopeRequest & { app: { declaredScopes: unknown } },
): Promise<Offered> {
  const declared = readDeclared(app.declaredScopes);
  const grant = await findGrant(owner, appId);
  const granted = new Map(
    // Scopes that were granted after the request count as new, so that leaving them unselected
    // revokes nothing.
    grant?.scopes.filter((it) => it.grantedAt <= createdAt.getTime()).map((it) => [it.scope, it.grantedAt]),
  );
  const shared = new Set(grant?.integrationIds);
  const linked = await sql<Linked>`
    SELECT id, provider, email, label
    FROM linked_account
    WHERE owner_id = ${owner.ownerId} AND NOT removed
    ORDER BY id`.rows();
  const grantTimeOf = (scope: Scope) => {
    const grantedAt = granted.get(scope);
    return grantedAt !== undefined && { grantedAt };
  };
  return {
    requested: describeScopes(asked, declared).map((it) => ({ ...it, ...grantTimeOf(it.scope) })),
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

/**
 * Returns the requested scopes, least risky first, each with our description and the app's purpose.
 */
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

/** Length of a `shownHash` in characters. */
export const shownLength = 43;

/**
 * Returns a hash (SHA-256 in base64url) of what the page shows about the app and its request: the
 * name, the origin, warnings, and the text about each scope. The form sends the hash back, so that
 * a decision is rejected if the app has changed.
 */
export const shownHash = (app: ConsentOffer["app"], asked: readonly string[], declared: DeclaredScopes): string =>
  sha256(JSON.stringify([app, describeScopes(asked, declared)])).toString("base64url");
