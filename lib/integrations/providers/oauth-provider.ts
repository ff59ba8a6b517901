import { AuthorizationResponseError, type TokenEndpointResponse } from "openid-client";
import { clock } from "@/lib/clock";
import { log } from "@/lib/log";
import { allowsPrivate } from "@/lib/net/guarded-fetch";
import { textProblem } from "@/lib/text/text-problems";
import { toProviderFault } from "./map-provider-errors";
import {
  type Credential,
  type Linked,
  type OAuthCredential,
  type ProviderClient,
  ProviderFault,
  type Renewed,
} from "./provider";

/** Parameters for sending an owner to a provider. */
export type ProviderRequest = {
  /** Scopes in addition to those for identity. */
  scopes: readonly string[];
  state: string;
  nonce: string;
  /** PKCE S256 (RFC 7636). */
  challenge: string;
  redirectUri: string;
  /** The account to reconnect. Absent if the owner chooses an account at the provider. */
  again?: { email: string } | undefined;
};

/** The state that we store while the owner is at the provider. */
export type LinkState = {
  state: string;
  nonce: string;
  verifier: string;
  /**
   * The requested scopes. They count as granted if the provider reports no scopes (RFC 6749 section
   * 5.1).
   */
  scopes: string[];
};

/** A provider that uses the authorization code flow. Every call ends when `signal` aborts. */
export type OAuthProvider = ProviderClient & {
  /**
   * Prepares to redirect an owner to the provider.
   * @returns the URL for the browser, and all requested scopes
   * @throws {ProviderFault}
   */
  authorize(asking: ProviderRequest, signal: AbortSignal): Promise<{ location: string; scopes: string[] }>;
  /**
   * Verifies the provider's response, and exchanges its code.
   * @param callback the redirect URI with the query that the browser sent
   * @throws {LinkDenied | ProviderFault}
   */
  exchange(callback: URL, kept: LinkState, signal: AbortSignal): Promise<Linked>;
};

/** Thrown if the owner denied the request at the provider. */
export class LinkDenied extends Error {}

/**
 * Errors that mean that the owner did not consent (RFC 6749 section 4.1.2.1, OpenID Connect Core
 * section 3.1.2.6).
 */
const denials = ["access_denied", "consent_required", "interaction_required", "login_required"];

/**
 * Waits until openid-client has exchanged a code, and returns the result.
 * @throws {LinkDenied} if the callback reports a denial
 */
export async function rejectDenied<T>(redeeming: Promise<T>): Promise<T> {
  try {
    return await redeeming;
  } catch (error) {
    if (error instanceof AuthorizationResponseError && denials.includes(error.error)) throw new LinkDenied();
    throw error;
  }
}

/** The remaining lifetime below which any check renews a token, in milliseconds. */
const soon = 5 * 60_000;

export const expiresSoon = ({ expiresAt }: OAuthCredential) =>
  expiresAt !== undefined && expiresAt - clock.now() < soon;

/**
 * Returns the credential if this authorization server issued it.
 * @throws {ProviderFault} if another server issued it, or if it is not an OAuth credential
 */
export function requireOAuthCredential(server: string, credential: Credential): OAuthCredential {
  if (credential.kind === "oauth" && (credential.server ?? server) === server) return credential;
  throw new ProviderFault("not_configured", false, "the stored credential does not belong to the configured server");
}

/**
 * Runs a call to a provider. Logs invalid responses, which may concern an operator.
 * @throws {LinkDenied}
 * @throws {ProviderFault} for anything else that the provider causes
 */
export async function callProvider<T>(provider: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LinkDenied) throw error;
    const fault = toProviderFault(error);
    if (fault.reason === "provider_misbehaves")
      log.warn("a provider sent an invalid response", { provider, reason: fault.message });
    throw fault;
  }
}

export const accessRefused = () =>
  new ProviderFault("revoked_at_provider", true, "the provider no longer accepts the access token");

type Looking = { renew: boolean; renewed(): Promise<Renewed>; look: (() => Promise<Renewed>) | undefined };

/**
 * Checks whether a credential still works. Renews a credential that has a refresh token if `renew`
 * is set, the credential expires soon, there is no `look`, or the provider rejects the access
 * token. Otherwise, only calls `look`.
 * @param look reads the account, if the provider has an endpoint for it; throws `accessRefused()`
 * if the access token is rejected
 * @throws {ProviderFault} for an expired credential without a refresh token, and for provider
 * errors
 */
export async function checkCredential(held: OAuthCredential, { renew, renewed, look }: Looking): Promise<Renewed> {
  const { refreshToken, expiresAt } = held;
  if (!refreshToken && expiresAt !== undefined && expiresAt <= clock.now())
    throw new ProviderFault("refresh_exhausted", true, "the credential expired and cannot be refreshed");
  if (refreshToken && (renew || expiresSoon(held) || !look)) return renewed();
  try {
    return (await look?.()) ?? {};
  } catch (error) {
    if (refreshToken && error instanceof ProviderFault && error.reason === "revoked_at_provider") return renewed();
    throw error;
  }
}

/**
 * Returns a token endpoint's response as a credential.
 * @param scopes the scopes to assume if the provider reports none (RFC 6749 sections 5.1 and 6)
 * @param separator separates scopes in the provider's list
 */
export function credentialOf(
  tokens: TokenEndpointResponse,
  { server, scopes: requested, separator = " " }: { server: string; scopes: string[]; separator?: string | RegExp },
): OAuthCredential {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, scope } = tokens;
  return {
    kind: "oauth",
    accessToken,
    ...(refreshToken && { refreshToken }),
    ...(seconds !== undefined && { expiresAt: clock.now() + Math.min(seconds, maxLifetimeSeconds) * 1000 }),
    scopes: scope === undefined ? requested : scopeList(scope, separator),
    server,
  };
}
/**
 * The maximum lifetime of a token, in seconds: ten years. A larger value from a provider could
 * exceed the range of dates.
 */
const maxLifetimeSeconds = 315_360_000;

/**
 * Returns a renewal's response as a credential. Keeps the values that the response does not
 * replace.
 */
export function renewalOf(
  tokens: TokenEndpointResponse,
  server: string,
  held: OAuthCredential,
  separator?: string | RegExp,
): Renewed & { credential: OAuthCredential } {
  const { refreshToken, scopes } = held;
  const given = credentialOf(tokens, { server, scopes, ...(separator && { separator }) });
  return { credential: { ...(refreshToken && { refreshToken }), ...given }, scopes: given.scopes };
}

/**
 * Parses a list of scopes. Drops those with invalid characters (RFC 6749 section 3.3).
 * @param separator separates scopes in the provider's list
 */
export const scopeList = (text: string, separator: string | RegExp): string[] => [
  ...new Set(text.split(separator).filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]{1,500}$/.test(scope))),
];

/**
 * Returns the first value that is displayable text of at most `max` characters; undefined if there
 * is none.
 */
export const firstDisplayable = (max: number, ...texts: unknown[]): string | undefined =>
  texts.find((each): each is string => typeof each === "string" && !textProblem(each, { max }));

/**
 * Returns the address if browsers may be redirected there. It must be https, or an http origin that
 * the operator allows.
 * @throws {ProviderFault} for any other address
 */
export function requireSafeRedirect(address: URL): URL {
  const secure = address.protocol === "https:" || (address.protocol === "http:" && allowsPrivate(address));
  if (secure && !address.username && !address.password) return address;
  throw new ProviderFault("provider_misbehaves", false, "the authorization_endpoint is not https");
}
