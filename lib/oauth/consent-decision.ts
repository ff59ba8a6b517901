import type { SessionOwner } from "@/lib/actor";
import { type LockedApp, readHeld } from "@/lib/apps/lock-app";
import { type Executor, identifier, sql } from "@/lib/database/sql";
import { AppError, appChanged, notFound } from "@/lib/errors";
import { type Change, change } from "@/lib/events/change";
import { shareSelected } from "@/lib/grants/account-sharing";
import { addScopes, getOrCreateGrant, recordGrantChanged, removeScopes, setGrantExpiry } from "@/lib/grants/live-grant";
import { describeRequestingApp } from "@/lib/grants/requesting-app";
import { ConsentDecision } from "@/lib/grants/schema";
import { constantTimeEqual, sign } from "@/lib/keys/crypto";
import { isId } from "@/lib/keys/ids";
import { requireRecentSignIn } from "@/lib/owners/sessions";
import { isScope, type Scope, scopeNames, scopes, sensitiveScopes } from "@/lib/scopes";
import { validate } from "@/lib/text/validate";
import { type ScopeRequest, shownHash, shownLength } from "./consent-offer";

/** The owner in one browser session: what a form is made for. */
export type ConsentingOwner = SessionOwner & { session: string };

/** What waits for its owner: a consent request, or a device whose code they typed. `expiredMessage`: what they read when its time is up. */
export type ConsentKind = {
  prefix: "con" | "dev";
  table: string;
  purpose: "consent" | "device";
  expiredMessage: string;
};

/** The same with what the app, which is held, says it needs. */
type HeldRequest = ScopeRequest & Pick<LockedApp, "declaredScopes">;

/**
 * Made for one request, owner and browser session, and for what the page showed; nobody else can make it.
 * @param shown as shownHash
 */
export const csrfToken = ({ purpose }: ConsentKind, { ownerId, session }: ConsentingOwner, id: string, shown: string) =>
  `${shown}${sign(purpose, JSON.stringify([id, ownerId, session, shown]))}`;

/** The app as the owner is shown it now, with what it asks for. */
async function shownNow(tx: Change, owner: ConsentingOwner, { appId, scopes: asked, declaredScopes }: HeldRequest) {
  return shownHash(await describeRequestingApp(owner, await readHeld(tx, appId), tx), asked, declaredScopes);
}

/** @throws {AppError} saying why the owner cannot decide the request, if so: 404, 409 when it was decided, 410 */
export async function assertPending(
  which: ConsentKind,
  owner: ConsentingOwner,
  id: string,
  on?: Executor,
): Promise<void> {
  const request = await sql<{ decided: boolean; expired: boolean }>`
    SELECT decided_at IS NOT NULL AS decided, expires_at <= now() AS expired
    FROM ${identifier(which.table)} WHERE id = ${id} AND owner_id = ${owner.ownerId}`.row(on);
  if (!request) throw notFound();
  if (request.decided) throw new AppError(409, "You have already decided this");
  if (request.expired) throw new AppError(410, which.expiredMessage);
}

/**
 * Decide a request, once. What was ticked is cut down to what was asked; the grant gains what is new, each with its time, and
 * loses what stood ticked and was unticked. Allowing nothing is denying, and denying changes nothing. Allowing an app that is
 * not as it was shown is refused, and allowing what is sensitive takes a fresh sign-in; then the request stays open.
 * @param hold reads the request, and holds its app
 * @param complete is given the grant and the allowed scopes; neither where it was denied
 * @throws {AppError} 403 when the form was not made for this owner and session; AppChanged, 409; SignInAgain, 403; else as
 *   assertPending; 400 when something is left out without which the app cannot work, as it says
 */
export async function recordConsentDecision<R extends HeldRequest, T>(
  which: ConsentKind,
  owner: ConsentingOwner,
  id: string,
  decision: ConsentDecision,
  hold: (tx: Change) => Promise<R>,
  complete: (tx: Change, request: R, granted?: { grantId: string; allowed: Scope[] }) => Promise<T>,
): Promise<Exclude<T, Error>> {
  const { csrf, allow, scopes: ticked, integrationIds, days } = validate(ConsentDecision, decision);
  if (!isId(which.prefix, id)) throw notFound();
  const shown = csrf.slice(0, shownLength);
  if (!constantTimeEqual(csrf, csrfToken(which, owner, id, shown)))
    throw new AppError(403, "This form belongs to another session. Reload the page");
  return change(owner, async (tx) => {
    // Taken first, so that nobody can decide it again.
    const taken = await sql`UPDATE ${identifier(which.table)} SET decided_at = now()
      WHERE id = ${id} AND owner_id = ${owner.ownerId} AND decided_at IS NULL AND expires_at > now()`.run(tx);
    if (taken === 0) await assertPending(which, owner, id, tx);
    const request = await hold(tx);
    const allowed = allow ? scopeNames.filter((scope) => request.scopes.includes(scope) && ticked.includes(scope)) : [];
    if (allowed.length === 0) return complete(tx, request);
    if ((await shownNow(tx, owner, request)) !== shown) throw appChanged();
    if (allowed.some((scope) => sensitiveScopes.has(scope))) requireRecentSignIn(owner);
    refuseWithoutRequired(request, allowed);
    const { ownerId } = owner;
    const { id: grantId } = await getOrCreateGrant(tx, ownerId, request.appId);
    await setGrantExpiry(tx, grantId, days);
    const unticked = request.scopes.filter(isScope).filter((scope) => !allowed.includes(scope));
    const removed = await removeScopes(tx, grantId, unticked, request.createdAt);
    const added = await addScopes(tx, grantId, allowed);
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
    throw new AppError(400, `The app cannot work without “${scopes[missing].sentence}”: allow that too, or deny`);
}
