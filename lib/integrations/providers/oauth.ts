import { AuthorizationResponseError, type TokenEndpointResponse } from "openid-client";
import { log } from "@/lib/log";
import { allowsPrivate } from "@/lib/net/guarded-fetch";
import { textProblem } from "@/lib/text/text";
import {
  type Credential,
  type Linked,
  type OAuthCredential,
  type ProviderClient,
  ProviderFault,
  type Renewed,
} from "./provider";
import { toProviderFault } from "./provider-error";

/** With what an owner is sent to a provider. */
export type ProviderRequest = {
  /** Beside those that say who one is. */
  scopes: readonly string[];
  state: string;
  nonce: string;
  /** PKCE S256 (RFC 7636). */
  challenge: string;
  redirectUri: string;
  /** The account to be connected again; absent for one that is to be chosen there. */
  again?: { email: string } | undefined;
};

/** What we kept while they were there. */
export type LinkState = {
  state: string;
  nonce: string;
  verifier: string;
  /** The scopes that were asked for: what was granted when the provider does not say (RFC 6749 section 5.1). */
  scopes: string[];
};

/** A provider that owners are sent to and come back from with a code. Every call ends within `signal`. */
export type OAuthProvider = ProviderClient & {
  /**
   * Where to send the owner's browser.
   * @returns also every scope that is asked for
   * @throws {ProviderFault}
   */
  authorize(asking: ProviderRequest, signal: AbortSignal): Promise<{ location: string; scopes: string[] }>;
  /**
   * Take what the browser came back with: check it, and have the code for what it stands for.
   * @param callback the redirect address with the query that came back
   * @throws {LinkDenied | ProviderFault}
   */
  exchange(callback: URL, kept: LinkState, signal: AbortSignal): Promise<Linked>;
};

/** The owner denied the request at the provider. */
export class LinkDenied extends Error {}

/** What a provider says when its user did not agree (RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6). */
const denials = ["access_denied", "consent_required", "interaction_required", "login_required"];

/** The tokens that openid-client gets for a callback. @throws {LinkDenied} where it tells of a no instead */
export async function rejectDenied<T>(redeeming: Promise<T>): Promise<T> {
  try {
    return await redeeming;
  } catch (error) {
    if (error instanceof AuthorizationResponseError && denials.includes(error.error)) throw new LinkDenied();
    throw error;
  }
}

/** What ends sooner than this is renewed at any look (milliseconds). */
const soon = 5 * 60_000;

export const expiresSoon = ({ expiresAt }: OAuthCredential) => expiresAt !== undefined && expiresAt - Date.now() < soon;

/** @throws {ProviderFault} when it is no credential of this authorization server */
export function requireOAuthCredential(server: string, credential: Credential): OAuthCredential {
  if (credential.kind === "oauth" && (credential.server ?? server) === server) return credential;
  throw new ProviderFault("not_configured", false, "what we hold is of another server than the one that is set up");
}

/** Do what asks a provider. @throws {ProviderFault} for whatever is its doing, and logs what an operator may have to see to */
export async function callProvider<T>(provider: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LinkDenied) throw error;
    const fault = toProviderFault(error);
    if (fault.reason === "provider_misbehaves") log.warn("a provider misbehaves", { provider, reason: fault.message });
    throw fault;
  }
}

export const accessRefused = () =>
  new ProviderFault("revoked_at_provider", true, "it takes the access token no longer");

type Looking = { renew: boolean; renewed(): Promise<Renewed>; look: (() => Promise<Renewed>) | undefined };

/**
 * Whether a credential still works: what can be renewed is, where `renew` asks for that, it ends soon, or its access token is
 * refused; otherwise the provider is asked, where it has a page of the account.
 * @param look throws `accessRefused()` where the access token is refused
 */
export async function checkCredential(held: OAuthCredential, { renew, renewed, look }: Looking): Promise<Renewed> {
  const { refreshToken, expiresAt } = held;
  if (!refreshToken && expiresAt !== undefined && expiresAt <= Date.now())
    throw new ProviderFault("refresh_exhausted", true, "it ended and cannot be renewed");
  if (refreshToken && (renew || expiresSoon(held) || !look)) return renewed();
  try {
    return (await look?.()) ?? {};
  } catch (error) {
    if (refreshToken && error instanceof ProviderFault && error.reason === "revoked_at_provider") return renewed();
    throw error;
  }
}

/**
 * What a token endpoint gave us, as we keep it.
 * @param asked the scopes it has when the provider does not say (RFC 6749 sections 5.1 and 6)
 * @param separator of the provider's list of scopes
 */
export function credentialOf(
  tokens: TokenEndpointResponse,
  { server, scopes: asked, separator = " " }: { server: string; scopes: string[]; separator?: string | RegExp },
): OAuthCredential {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, scope } = tokens;
  return {
    kind: "oauth",
    accessToken,
    ...(refreshToken && { refreshToken }),
    ...(seconds !== undefined && { expiresAt: Date.now() + Math.min(seconds, longestSeconds) * 1000 }),
    scopes: scope === undefined ? asked : scopeList(scope, separator),
    server,
  };
}
/** Nothing is believed to last longer than ten years, which every calendar can count. */
const longestSeconds = 315_360_000;

/** The same for a renewal: what has no successor stays. */
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

/** A list of scopes as a provider writes it, without what no scope may be made of (RFC 6749 section 3.3). */
export const scopeList = (text: string, separator: string | RegExp): string[] => [
  ...new Set(text.split(separator).filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]{1,500}$/.test(scope))),
];

/** The first that is a text which people can be shown. */
export const firstDisplayable = (max: number, ...texts: unknown[]): string | undefined =>
  texts.find((each): each is string => typeof each === "string" && !textProblem(each, { max }));

/** @throws {ProviderFault} unless browsers may be sent there: https, or an origin that may be without */
export function requireSafeRedirect(address: URL, ours?: string): URL {
  const secure = address.protocol === "https:" || (address.protocol === "http:" && allowsPrivate(address, ours));
  if (secure && !address.username && !address.password) return address;
  throw new ProviderFault("provider_misbehaves", false, "its authorization_endpoint is not https");
}
