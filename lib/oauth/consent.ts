import type { OwnerActor, SessionOwner } from "@/lib/actor";
import { redirectAllowed, redirectHost, redirectKind } from "@/lib/apps/redirects";
import { db, pool } from "@/lib/db";
import { AppError, badRequest, notFound } from "@/lib/errors";
import { type Change, change } from "@/lib/events/change";
import { describeAsker } from "@/lib/grants/asker";
import { ConsentDecision, type ConsentView } from "@/lib/grants/schema";
import { hashSecret, newSecret, sameText, sign } from "@/lib/keys/crypto";
import { isId, newId } from "@/lib/keys/ids";
import { requireFresh } from "@/lib/owners/sessions";
import { type Scope, scopeNames, sensitiveScopes } from "@/lib/scopes";
import { type On, row, run, sql } from "@/lib/sql";
import { validate } from "@/lib/text/validate";
import { readAuthorization, returnTo } from "./authorize";
import { give } from "./give";
import { familyOf } from "./issue";
import { offer } from "./offer";

/** The owner in one browser session: what a consent form is made for. */
type Visitor = SessionOwner & { session: string };

/**
 * Keep what an app asks for, for ten minutes, until the owner decides.
 * @param asker as findClient
 * @throws as readAuthorization
 */
export async function requestConsent(query: URLSearchParams, asker: string): Promise<{ id: string }> {
  const { client, redirectUri, state, scopes, codeChallenge, resource } = await readAuthorization(query, asker);
  const id = newId("con");
  await run(sql`INSERT INTO consent_request (id, app_id, redirect_uri, scopes, state, code_challenge, resource, expires_at)
    VALUES (${id}, ${client.clientId}, ${redirectUri}, ${scopes}, ${state ?? null}, ${codeChallenge}, ${resource},
      now() + interval '10 minutes')`);
  return { id };
}

/**
 * What the consent page shows. The first owner to open a request is the only one who can decide it.
 * @throws {AppError} 404 for an unknown request or another owner's, 409 when it was decided, 410 when its time is up
 */
export async function readConsent(owner: Visitor, id: string): Promise<ConsentView> {
  if (!isId("con", id)) throw notFound();
  await run(sql`UPDATE consent_request SET owner_id = ${owner.ownerId} WHERE id = ${id} AND owner_id IS NULL`);
  const request = await db.consentRequest.findFirst({
    where: { id, ownerId: owner.ownerId },
    include: { app: { include: { owner: true } } },
  });
  if (!request || request.app.deletedAt) throw notFound();
  await stillOpen(pool(), owner, id);
  const kind = redirectKind(request.redirectUri);
  return {
    id,
    csrf: formTag(owner, id),
    app: await describeAsker(owner, request.app),
    redirectHost: redirectHost(request.redirectUri),
    localApp: kind !== "https",
    returnUrlKind: kind,
    ...(await offer(owner, request)),
  };
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
  if (!sameText(csrf, formTag(owner, id)))
    throw new AppError(403, "This form belongs to another session. Reload the page");
  const redirectTo = await change(owner, async (tx) => {
    const request = await claim(tx, owner, id);
    const allowed = allow ? scopeNames.filter((scope) => request.scopes.includes(scope) && ticked.includes(scope)) : [];
    if (allowed.length === 0) {
      return returnTo(request, { error: "access_denied", error_description: "The owner denied the request" });
    }
    if (allowed.some((scope) => sensitiveScopes.has(scope))) requireFresh(owner);
    const grantId = await give(tx, owner, request, { allowed, integrationIds, days });
    return returnTo(request, { code: await issueCode(tx, grantId, request, allowed) });
  });
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
async function claim(tx: Change, owner: Visitor, id: string): Promise<Claimed> {
  const claimed = await run(
    sql`UPDATE consent_request SET decided_at = now()
    WHERE id = ${id} AND owner_id = ${owner.ownerId} AND decided_at IS NULL AND expires_at > now()`,
    tx,
  );
  if (claimed === 0) await stillOpen(tx, owner, id);
  const request = await tx.consentRequest.findUniqueOrThrow({ where: { id } });
  const app = await row<{ redirect_uris: string[] }>(
    sql`SELECT redirect_uris FROM app WHERE id = ${request.appId} AND deleted_at IS NULL FOR SHARE`,
    tx,
  );
  if (!app) throw notFound();
  if (!redirectAllowed(app.redirect_uris, request.redirectUri)) {
    throw badRequest("The app no longer has the redirect address that the answer would go to");
  }
  const { state, ...rest } = request;
  return { ...rest, ...(state !== null && { state }) };
}

/** @throws {AppError} saying why the owner cannot decide the request, if so */
async function stillOpen(on: On, { ownerId }: OwnerActor, id: string) {
  const request = await row<{ decided: boolean; over: boolean }>(
    sql`SELECT decided_at IS NOT NULL AS decided, expires_at <= now() AS over
    FROM consent_request WHERE id = ${id} AND owner_id = ${ownerId}`,
    on,
  );
  if (!request) throw notFound();
  if (request.decided) throw new AppError(409, "You have already decided this");
  if (request.over) throw new AppError(410, "This request has expired. Start again from the app");
}

async function issueCode(tx: Change, grantId: string, request: Claimed, allowed: Scope[]): Promise<string> {
  const code = newSecret("ac");
  await run(
    sql`INSERT INTO authorization_code (hash, app_id, grant_id, family_id, redirect_uri, code_challenge, scopes, resource, expires_at)
    VALUES (${hashSecret(code)}, ${request.appId}, ${grantId}, ${familyOf(code)}, ${request.redirectUri},
      ${request.codeChallenge}, ${allowed}, ${request.resource}, now() + interval '60 seconds')`,
    tx,
  );
  return code;
}
