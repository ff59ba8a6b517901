import { randomBytes } from "node:crypto";
import { calculatePKCECodeChallenge, randomPKCECodeVerifier } from "openid-client";
import type { SessionOwner } from "@/lib/actor";
import { env } from "@/lib/config/env";
import { db } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { AppError, badRequest, notFound, unavailable } from "@/lib/errors";
import { change } from "@/lib/events/change-transaction";
import { homeDigitsOf } from "@/lib/ids";
import { seal, unseal } from "@/lib/keys/crypto";
import { hashSecret } from "@/lib/keys/secret-tokens";
import { log } from "@/lib/log";
import { consumeAttempt } from "@/lib/owners/fixed-window-limiter";
import { requireRecentSignIn } from "@/lib/owners/sessions";
import { oauthOf, providerById, scopesFor } from "./provider-catalog";
import type { Access } from "./providers/access-types";
import { LinkDenied, type LinkState } from "./providers/oauth-provider";
import { type Linked, type Provider, ProviderFault } from "./providers/provider";
import { providerMilliseconds } from "./providers/provider-fetch";
import { AccountMismatch, storeLinkedAccount } from "./store-account";

/*
 * The form that leads to a provider is plain HTML. Browsers allow a form to redirect only to our
 * own origins, so `/integrations/begin` responds with a page that continues to the provider
 * (`continuesAt` in `lib/form-action.ts`). The URL of the form's page contains the selection, so
 * the selection is kept if the owner must sign in again.
 */

/**
 * An owner with the session in which linking began. The owner must return to us in the same
 * session.
 */
export type LinkingOwner = SessionOwner & { readonly session: string };

/**
 * The outcome of linking. `other_account` means that the owner chose a different account than the
 * one to reconnect, so its data was not stored.
 */
export type LinkOutcome =
  | { kind: "linked" | "relinked"; integrationId: string }
  | { kind: "other_account"; integrationId: string; email: string }
  | { kind: "denied" }
  | { kind: "failed"; reason: "expired" | "not_yours" | "provider" };

/**
 * The maximum number of an owner's attempts to link within these seconds. Each attempt calls the
 * provider.
 */
const attempts = { max: 30, seconds: 600 };

/**
 * Returns a provider's redirect URI. Each provider has its own, so that no provider's response can
 * be mistaken for another's (RFC 9700 section 4.4).
 */
export const redirectUriOf = (provider: string) => `${env().publicUrl}/integrations/callback/${provider}`;

/**
 * Begins to link or reconnect an account. The owner must return once, in the same session, within
 * ten minutes.
 * @param link `asked` is the access that the owner selected, and `integrationId` the account to
 *   reconnect
 * @returns the URL to which to redirect the browser
 * @throws {SignInAgain} if the sign-in is not recent
 * @throws {AppError} 404 for an unknown provider or account; 400 for access that the provider
 *   doesn't offer; 409 if the provider is not set up; 429; 503 if the provider is unreachable
 */
export async function beginLink(
  owner: LinkingOwner,
  { provider: id, asked, integrationId }: { provider: string; asked: readonly Access[]; integrationId?: string },
): Promise<{ location: string }> {
  requireRecentSignIn(owner);
  const provider = providerById(id);
  if (provider?.kind !== "oauth") throw notFound();
  if (!provider.ready)
    throw new AppError(
      409,
      `${provider.name} is not set up on this service. Ask the operator to set up ${provider.name}.`,
    );
  const foreign = asked.find((access) => !provider.offers.includes(access));
  if (foreign) throw badRequest(`${provider.name} does not offer ${foreign}`, "access");
  const again = integrationId === undefined ? undefined : await accountOf(owner, id, integrationId);
  await consumeAttempt("link", owner.ownerId, attempts, "Too many attempts. Try again in a few minutes.");

  const state = `${randomBytes(32).toString("base64url")}${homeDigitsOf(owner)}`;
  const nonce = randomBytes(32).toString("base64url");
  const verifier = randomPKCECodeVerifier();
  const challenge = await calculatePKCECodeChallenge(verifier);
  const wanted = { scopes: scopesFor(id, asked), state, nonce, challenge, redirectUri: redirectUriOf(id), again };
  const { location, scopes } = await oauthOf(id)
    .authorize(wanted, AbortSignal.timeout(providerMilliseconds))
    .catch((error) => {
      throw refusalOf(error, provider);
    });
  const hash = hashSecret(state);
  const secrets: LinkSecrets = { nonce, verifier, scopes };
  const sealed = seal(purpose, JSON.stringify(secrets), hash.toString("hex"));
  await sql`
    INSERT INTO link_attempt (
      state_hash, owner_id, session_id, provider, asked, integration_id, sealed, expires_at
    )
    VALUES (
      ${hash}, ${owner.ownerId}, ${owner.session}, ${id}, ${[...asked]}, ${integrationId ?? null},
      ${sealed}, now() + interval '10 minutes'
    )`.run();
  return { location };
}

const purpose = "link-attempt";
type LinkSecrets = Pick<LinkState, "nonce" | "verifier" | "scopes">;

async function accountOf({ ownerId }: LinkingOwner, provider: string, id: string): Promise<{ email: string }> {
  const account = await db.integration.findFirst({ where: { id, ownerId, provider }, select: { email: true } });
  if (!account) throw notFound();
  return account;
}

function refusalOf(error: unknown, { id, name }: Provider): unknown {
  if (!(error instanceof ProviderFault)) return error;
  log.info("could not send an owner to a provider", { provider: id, reason: error.message });
  if (error.reason === "provider_misbehaves")
    return unavailable(
      `${name} sent a response that we couldn’t use. Try again later, or ask the operator to check the service’s log.`,
    );
  return unavailable(`Couldn’t connect to ${name}. Try again in a few minutes.`);
}

/**
 * Handles an owner's return from a provider. Has no effect unless the owner returns in the session
 * that began the attempt.
 * @param currentUrl the URL that the provider redirected to; only its query is used
 */
export async function finishLink(owner: LinkingOwner, provider: string, currentUrl: URL): Promise<LinkOutcome> {
  const [state, ...more] = currentUrl.searchParams.getAll("state");
  const attempt = state && more.length === 0 ? await claim(owner, provider, state) : "expired";
  if (typeof attempt === "string") return { kind: "failed", reason: attempt };
  const linked = await exchange(provider, currentUrl, attempt.kept);
  if (!("account" in linked)) return linked;
  const { asked, integrationId } = attempt;
  try {
    const { ownerId } = owner;
    const kept = await change(owner, (tx) =>
      storeLinkedAccount(tx, { ownerId, provider, asked, linked, integrationId }),
    );
    return { kind: kept.again ? "relinked" : "linked", integrationId: kept.id };
  } catch (error) {
    if (error instanceof AccountMismatch && integrationId)
      return { kind: "other_account", integrationId, email: linked.account.email };
    throw error;
  }
}

/** The length of a state before the digits of the owner's home. */
const randomDigits = 43;

type LinkAttempt = { kept: LinkState; asked: Access[]; integrationId: string | undefined };

/**
 * Marks a stored attempt as used and returns it, or returns why this owner can't use it. Leaves the
 * attempts of other owners and sessions unchanged.
 */
async function claim(
  { ownerId, session }: LinkingOwner,
  provider: string,
  state: string,
): Promise<LinkAttempt | "expired" | "not_yours"> {
  const hash = hashSecret(state);
  const found = await sql<{ sealed: Uint8Array; asked: Access[]; integration_id: string | null }>`
    UPDATE link_attempt
    SET used_at = now()
    WHERE state_hash = ${hash}
      AND owner_id = ${ownerId}
      AND session_id = ${session}
      AND provider = ${provider}
      AND used_at IS NULL
      AND expires_at > now()
    RETURNING sealed, asked, integration_id`.row();
  if (found) {
    const secrets = JSON.parse(unseal(purpose, found.sealed, hash.toString("hex"))) as LinkSecrets;
    return { kept: { state, ...secrets }, asked: found.asked, integrationId: found.integration_id ?? undefined };
  }
  const there = await sql<{ theirs: boolean }>`
    SELECT owner_id = ${ownerId} AND session_id = ${session} AS theirs
    FROM link_attempt
    WHERE state_hash = ${hash}`.row();
  if (there) return there.theirs ? "expired" : "not_yours";
  // Another shard stores the attempts of an owner with another home.
  const home = state.slice(randomDigits);
  return home !== "" && home !== homeDigitsOf({ ownerId }) ? "not_yours" : "expired";
}

async function exchange(provider: string, { search }: URL, kept: LinkState): Promise<Linked | LinkOutcome> {
  const callback = new URL(redirectUriOf(provider));
  callback.search = search;
  try {
    return await oauthOf(provider).exchange(callback, kept, AbortSignal.timeout(providerMilliseconds));
  } catch (error) {
    if (error instanceof LinkDenied) return { kind: "denied" };
    if (!(error instanceof ProviderFault)) throw error;
    log.info("could not link an account", { provider, reason: error.message });
    return { kind: "failed", reason: "provider" };
  }
}
