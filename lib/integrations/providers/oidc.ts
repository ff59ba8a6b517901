import * as client from "openid-client";
import { allowsPrivate } from "@/lib/net/guarded-fetch";
import { forgetDocument, rememberedDocument } from "./discovery-cache";
import { isRefused } from "./map-provider-errors";
import * as oauth from "./oauth-provider";
import { type OAuthCredential, type ProviderAccount, ProviderFault, type Renewed } from "./provider";
import { type ProviderFetch, providerFetch, providerMilliseconds } from "./provider-fetch";

/** An OpenID Connect provider, with our registration at the provider. */
export type OidcSettings = {
  /** The provider's ID in the catalog. */
  id: string;
  /** The issuer. Its discovery document has a standard path. */
  issuer: string;
  clientId: string;
  clientSecret?: string | undefined;
  /** Additional parameters. `again`: whether the account was linked before. */
  parameters?: (again: boolean) => Record<string, string>;
};

/** Returns the fetch function for calls to the provider. Tests pass their own. */
type Fetching = (signal: AbortSignal) => ProviderFetch;

/**
 * Returns a provider whose endpoints are in its discovery document (OpenID Connect Core and
 * Discovery 1.0, RFC 9207, RFC 7009).
 */
export function oidcProvider(settings: OidcSettings, fetching?: Fetching): oauth.OAuthProvider {
  const reach: Fetching = fetching ?? providerFetch;
  const ask = async <T>(signal: AbortSignal, work: (config: client.Configuration) => Promise<T>): Promise<T> => {
    try {
      return await oauth.callProvider(settings.id, async () => work(await configured(settings, reach(signal))));
    } catch (error) {
      // The provider may have moved its endpoints.
      if (error instanceof ProviderFault && !error.final) forgetDocument(settings.issuer);
      throw error;
    }
  };
  return {
    authorize: (request, signal) =>
      ask(signal, async (config) => {
        const { scopes_supported: supported } = config.serverMetadata();
        const offline = supported?.includes("offline_access") ?? false;
        const who = ["openid", ...["email", "profile"].filter((scope) => supported?.includes(scope) ?? true)];
        const scopes = [...new Set([...who, ...(offline ? ["offline_access"] : []), ...request.scopes])];
        const address = client.buildAuthorizationUrl(config, {
          redirect_uri: request.redirectUri,
          scope: scopes.join(" "),
          state: request.state,
          nonce: request.nonce,
          code_challenge: request.challenge,
          code_challenge_method: "S256",
          // Some providers issue a refresh token only after consent (OpenID Connect Core section
          // 11).
          ...(offline && { prompt: "consent" }),
          ...(request.again && { login_hint: request.again.email }),
          ...settings.parameters?.(request.again !== undefined),
        });
        return { location: oauth.requireSafeRedirect(address).href, scopes };
      }),
    exchange: (callback, kept, signal) =>
      ask(signal, async (config) => {
        // The keys for the signature are fetched now, because `configured` starts without keys.
        client.enableNonRepudiationChecks(config);
        const tokens = await redeem(config, callback, kept);
        const credential = oauth.credentialOf(tokens, { server: serverOf(config), scopes: kept.scopes });
        const account = await accountOf(config, tokens);
        return { account, credential, scopes: credential.scopes };
      }),
    check: (credential, { account, renew, signal }) =>
      ask(signal, async (config) => {
        const held = oauth.requireOAuthCredential(serverOf(config), credential);
        const look = async () => {
          const claims = await client.fetchUserInfo(config, held.accessToken, account.subject).catch((error) => {
            throw isRefused(error) ? oauth.accessRefused() : error;
          });
          return { account: { ...account, ...inWords({ name: account.name, ...claims }, account.email) } };
        };
        const known = !!config.serverMetadata().userinfo_endpoint;
        return oauth.checkCredential(held, {
          renew,
          renewed: () => renewed(config, held, account),
          look: known ? look : undefined,
        });
      }),
    revoke: (credential, signal) =>
      ask(signal, async (config) => {
        const { refreshToken, accessToken } = oauth.requireOAuthCredential(serverOf(config), credential);
        if (!config.serverMetadata().revocation_endpoint) return;
        if (refreshToken) await client.tokenRevocation(config, refreshToken, { token_type_hint: "refresh_token" });
        else await client.tokenRevocation(config, accessToken, { token_type_hint: "access_token" });
      }),
  };
}

/**
 * Returns the provider's configuration, without its keys. The discovery document is at most an hour
 * old.
 */
const configured = (settings: OidcSettings, ask: ProviderFetch): Promise<client.Configuration> =>
  rememberedDocument(settings.issuer, ask, (fetch) => {
    const issuer = new URL(settings.issuer);
    const plain = issuer.protocol === "http:" && allowsPrivate(issuer);
    return client.discovery(issuer, settings.clientId, undefined, authentication(settings.clientSecret), {
      [client.customFetch]: fetch,
      timeout: providerMilliseconds / 1000,
      // The fetch function checks all other endpoints in the same way.
      execute: plain ? [client.allowInsecureRequests] : [],
    });
  });

/**
 * Returns how we authenticate at the token endpoint. With a secret, we use Basic, the default of
 * OpenID Connect Discovery (section 3), or POST if the provider lists only POST. Without a secret,
 * we don't authenticate.
 */
const authentication =
  (secret: string | undefined): client.ClientAuth =>
  (server, us, body, headers) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const inHeader = ways.includes("client_secret_basic") || !ways.includes("client_secret_post");
    const way =
      secret === undefined
        ? client.None()
        : inHeader
          ? client.ClientSecretBasic(secret)
          : client.ClientSecretPost(secret);
    return way(server, us, body, headers);
  };

const serverOf = (config: client.Configuration): string => config.serverMetadata().issuer;

const redeem = (config: client.Configuration, callback: URL, { state, nonce, verifier }: oauth.LinkState) =>
  oauth.rejectDenied(
    client.authorizationCodeGrant(config, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    }),
  );

type Claims = Record<string, unknown>;

/**
 * Returns the account in the ID token. If the token has no email, the email and name come from the
 * userinfo endpoint.
 */
async function accountOf(
  config: client.Configuration,
  tokens: client.TokenEndpointResponse & { claims(): { iss: string; sub: string } | undefined },
): Promise<ProviderAccount> {
  const claims = tokens.claims();
  if (!claims || !oauth.firstDisplayable(255, claims.sub))
    throw new ProviderFault("provider_misbehaves", false, "no subject");
  const silent = typeof (claims as Claims).email !== "string" && config.serverMetadata().userinfo_endpoint;
  const more: Claims = silent ? await client.fetchUserInfo(config, tokens.access_token, claims.sub) : {};
  const all: Claims = { ...claims, ...more };
  return {
    issuer: claims.iss,
    subject: claims.sub,
    ...inWords(all, oauth.firstDisplayable(320, all.preferred_username) ?? claims.sub),
  };
}

/**
 * Returns the email and the name in the claims, if they are displayable.
 * @param otherwise shown for an account without an email
 */
function inWords({ email, name }: Claims, otherwise: string) {
  const called = oauth.firstDisplayable(200, name);
  return { email: oauth.firstDisplayable(320, email) ?? otherwise, ...(called && { name: called }) };
}

/**
 * Renews a credential. Does not verify the signature of the ID token, which comes directly from the
 * token endpoint (OpenID Connect Core sections 3.1.3.7 and 6). If fetching keys for it failed, the
 * new tokens would be lost. The ID token must name the same account (section 12.2).
 */
async function renewed(
  config: client.Configuration,
  held: OAuthCredential,
  account: ProviderAccount,
): Promise<Renewed> {
  const tokens = await client.refreshTokenGrant(config, held.refreshToken ?? "");
  const claims = tokens.claims();
  if (claims && (claims.sub !== account.subject || claims.iss !== account.issuer))
    throw new ProviderFault("provider_misbehaves", false, "the provider refreshed another account");
  return oauth.renewalOf(tokens, serverOf(config), held);
}
