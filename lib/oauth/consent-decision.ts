import type { SessionOwner } from "@/lib/actor";
import { appOwner } from "@/lib/apps/app-sql-for-other-domains";
import { type LockedApp, readHeld } from "@/lib/apps/lock-app";
import { type Executor, identifier, sql } from "@/lib/database/sql";
import { AppError, appChanged, notFound } from "@/lib/errors";
import { type Change, change } from "@/lib/events/change-transaction";
import {
  addScopes,
  getOrCreateGrant,
  recordGrantChanged,
  removeScopes,
  setGrantExpiry,
} from "@/lib/grants/create-and-change-grant";
import { shareSelected } from "@/lib/grants/linked-account-sharing";
import { describeRequestingApp, registrarOf } from "@/lib/grants/requesting-app";
import { ConsentDecision } from "@/lib/grants/schema";
import { isId } from "@/lib/ids";
import { isSigned, sign } from "@/lib/keys/crypto";
import { requireRecentSignIn } from "@/lib/owners/sessions";
import { isScope, type Scope, scopeNames, scopes, sensitiveScopes } from "@/lib/scopes";
import { validate } from "@/lib/text/validate";
import { type ScopeRequest, shownHash, shownLength } from "./consent-offer";

/** An owner with a browser session. Each consent form is bound to both. */
export type ConsentingOwner = SessionOwner & { session: string };

/**
 * A kind of request that awaits an owner's decision: a consent request, or a device request.
 * `expiredMessage` is shown after such a request expires.
 */
export type ConsentKind = {
  prefix: "con" | "dev";
  table: string;
  purpose: "consent" | "device";
  expiredMessage: string;
};

/** An app's request, with the scopes that the locked app declares. */
type HeldRequest = ScopeRequest & Pick<LockedApp, "declaredScopes">;

/**
 * Returns a token that is bound to a request, an owner, a browser session, and what the page
 * showed. Only this service can create it.
 * @param shown the hash from shownHash
 */
export const csrfToken = ({ purpose }: ConsentKind, { ownerId, session }: ConsentingOwner, id: string, shown: string) =>
  `${shown}${sign(purpose, boundTo({ ownerId, session }, id, shown))}`;

const boundTo = ({ ownerId, session }: Pick<ConsentingOwner, "ownerId" | "session">, id: string, shown: string) =>
  JSON.stringify([id, ownerId, session, shown]);

/** Returns the hash of what the page would now show about the app and its request. */
async function shownNow(
  tx: Change,
  owner: ConsentingOwner,
  { appId, scopes: asked, declaredScopes }: HeldRequest,
  registrar: string | undefined,
) {
  const app = await describeRequestingApp(owner, await readHeld(tx, appId), registrar, tx);
  return shownHash(app, asked, declaredScopes);
}

/** Returns the name of the owner who registered a request's app. */
async function registrarFor(which: ConsentKind, { ownerId }: ConsentingOwner, id: string) {
  const request = await sql<{ registrar: string | null }>`
    SELECT ${appOwner(sql`r.app_id`)} AS registrar
    FROM ${identifier(which.table)} r
    WHERE r.id = ${id} AND r.owner_id = ${ownerId}`.row();
  return request && registrarOf({ ownerId: request.registrar });
}

/**
 * Checks that the owner can decide the request.
 * @throws {AppError} 404 if it is unknown or another owner's, 409 if it was decided, 410 if it
 * expired
 */
export async function assertPending(
  which: ConsentKind,
  owner: ConsentingOwner,
  id: string,
  on?: Executor,
): Promise<void> {
  const request = await sql<{ decided: boolean; expired: boolean }>`
    SELECT decided_at IS NOT NULL AS decided, expires_at <= now() AS expired
    FROM ${identifier(which.table)}
    WHERE id = ${id} AND owner_id = ${owner.ownerId}`.row(on);
  if (!request) throw notFound();
  if (request.decided) throw new AppError(409, "You have already responded to this request");
  if (request.expired) throw new AppError(410, which.expiredMessage);
}

/**
 * Decides a request, once. Allowing adds the scopes that the owner selected to the grant, and
 * removes preselected ones that the owner cleared. Allowing no scope counts as a denial, which
 * changes no grant. If allowing fails, the request stays open.
 * @param hold reads the request and locks its app
 * @param complete gets the grant and the allowed scopes, or neither after a denial
 * @throws {AppError} 403 if the form was not made for this owner and session; 400 if a required
 * scope is missing; as in assertPending
 * @throws {AppChanged} if the app differs from what the page showed
 * @throws {SignInAgain} if a sensitive scope is selected without a recent sign-in
 */
export async function recordConsentDecision<R extends HeldRequest, T>(
  which: ConsentKind,
  owner: ConsentingOwner,
  id: string,
  decision: ConsentDecision,
  hold: (tx: Change) => Promise<R>,
  complete: (tx: Change, request: R, granted?: { grantId: string; allowed: Scope[] }) => Promise<T>,
): Promise<Exclude<T, Error>> {
  const { csrf, allow, scopes: selected, integrationIds, days } = validate(ConsentDecision, decision);
  if (!isId(which.prefix, id)) throw notFound();
  const shown = csrf.slice(0, shownLength);
  if (!isSigned(which.purpose, boundTo(owner, id, shown), csrf.slice(shownLength)))
    throw new AppError(403, "This form belongs to another session. Reload the page.");
  const registrar = allow ? await registrarFor(which, owner, id) : undefined;
  return change(owner, async (tx) => {
    // Marks the request as decided first, so that a concurrent decision fails.
    const taken = await sql`
      UPDATE ${identifier(which.table)}
      SET decided_at = now()
      WHERE id = ${id}
        AND owner_id = ${owner.ownerId}
        AND decided_at IS NULL
        AND expires_at > now()`.run(tx);
    if (taken === 0) await assertPending(which, owner, id, tx);
    const request = await hold(tx);
    const allowed = allow
      ? scopeNames.filter((scope) => request.scopes.includes(scope) && selected.includes(scope))
      : [];
    if (allowed.length === 0) return complete(tx, request);
    if ((await shownNow(tx, owner, request, registrar)) !== shown) throw appChanged();
    if (allowed.some((scope) => sensitiveScopes.has(scope))) requireRecentSignIn(owner);
    refuseWithoutRequired(request, allowed);
    const { ownerId } = owner;
    const grant = await getOrCreateGrant(tx, ownerId, request.appId);
    const grantId = grant.id;
    await setGrantExpiry(tx, grant, days);
    const unticked = request.scopes.filter(isScope).filter((scope) => !allowed.includes(scope));
    const removed = await removeScopes(tx, grant, unticked, request.createdAt);
    const added = await addScopes(tx, grant, allowed);
    const integrations = await shareSelected(tx, owner, grantId, integrationIds);
    const via = which.purpose === "device" && { via: which.purpose };
    const changed = { added, removed, integrations, ...(days && { days }), ...via };
    await recordGrantChanged(tx, { ownerId, appId: request.appId, grantId }, changed);
    return complete(tx, request, { grantId, allowed });
  });
}

function refuseWithoutRequired({ scopes: asked, declaredScopes }: HeldRequest, allowed: Scope[]) {
  const missing = asked.filter(isScope).find((scope) => declaredScopes[scope]?.required && !allowed.includes(scope));
  if (missing)
    throw new AppError(
      400,
      `The app requires “${scopes[missing].sentence}”. Allow this permission, or deny the request.`,
    );
}
