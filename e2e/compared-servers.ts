import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { APIRequestContext } from "@playwright/test";
import Provider from "oidc-provider";
import { registerApp } from "@/lib/apps/apps";
import { anOwner } from "@/lib/testing/factories";
import { serviceUrl } from "./fixtures";
import { randomLetters } from "./oauth-app";
import { allowAt } from "./oauth-owner";

/**
 * An authorization server with one confidential client, and a function that grants all its
 * requests.
 */
export type Server = {
  issuer: string;
  authorize: string;
  token: string;
  revoke: string;
  introspect: string;
  clientId: string;
  clientSecret: string;
  /** @returns the browser's final URL */
  allow(http: APIRequestContext, authorizeUrl: string): Promise<URL>;
};

export const callback = "https://app.example/callback";
export const scopes = ["approvals:read", "approvals:write"];

/** Our service as the authorization server, with a function that grants its requests. */
export async function ours(): Promise<Server> {
  const issuer = serviceUrl();
  const name = `Pilot ${randomLetters()}`;
  const { clientId, clientSecret = "" } = await registerApp(await anOwner(), { name, redirectUris: [callback] });
  const at = (path: string) => `${issuer}/oauth/${path}`;
  return {
    issuer,
    authorize: at("authorize"),
    token: at("token"),
    revoke: at("revoke"),
    introspect: at("introspect"),
    clientId,
    clientSecret,
    allow: (http, url) => allowAt(http, url, scopes),
  };
}

/**
 * A certified oidc-provider, configured like our service. @returns the provider, and a function to
 * stop it
 */
export async function peer(): Promise<Server & { close: () => void }> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const client = { clientId: "pilot", clientSecret: "only-for-this-test-0123456789abcdef" };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [callback],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
      },
    ],
    scopes,
    pkce: { required: () => true },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    cookies: { keys: ["only for this test"] },
    features: {
      devInteractions: { enabled: true },
      pushedAuthorizationRequests: { enabled: false },
      revocation: { enabled: true },
      introspection: { enabled: true },
    },
  });
  provider.on("server_error", () => {});
  listener.on("request", provider.callback());
  return {
    issuer,
    authorize: `${issuer}/auth`,
    token: `${issuer}/token`,
    revoke: `${issuer}/token/revocation`,
    introspect: `${issuer}/token/introspection`,
    ...client,
    allow: allowAtPeer,
    close: () => {
      listener.closeAllConnections();
      listener.close();
    },
  };
}

/**
 * Signs in and consents at the provider, whose development pages accept any sign-in and have a
 * separate consent form.
 */
async function allowAtPeer(http: APIRequestContext, authorizeUrl: string): Promise<URL> {
  let next = authorizeUrl;
  for (let step = 0; step < 12; step++) {
    const reply = await http.get(next, { maxRedirects: 0 });
    const { location } = reply.headers();
    if (location?.startsWith(callback)) return new URL(location);
    if (location) {
      next = new URL(location, next).href;
      continue;
    }
    const prompt = /name="prompt" value="(\w+)"/.exec(await reply.text())?.[1] ?? "";
    const form = new URLSearchParams({ prompt, ...(prompt === "login" && { login: "robin", password: "any" }) });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const answer = await http.post(next, { data: form.toString(), headers, maxRedirects: 0 });
    next = new URL(answer.headers().location ?? "", next).href;
    if (next.startsWith(callback)) return new URL(next);
  }
  throw new Error("the peer's pages lead nowhere");
}
