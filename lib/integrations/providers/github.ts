import * as client from "openid-client";
import { clock } from "@/lib/clock";
import { allowsPrivate } from "@/lib/net/guarded-fetch";
import { rateLimitedFault } from "./map-provider-errors";
import * as oauth from "./oauth-provider";
import { type OAuthCredential, type ProviderAccount, ProviderFault } from "./provider";
import { type ProviderFetch, providerFetch, providerMilliseconds } from "./provider-fetch";

/**
 * Our registration, an OAuth app or a GitHub App, at the server `url`: github.com or a GitHub
 * Enterprise server.
 */
export type GithubSettings = { clientId: string; clientSecret: string; url: string };

/** The scopes for identity. GitHub Apps have permissions instead, and ignore scopes. */
const who = ["read:user", "user:email"];

/**
 * Returns GitHub as a provider. GitHub uses OAuth 2.0 without OpenID Connect, sends token errors
 * with status 200, and separates scopes by commas. Its tokens expire only if the app was set up
 * that way.
 */
export function githubProvider(settings: GithubSettings): oauth.OAuthProvider {
  const ask = <T>(signal: AbortSignal, work: (hub: Hub) => Promise<T>) =>
    oauth.callProvider("github", () => work(hubOf(settings, providerFetch(signal))));
  return {
    authorize: (request, signal) =>
      ask(signal, async ({ config }) => {
        const scopes = [...new Set([...who, ...request.scopes])];
        const address = client.buildAuthorizationUrl(config, {
          redirect_uri: request.redirectUri,
          scope: scopes.join(" "),
          state: request.state,
          code_challenge: request.challenge,
          code_challenge_method: "S256",
          // To link, the owner chooses an account at GitHub. A reconnection can't name the account,
          // because only its email is known here.
          ...(!request.again && { prompt: "select_account" }),
        });
        return { location: oauth.requireSafeRedirect(address).href, scopes };
      }),
    exchange: (callback, kept, signal) =>
      ask(signal, async (hub) => {
        const credential = oauth.credentialOf(await redeem(hub.config, callback, kept), {
          server: settings.url,
          scopes: kept.scopes,
          separator,
        });
        const { account } = await whoseIs(hub, credential.accessToken);
        return {
          account: { ...account, email: await emailOf(hub, credential, account) },
          credential,
          scopes: credential.scopes,
        };
      }),
    check: (credential, { account, renew, signal }) =>
      ask(signal, async (hub) => {
        const held = oauth.requireOAuthCredential(settings.url, credential);
        const look = async () => {
          const found = await whoseIs(hub, held.accessToken);
          if (found.account.subject !== account.subject)
            throw new ProviderFault("provider_misbehaves", false, "the provider answered for another account");
          return found.scopes ? { scopes: found.scopes } : {};
        };
        return oauth.checkCredential(held, { renew, renewed: () => renewed(hub, held), look });
      }),
    revoke: (credential, signal) =>
      ask(signal, async (hub) => {
        let held = oauth.requireOAuthCredential(settings.url, credential);
        // Only a working token identifies the grant to revoke.
        if (held.refreshToken && oauth.expiresSoon(held)) held = { ...held, ...(await renewed(hub, held)).credential };
        await hub.endGrant(held.accessToken);
      }),
  };
}

type Hub = {
  config: client.Configuration;
  /** Sends a GET request to GitHub's API. @throws {ProviderFault} */
  get(path: string, token: string): Promise<Response>;
  /**
   * Removes our access to the account, with every token that GitHub issued to us.
   * @throws {ProviderFault}
   */
  endGrant(token: string): Promise<void>;
};

function hubOf({ clientId, clientSecret, url }: GithubSettings, fetch: ProviderFetch): Hub {
  const base = `${url}/login/oauth`;
  const config = new client.Configuration(
    { issuer: base, authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/access_token` },
    clientId,
    undefined,
    client.ClientSecretPost(clientSecret),
  );
  config[client.customFetch] = async (address, options) => asRefusal(await fetch(address, options));
  config.timeout = providerMilliseconds / 1000;
  if (allowsPrivate(new URL(url)) && url.startsWith("http:")) client.allowInsecureRequests(config);
  const call = async (method: string, path: string, authorization: string, body: string | null): Promise<Response> => {
    const headers = {
      authorization,
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
      ...(body !== null && { "content-type": "application/json" }),
    };
    const address = apiOf(url) + path;
    const reply = await fetch(address, { method, headers, body, redirect: "manual" });
    const busy = rateLimitedFault(reply) ?? exhausted(reply);
    if (busy) throw busy;
    return reply;
  };
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
  return {
    config,
    get: (path, token) => call("GET", path, `Bearer ${token}`, null),
    async endGrant(token) {
      const path = `/applications/${encodeURIComponent(clientId)}/grant`;
      const { status } = await call("DELETE", path, basic, JSON.stringify({ access_token: token }));
      // A grant that does not exist counts as removed.
      if (status !== 204 && status !== 404 && status !== 422)
        throw new ProviderFault("provider_misbehaves", false, `status ${status}`);
    },
  };
}

/**
 * Returns the URL of the API. It is on a separate host for github.com and data residency regions,
 * and under a path on GitHub Enterprise servers.
 */
function apiOf(url: string): string {
  const { protocol, host } = new URL(url);
  return host === "github.com" || host.endsWith(".ghe.com") ? `${protocol}//api.${host}` : `${url}/api/v3`;
}

/**
 * Changes a response's status to 400 if the response contains an error with status 200 (RFC 6749
 * section 5.2). Returns other responses unchanged.
 */
async function asRefusal(reply: Response): Promise<Response> {
  if (reply.status !== 200) return reply;
  const body = await reply.text();
  const refused = /"error"\s*:/.test(body) && !/"access_token"\s*:/.test(body);
  return new Response(body, { status: refused ? 400 : 200, headers: { "content-type": "application/json" } });
}

/**
 * Returns the fault if the response is a rate limit with status 403; undefined for other responses.
 */
function exhausted({ status, headers }: Response): ProviderFault | undefined {
  if (status !== 403 || headers.get("x-ratelimit-remaining") !== "0") return undefined;
  const wait = Math.ceil(Number(headers.get("x-ratelimit-reset")) - clock.now() / 1000);
  return new ProviderFault("rate_limited", false, "status 403", wait > 0 ? Math.min(wait, 86_400) : undefined);
}

async function redeem(config: client.Configuration, callback: URL, { state, verifier }: oauth.LinkState) {
  const address = new URL(callback);
  // GitHub Enterprise does not always report its issuer correctly. Ignoring the issuer is safe,
  // because each provider has its own callback URL.
  if (new URL(config.serverMetadata().issuer).host !== "github.com") address.searchParams.delete("iss");
  return oauth.rejectDenied(
    client.authorizationCodeGrant(config, address, { expectedState: state, pkceCodeVerifier: verifier }),
  );
}

const separator = /[, ]+/;

/**
 * Returns the token's account and, except for GitHub Apps, the token's scopes.
 * @throws {ProviderFault}
 */
async function whoseIs(hub: Hub, token: string): Promise<{ account: ProviderAccount; scopes?: string[] }> {
  const reply = await hub.get("/user", token);
  if (reply.status === 401) throw oauth.accessRefused();
  if (reply.status !== 200) throw new ProviderFault("provider_misbehaves", false, `status ${reply.status}`);
  const { id, login, name, email } = (await reply.json()) as Record<string, unknown>;
  const shown = oauth.firstDisplayable(320, email, login);
  if (!Number.isSafeInteger(id) || !shown) throw new ProviderFault("provider_misbehaves", false, "no account");
  const called = oauth.firstDisplayable(200, name, login);
  const issuer = new URL(hub.config.serverMetadata().issuer).origin;
  const scopes = reply.headers.get("x-oauth-scopes");
  return {
    account: { issuer, subject: String(id), email: shown, ...(called && { name: called }) },
    ...(scopes && { scopes: oauth.scopeList(scopes, separator) }),
  };
}

/**
 * Returns the account's primary email if it is verified. Otherwise, or without access to the email
 * endpoint, returns `account.email`.
 */
async function emailOf(hub: Hub, { accessToken }: OAuthCredential, account: ProviderAccount): Promise<string> {
  const reply = await hub.get("/user/emails", accessToken);
  if (reply.status !== 200) return account.email;
  const list: unknown = await reply.json();
  const emails = (Array.isArray(list) ? list : []) as { email?: unknown; primary?: unknown; verified?: unknown }[];
  const first = emails.find(({ primary, verified }) => primary === true && verified === true);
  return oauth.firstDisplayable(320, first?.email) ?? account.email;
}

const renewed = async ({ config }: Hub, held: OAuthCredential) =>
  oauth.renewalOf(await client.refreshTokenGrant(config, held.refreshToken ?? ""), held.server ?? "", held, separator);
