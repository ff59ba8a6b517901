import type { OwnerActor, SessionOwner } from "@/lib/actor";
import { redirectAllowed, redirectHost, redirectKind } from "@/lib/apps/redirects";
import { hashSecret, newSecret, sameText, sign } from "@/lib/crypto";
import { db, type Transaction } from "@/lib/db";
import { AppError, badRequest, notFound } from "@/lib/errors";
import { record } from "@/lib/events/events";
import { announce } from "@/lib/events/hub";
import { isId, newId } from "@/lib/ids";
import { requireFresh } from "@/lib/owners/sessions";
import { isScope, type Scope, scopeNames, scopes, sensitiveScopes } from "@/lib/scopes";
import { validate } from "@/lib/validate";
import { readAuthorization, returnTo } from "./authorize";
import { addScopes, openGrant } from "./open";
import { ConsentDecision, type ConsentView } from "./schema";

/** The owner in one browser session: what a consent form is made for. */
type Visitor = SessionOwner & { session: string };

/**
 * Keep what an app asks for, for ten minutes, until the owner decides.
 * @throws as readAuthorization
 */
export async function requestConsent(query: URLSearchParams): Promise<{ id: string }> {
  const { client, redirectUri, state, scopes, codeChallenge, resource } = await readAuthorization(query);
  const id = newId("con");
  await db.$executeRaw`
    INSERT INTO consent_request (id, app_id, redirect_uri, scopes, state, code_challenge, resource, expires_at)
    VALUES (${id}, ${client.clientId}, ${redirectUri}, ${scopes}, ${state ?? null}, ${codeChallenge}, ${resource},
      now() + interval '10 minutes')`;
  return { id };
}

/**
 * What the consent page shows. The first owner to open a request is the only one who can decide it.
 * @throws {AppError} 404 for an unknown request or another owner's, 409 when it was decided, 410 when its time is up
 */
export async function readConsent(owner: Visitor, id: string): Promise<ConsentView> {
  if (!isId("con", id)) throw notFound();
  await db.$executeRaw`UPDATE consent_request SET owner_id = ${owner.ownerId} WHERE id = ${id} AND owner_id IS NULL`;
  const request = await db.consentRequest.findFirst({
    where: { id, ownerId: owner.ownerId },
    include: { app: { include: { owner: true } } },
  });
  if (!request || request.app.deletedAt) throw notFound();
  await stillOpen(db, owner, id);
  const grant = await liveGrant(owner, request.appId);
  const granted = new Map(
    // What was granted meanwhile counts as not yet granted, so that leaving its box empty takes nothing back.
    grant?.scopes.filter((it) => it.grantedAt <= request.createdAt).map((it) => [it.scope, it.grantedAt.getTime()]),
  );
  const shared = new Set(grant?.integrations.map(({ integrationId }) => integrationId));
  const linked = await db.integration.findMany({
    where: { ownerId: owner.ownerId, status: { not: "disconnected" } },
    orderBy: { id: "asc" },
  });
  const kind = redirectKind(request.redirectUri);
  const described = (scope: Scope) => {
    const grantedAt = granted.get(scope);
    return { scope, sentence: scopes[scope].sentence, ...(grantedAt !== undefined && { grantedAt }) };
  };
  return {
    id,
    csrf: formTag(owner, id),
    app: {
      clientId: request.appId,
      name: request.app.name,
      registeredAt: request.app.createdAt.getTime(),
      registeredBy: request.app.owner.name,
      yours: request.app.ownerId === owner.ownerId,
    },
    redirectHost: redirectHost(request.redirectUri),
    localApp: kind !== "https",
    returnUrlKind: kind,
    requested: scopeNames
      .filter((scope) => request.scopes.includes(scope))
      .map((scope) => ({ ...described(scope), sensitive: sensitiveScopes.has(scope) })),
    alreadyGranted: scopeNames
      .filter((scope) => !request.scopes.includes(scope))
      .map(described)
      .flatMap(({ grantedAt, ...it }) => (grantedAt === undefined ? [] : [{ ...it, grantedAt }])),
    integrations: linked.map(({ id, provider, email, label }) => ({
      id,
      provider,
      email,
      ...(label !== null && { label }),
      shared: shared.has(id),
    })),
    firstTime: grant === null,
    ...(grant?.expiresAt && { grantExpiresAt: grant.expiresAt.getTime() }),
  };
}

async function liveGrant({ ownerId }: OwnerActor, appId: string) {
  const [{ now }] = await db.$queryRaw<[{ now: Date }]>`SELECT now()`;
  return db.grant.findFirst({
    where: { ownerId, appId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    include: { scopes: true, integrations: true },
  });
}

/** Made for one request, owner and browser session; nobody else can make it. */
const formTag = ({ ownerId, session }: Visitor, id: string) => sign("consent", JSON.stringify([id, ownerId, session]));

/**
 * Decide a request, once. What was ticked is cut down to what was asked; the grant gains what is new, each with its time,
 * and loses what stood ticked and was unticked. Allowing nothing is denying, and denying changes nothing. Allowing what is
 * sensitive takes a fresh sign-in; without one the request stays open.
 * @returns where to send the browser, with 303: the app's address with a code or `access_denied`
 * @throws {AppError} 403 when the form was not made for this owner and session; SignInAgain, 403; else as readConsent; 400
 */
export async function decideConsent(
  owner: Visitor,
  id: string,
  decision: ConsentDecision,
): Promise<{ redirectTo: string }> {
  const { csrf, allow, scopes: ticked, integrationIds, days } = validate(ConsentDecision, decision);
  if (!isId("con", id)) throw notFound();
  if (!sameText(csrf, formTag(owner, id))) throw new AppError(403, "This form was made for another session. Reload it");
  const redirectTo = await db.$transaction(async (tx) => {
    const request = await claim(tx, owner, id);
    const allowed = allow ? scopeNames.filter((scope) => request.scopes.includes(scope) && ticked.includes(scope)) : [];
    if (allowed.length === 0) {
      return returnTo(request, { error: "access_denied", error_description: "The owner said no" });
    }
    if (allowed.some((scope) => sensitiveScopes.has(scope))) requireFresh(owner);
    const { grantId, changed } = await grantScopes(tx, owner, request, allowed, days);
    const shared = await share(tx, owner, grantId, integrationIds);
    await record(tx, {
      ...{ ownerId: owner.ownerId, appId: request.appId, type: "grant.changed", subject: grantId },
      data: { ...changed, integrations: shared, ...(days && { days }) },
    });
    return returnTo(request, { code: await issueCode(tx, grantId, request, allowed) });
  });
  announce(owner.ownerId);
  return { redirectTo };
}

type Claimed = {
  appId: string;
  redirectUri: string;
  scopes: string[];
  state?: string;
  codeChallenge: string;
  resource: string;
  createdAt: Date;
};

/** Take the request so that nobody can decide it again, and hold the app so that it cannot be deleted meanwhile. */
async function claim(tx: Transaction, owner: Visitor, id: string): Promise<Claimed> {
  const claimed = await tx.$executeRaw`
    UPDATE consent_request SET decided_at = now()
    WHERE id = ${id} AND owner_id = ${owner.ownerId} AND decided_at IS NULL AND expires_at > now()`;
  if (claimed === 0) await stillOpen(tx, owner, id);
  const request = await tx.consentRequest.findUniqueOrThrow({ where: { id } });
  const [app] = await tx.$queryRaw<{ redirect_uris: string[] }[]>`
    SELECT redirect_uris FROM app WHERE id = ${request.appId} AND deleted_at IS NULL FOR SHARE`;
  if (!app) throw notFound();
  if (!redirectAllowed(app.redirect_uris, request.redirectUri)) {
    throw badRequest("The app no longer has the address that the answer would go to");
  }
  const { state, ...rest } = request;
  return { ...rest, ...(state !== null && { state }) };
}

/** @throws {AppError} saying why the owner cannot decide the request, if so */
async function stillOpen(tx: Pick<Transaction, "$queryRaw">, { ownerId }: OwnerActor, id: string) {
  const [request] = await tx.$queryRaw<{ decided: boolean; over: boolean }[]>`
    SELECT decided_at IS NOT NULL AS decided, expires_at <= now() AS over
    FROM consent_request WHERE id = ${id} AND owner_id = ${ownerId}`;
  if (!request) throw notFound();
  if (request.decided) throw new AppError(409, "You have already decided this");
  if (request.over) throw new AppError(410, "This request is too old. Start again from the app");
}

async function grantScopes(
  tx: Transaction,
  { ownerId }: OwnerActor,
  request: Claimed,
  allowed: Scope[],
  days: number | undefined,
) {
  const { id: grantId } = await openGrant(tx, ownerId, request.appId);
  await tx.$executeRaw`
    UPDATE app_grant SET expires_at = now() + make_interval(days => ${days ?? null}::int) WHERE id = ${grantId}`;
  const unticked = request.scopes.filter(isScope).filter((scope) => !allowed.includes(scope));
  const removed = await tx.$queryRaw<{ scope: string }[]>`
    DELETE FROM grant_scope WHERE grant_id = ${grantId} AND scope = ANY (${unticked}) AND granted_at <= ${request.createdAt}
    RETURNING scope`;
  const added = await addScopes(tx, grantId, allowed);
  return { grantId, changed: { added, removed: removed.map(({ scope }) => scope) } };
}

/** The linked accounts that were shown, shared as ticked. */
async function share(tx: Transaction, { ownerId }: OwnerActor, grantId: string, ticked: string[]): Promise<string[]> {
  const shown = { ownerId, status: { not: "disconnected" } };
  const own = await tx.integration.findMany({ where: { ...shown, id: { in: ticked } }, select: { id: true } });
  const wanted = own.map(({ id }) => id);
  await tx.grantIntegration.deleteMany({ where: { grantId, integrationId: { notIn: wanted }, integration: shown } });
  const data = wanted.map((integrationId) => ({ grantId, integrationId }));
  await tx.grantIntegration.createMany({ data, skipDuplicates: true });
  return wanted;
}

async function issueCode(tx: Transaction, grantId: string, request: Claimed, allowed: Scope[]): Promise<string> {
  const code = newSecret("ac");
  await tx.$executeRaw`
    INSERT INTO authorization_code (hash, app_id, grant_id, family_id, redirect_uri, code_challenge, scopes, resource, expires_at)
    VALUES (${hashSecret(code)}, ${request.appId}, ${grantId}, ${newId("fam")}, ${request.redirectUri},
      ${request.codeChallenge}, ${allowed}, ${request.resource}, now() + interval '60 seconds')`;
  return code;
}
