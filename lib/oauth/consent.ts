import type { OwnerActor } from "@/lib/actor";
import { lockApp } from "@/lib/apps/lock-app";
import { redirectAllowed, redirectHost, redirectKind } from "@/lib/apps/redirect-uris";
import { readDeclared } from "@/lib/apps/schema";
import { db } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { badRequest, notFound } from "@/lib/errors";
import type { Change } from "@/lib/events/change-transaction";
import { describeRequestingApp, registrarOf } from "@/lib/grants/requesting-app";
import type { ConsentDecision, ConsentView } from "@/lib/grants/schema";
import { isId, newId } from "@/lib/ids";
import { hashSecret, newSecret } from "@/lib/keys/secret-tokens";
import type { Scope } from "@/lib/scopes";
import { readAuthorization, returnTo } from "./authorization-request";
import {
  assertPending,
  type ConsentingOwner,
  type ConsentKind,
  csrfToken,
  recordConsentDecision,
} from "./consent-decision";
import { buildConsentOffer, shownHash } from "./consent-offer";
import { tokenFamilyId } from "./token-issuance";

const consent: ConsentKind = {
  prefix: "con",
  table: "consent_request",
  purpose: "consent",
  expiredMessage: "This request has expired. Start again from the app.",
};

/**
 * Stores an app's request, which the owner can decide within ten minutes.
 * @param asker see findClient
 * @throws as readAuthorization
 */
export async function requestConsent(query: URLSearchParams, asker: string): Promise<{ id: string }> {
  const { client, redirectUri, state, scopes, codeChallenge, resource } = await readAuthorization(query, asker);
  const id = newId("con");
  await sql`
    INSERT INTO consent_request (
      id, app_id, redirect_uri, scopes, state, code_challenge, resource, expires_at
    )
    VALUES (
      ${id}, ${client.clientId}, ${redirectUri}, ${scopes}, ${state ?? null}, ${codeChallenge},
      ${resource}, now() + interval '10 minutes'
    )`.run();
  return { id };
}

/**
 * Returns the content of the consent page. Only the first owner who opens a request can decide it.
 * @throws {AppError} 404 for an unknown or another owner's request, 409 if it was decided, 410 if
 * it expired
 */
export async function readConsent(owner: ConsentingOwner, id: string): Promise<ConsentView> {
  if (!isId("con", id)) throw notFound();
  await sql`
    UPDATE consent_request
    SET owner_id = ${owner.ownerId}
    WHERE id = ${id} AND owner_id IS NULL`.run();
  const request = await db.consentRequest.findFirst({
    where: { id, ownerId: owner.ownerId },
    include: { app: true },
  });
  if (!request || request.app.deletedAt) throw notFound();
  await assertPending(consent, owner, id);
  const kind = redirectKind(request.redirectUri);
  const app = await describeRequestingApp(owner, request.app, await registrarOf(request.app));
  const shown = shownHash(app, request.scopes, readDeclared(request.app.declaredScopes));
  return {
    id,
    csrf: csrfToken(consent, owner, id, shown),
    app,
    redirectHost: redirectHost(request.redirectUri),
    localApp: kind !== "https",
    returnUrlKind: kind,
    ...(await buildConsentOffer(owner, request)),
  };
}

/** Returns the ID of the app's latest request that the owner has opened and can still decide. */
export async function openRequest({ ownerId }: OwnerActor, appId: string): Promise<string | undefined> {
  const open = await sql<{ id: string }>`
    SELECT id
    FROM consent_request
    WHERE owner_id = ${ownerId} AND app_id = ${appId} AND decided_at IS NULL AND expires_at > now()
    ORDER BY expires_at DESC LIMIT 1`.row();
  return open?.id;
}

/**
 * Decides a request as in `recordConsentDecision`.
 * @returns the URL to which to redirect the browser: the app's redirect URI with a code or
 * `access_denied`
 */
export async function decideConsent(
  owner: ConsentingOwner,
  id: string,
  decision: ConsentDecision,
): Promise<{ redirectTo: string }> {
  const redirectTo = await recordConsentDecision(consent, owner, id, decision, hold(id), async (tx, request, given) =>
    returnTo(
      request,
      given
        ? { code: await issueCode(tx, request, { ...given, ownerId: owner.ownerId }) }
        : { error: "access_denied", error_description: "The owner denied the request" },
    ),
  );
  return { redirectTo };
}

const hold = (id: string) => async (tx: Change) => {
  const request = await tx.consentRequest.findUniqueOrThrow({ where: { id } });
  const { redirectUris, declaredScopes } = await lockApp(tx, request.appId);
  if (!redirectAllowed(redirectUris, request.redirectUri))
    throw badRequest("The app no longer allows this request’s return address. Go back to the app and connect again.");
  return { ...request, declaredScopes };
};
type LockedRequest = Awaited<ReturnType<ReturnType<typeof hold>>>;

type Granted = { ownerId: string; grantId: string; allowed: Scope[] };

async function issueCode(tx: Change, request: LockedRequest, given: Granted): Promise<string> {
  const { ownerId, grantId, allowed } = given;
  const code = newSecret("ac", { ownerId });
  await sql`
    INSERT INTO authorization_code (
      hash, app_id, owner_id, grant_id, family_id, redirect_uri, code_challenge, scopes, resource,
      created_at, expires_at
    )
    SELECT ${hashSecret(code)}, ${request.appId}, ${ownerId}, ${grantId},
      ${tokenFamilyId(code)}, ${request.redirectUri}, ${request.codeChallenge}, ${allowed}::text[],
      ${request.resource}, moment.at, moment.at + interval '60 seconds'
    FROM (SELECT clock_timestamp() AS at) AS moment`.run(tx);
  return code;
}
