import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import Provider, { type AdapterFactory, type Configuration, type JWK } from "oidc-provider";
import { consentPage, errorPage, type Person, policy, signInPage } from "./sign-in-pages";

/** An identity provider's configuration. */
export type IdentitySettings = {
  /** The provider's origin. */
  issuer: string;
  name: string;
  /** The provider's only client, and the client's display name. */
  client: { id: string; secret: string; called: string; redirectUris: readonly string[] };
  /** Optional scopes on the consent page, each with its sentence. */
  scopes: Readonly<Record<string, string>>;
  /** Finds a person who can sign in. */
  find(id: string): Person | undefined;
  /** Returns a person's claims, instead of the name and email. */
  claims?(id: string): Record<string, unknown> | undefined;
  cookieKeys: readonly string[];
  /** Private signing keys, the current one first (ES256). */
  keys: readonly object[];
  adapter: AdapterFactory;
  /** Returns the lifetime of an access token. */
  accessTokenSeconds?(account: string): number;
};

const day = 86_400;
const own = ["openid", "profile", "email", "offline_access"];

/**
 * Creates a certified OpenID Connect provider (oidc-provider) with its own pages, on which people
 * choose an account and the data to share. A refresh token works once. Using one again revokes the
 * whole grant.
 */
export function identityProvider(it: IdentitySettings) {
  const provider = new Provider(it.issuer, configurationOf(it));
  let callback: ReturnType<Provider["callback"]> | undefined;
  const session = cookieNames(it).session;
  return {
    provider,
    handle(req: IncomingMessage, res: ServerResponse): void {
      const { pathname } = new URL(req.url ?? "/", it.issuer);
      // Removes the session cookie, so that people choose an account at every visit.
      if (pathname === "/auth") req.headers.cookie = without(req.headers.cookie, session);
      // Created at the first request, so that callers can extend the provider before it.
      if (!pathname.startsWith("/interaction/")) return void (callback ??= provider.callback())(req, res);
      interact(it, provider, req, res).catch(() => send(res, 400, errorPage(it.name, "This page is no longer open.")));
    },
  };
}

/** Creates a private signing key (ES256), with its own key ID. */
export const newSigningKey = (): object => ({
  ...generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }),
  use: "sig",
  alg: "ES256",
  kid: randomBytes(6).toString("hex"),
});

/**
 * Returns the redirect URIs of a client on this computer, on any port.
 * @param provider the client's name for the provider
 */
export const loopbackCallbacks = (provider: string): string[] =>
  ["localhost", "127.0.0.1", "[::1]"].map((host) => `http://${host}/integrations/callback/${provider}`);

/**
 * Returns cookie names that contain the provider's port, because cookies ignore ports and two
 * providers may run on one machine.
 */
const cookieNames = ({ issuer }: IdentitySettings) => {
  const { port } = new URL(issuer);
  return { session: `who_${port}`, interaction: `asked_${port}`, resume: `back_${port}` };
};

const without = (cookies: string | undefined, name: string) =>
  (cookies ?? "")
    .split(/; */)
    .filter((each) => !each.startsWith(`${name}=`) && !each.startsWith(`${name}.`))
    .join("; ");

const configurationOf = (it: IdentitySettings): Configuration => ({
  adapter: it.adapter,
  clients: [
    {
      client_id: it.client.id,
      client_secret: it.client.secret,
      client_name: it.client.called,
      redirect_uris: [...it.client.redirectUris],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      id_token_signed_response_alg: "ES256",
      // A native client's redirect URI may have any port on this machine (RFC 8252 section 7.3).
      application_type: "native",
    },
  ],
  scopes: [...own, ...Object.keys(it.scopes)],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "preferred_username"] },
  async findAccount(_, id) {
    const person = it.find(id);
    const claims = it.claims?.(id) ?? { name: person?.called, email: person?.email, email_verified: true };
    return person && { accountId: id, claims: async () => ({ sub: id, ...claims }) };
  },
  pkce: { required: () => true },
  rotateRefreshToken: true,
  ttl: {
    AccessToken: (_, token) => it.accessTokenSeconds?.(token.accountId) ?? 3600,
    AuthorizationCode: 60,
    IdToken: 3600,
    Interaction: 600,
    Session: 600,
    RefreshToken: 90 * day,
    Grant: 365 * day,
  },
  cookies: { keys: [...it.cookieKeys], names: cookieNames(it) },
  jwks: { keys: [...it.keys] as JWK[] },
  features: {
    devInteractions: { enabled: false },
    revocation: { enabled: true, allowedPolicy: async (_, client, token) => token.clientId === client.clientId },
  },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  renderError(ctx, { error, error_description }) {
    ctx.set("content-security-policy", policy);
    ctx.type = "html";
    ctx.body = errorPage(it.name, error_description ?? error);
  },
});

async function interact(it: IdentitySettings, provider: Provider, req: IncomingMessage, res: ServerResponse) {
  const { uid, prompt, params, session } = await provider.interactionDetails(req, res);
  const about = { provider: it.name, asker: it.client.called, action: `/interaction/${uid}` };
  const wanted = String(params.scope ?? "").split(" ");
  const choices = Object.entries(it.scopes).filter(([scope]) => wanted.includes(scope));
  const form = req.method === "POST" ? await readForm(req) : undefined;

  if (prompt.name === "login") {
    const person = it.find(form?.get("account") ?? "");
    if (!person) return send(res, form ? 400 : 200, signInPage(about, hintOf(params.login_hint)));
    return provider.interactionFinished(req, res, { login: { accountId: person.id, remember: false } });
  }
  const accountId = session?.accountId ?? "";
  if (!form) return send(res, 200, consentPage(about, it.find(accountId)!, choices));
  if (form.get("decision") !== "allow") {
    const denied = { error: "access_denied", error_description: "The person denied the request" };
    return provider.interactionFinished(req, res, denied, { mergeWithLastSubmission: false });
  }
  const ticked = form.getAll("scope");
  const grant = new provider.Grant({ accountId, clientId: it.client.id });
  grant.addOIDCScope([...own, ...choices.map(([scope]) => scope).filter((scope) => ticked.includes(scope))]);
  grant.rejectOIDCScope(choices.map(([scope]) => scope).filter((scope) => !ticked.includes(scope)));
  return provider.interactionFinished(req, res, { consent: { grantId: await grant.save() } });
}

/**
 * Returns the account in a login hint: the part before the @.
 */
const hintOf = (hint: unknown): string => (typeof hint === "string" ? (hint.split("@")[0] ?? "") : "");

async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  let text = "";
  for await (const chunk of req) {
    text += chunk;
    if (text.length > 16_384) throw new Error("too long");
  }
  return new URLSearchParams(text);
}

function send(res: ServerResponse, status: number, html: string): void {
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": policy };
  res.writeHead(status, { ...headers, "cache-control": "no-store", "referrer-policy": "no-referrer" }).end(html);
}
