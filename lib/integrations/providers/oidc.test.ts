import { generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:http";
import net, { type AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { configure } from "@/lib/testing/change-settings";
import { forgetDocument } from "./discovery-cache";
import type { LinkState, ProviderRequest } from "./oauth-provider";
import { type OidcSettings, oidcProvider } from "./oidc";
import type { OAuthCredential } from "./provider";

/**
 * The number of connections to the canary server, which must stay zero. The server listens on all
 * addresses.
 */
let visits = 0;
const canary = net.createServer((socket) => {
  visits++;
  socket.destroy();
});
/** The metadata of a provider at an allowed private origin. Each test sets it. */
let says: Record<string, unknown> = {};
const server = createServer((_req, res) => {
  res.setHeader("content-type", "application/json");
  res.end(JSON.stringify(says));
});
let canaryPort = 0;
let origin = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => canary.listen(0, "::", resolve));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  canaryPort = (canary.address() as AddressInfo).port;
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  configure({
    DATABASE_URL: "postgresql://nobody@localhost/none",
    SECRET: "only-for-tests-0123456789abcdef0123456789abcdef",
    ALLOW_PRIVATE_FETCH: origin,
  });
});
beforeEach(() => {
  visits = 0;
});
afterAll(() => {
  canary.close();
  server.close();
  server.closeAllConnections();
});

const redirectUri = "https://yes.example/integrations/callback/corp";
const asking: ProviderRequest = { scopes: ["cal:r"], state: "s", nonce: "n", challenge: "c", redirectUri };
const kept: LinkState = { state: "s", nonce: "n", verifier: "v".repeat(43), scopes: ["openid"] };
const signal = () => AbortSignal.timeout(5_000);
const corp = (issuer: string, more: Partial<OidcSettings> = {}) =>
  oidcProvider({ id: "corp", issuer, clientId: "us", clientSecret: "secret", ...more });
const callback = () => new URL(`${redirectUri}?code=c&state=s`);
const held = (): OAuthCredential => ({ kind: "oauth", accessToken: "at", refreshToken: "rt", scopes: [] });
const about = { issuer: "x", subject: "x", email: "x" };

const spellings = [
  ...["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "017700000001", "0", "0.0.0.0"],
  ...["127.000.000.001", "①②⑦.⓪.⓪.①", "127。0。0。1", "%31%32%37.0.0.1", "localhost"],
  ...[
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
  ],
  ...["169.254.169.254", "10.0.0.1", "192.168.0.1", "100.64.0.1", "[fd00:ec2::254]", "[fe80::1]"],
];

describe("requests to private addresses from a provider's metadata", () => {
  it("counts a direct connection to the local test server", async () => {
    await new Promise<void>((resolve) =>
      net
        .connect(canaryPort, "127.0.0.1")
        .on("close", resolve)
        .on("error", () => {}),
    );
    expect(visits).toBe(1);
  });

  it.each(spellings)("sends no request to the issuer https://%s", async (host) => {
    const fault = { reason: "provider_down", message: "The address is not public" };
    await expect(corp(`https://${host}:${canaryPort}`).authorize(asking, signal())).rejects.toMatchObject(fault);
    expect(visits).toBe(0);
  });

  it.each(["http:", "ftp:", "file:"])("sends no request to an issuer with the scheme %s", async (scheme) => {
    const provider = corp(`${scheme}//localhost:${canaryPort}/`);
    await expect(provider.authorize(asking, signal())).rejects.toMatchObject({ final: false });
    expect(visits).toBe(0);
  });

  it.each(spellings)("sends no request to the host %s named in the discovery document", async (host) => {
    for (const scheme of ["https", "http"]) {
      const there = `${scheme}://${host}:${canaryPort}`;
      says = {
        issuer: `${origin}/${scheme}/${spellings.indexOf(host)}`,
        authorization_endpoint: "https://yes.example/",
        token_endpoint: `${there}/token`,
        userinfo_endpoint: `${there}/me`,
        jwks_uri: `${there}/jwks`,
        revocation_endpoint: `${there}/revoke`,
      };
      const provider = corp(String(says.issuer));
      const down = { reason: "provider_down", final: false };
      await expect(provider.exchange(callback(), kept, signal())).rejects.toMatchObject(down);
      await expect(provider.check(held(), { account: about, renew: true, signal: signal() })).rejects.toMatchObject(
        down,
      );
      await expect(provider.check(held(), { account: about, renew: false, signal: signal() })).rejects.toMatchObject(
        down,
      );
      await expect(provider.revoke(held(), signal())).rejects.toMatchObject(down);
    }
    expect(visits).toBe(0);
  });

  it.each(["http://yes.example/", "http://127.0.0.1/", "https://user@yes.example/", "javascript:alert(1)", "/auth", 7])(
    "rejects a provider whose authorization endpoint is %s",
    async (endpoint) => {
      says = { issuer: `${origin}/${encodeURIComponent(endpoint)}`, authorization_endpoint: endpoint };
      const sent = corp(String(says.issuer)).authorize(asking, signal());
      await expect(sent).rejects.toMatchObject({ reason: "provider_misbehaves", final: false });
    },
  );

  it.each([
    ["another issuer", { issuer: "https://evil.example" }],
    ["no issuer", {}],
    ["an issuer that is not a URL", { issuer: "us" }],
    ["a list as its content", [] as never],
  ])("rejects a metadata document with %s", async (_, document) => {
    says = document;
    await expect(corp(`${origin}/wrong`).authorize(asking, signal())).rejects.toMatchObject({
      reason: "provider_misbehaves",
      final: false,
    });
  });
});

describe("requests to a provider", () => {
  let path = 0;
  const sentTo = async (document: object, more: Partial<OidcSettings> = {}, again?: { email: string }) => {
    says = { issuer: `${origin}/asks-${++path}`, authorization_endpoint: `${origin}/auth`, ...document };
    const { location } = await corp(String(says.issuer), more).authorize({ ...asking, again }, signal());
    return Object.fromEntries(new URL(location).searchParams);
  };

  test("requests only supported identity scopes", async () => {
    const supported = { scopes_supported: ["openid", "email", "offline_access"] };
    expect(await sentTo(supported)).toMatchObject({ scope: "openid email offline_access cal:r", prompt: "consent" });
    const silent = await sentTo({});
    expect(silent.scope).toBe("openid email profile cal:r");
    expect(silent).not.toHaveProperty("prompt");
  });

  test("sends provider-specific authorization parameters", async () => {
    const parameters = (again: boolean) => ({ access_type: "offline", prompt: again ? "consent" : "select_account" });
    expect(await sentTo({}, { parameters })).toMatchObject({ access_type: "offline", prompt: "select_account" });
    expect(await sentTo({}, { parameters }, { email: "me@corp.example" })).toMatchObject({
      prompt: "consent",
      login_hint: "me@corp.example",
    });
  });
});

const newKeys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const usualKeys = newKeys();

/**
 * Returns a provider that responds through the test's own fetch function, and signs with its own
 * keys.
 */
function signing(issuer = "https://id.example", document: object = {}, { privateKey, publicKey } = usualKeys) {
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: "k", alg: "RS256", use: "sig" };
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString("base64url");
  const seconds = Math.floor(Date.now() / 1000);
  const idToken = (claims: object) => {
    const usual = {
      iss: issuer,
      sub: "sub",
      aud: "us",
      nonce: "n",
      email: "me@x.example",
      iat: seconds,
      exp: seconds + 300,
    };
    const signed = `${part({ alg: "RS256", kid: "k" })}.${part({ ...usual, ...claims })}`;
    return `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
  };
  const at = new URL(issuer).origin;
  const discovery = `${issuer}/.well-known/openid-configuration`;
  const replies: Record<string, object> = {
    [discovery]: {
      issuer,
      authorization_endpoint: `${at}/auth`,
      token_endpoint: `${at}/token`,
      jwks_uri: `${at}/jwks`,
      ...document,
    },
    [`${at}/jwks`]: { keys: [jwk] },
  };
  /** Sets the token endpoint's response: an ID token with these claims, and other fields. */
  const set = (claims: object, more: object = {}) => {
    replies[`${at}/token`] = {
      access_token: "at",
      token_type: "Bearer",
      refresh_token: "rt",
      id_token: idToken(claims),
      ...more,
    };
  };
  set({});
  const seen: { url: string; body: URLSearchParams; headers: Headers }[] = [];
  const provider = (more: Partial<OidcSettings> = {}) => {
    forgetDocument(issuer);
    return oidcProvider(
      { id: "corp", issuer, clientId: "us", clientSecret: "a secret", ...more },
      () => async (url, asked) => {
        seen.push({ url, body: new URLSearchParams(String(asked.body ?? "")), headers: new Headers(asked.headers) });
        return replies[url] ? Response.json(replies[url]) : new Response("", { status: 404 });
      },
    );
  };
  return { seen, set, idToken, provider };
}

describe("responses from a provider", () => {
  test("accepts only the issuer of the account's own Microsoft tenant", async () => {
    const common = "https://login.microsoftonline.com/common/v2.0";
    const issuer = (tenant: string) => `https://login.microsoftonline.com/${tenant}/v2.0`;
    const { set, provider } = signing(common, { issuer: issuer("{tenantid}") });
    set({ iss: issuer("t-1"), tid: "t-1" });
    const linked = await provider().exchange(callback(), kept, signal());
    expect(linked.account).toMatchObject({ issuer: issuer("t-1"), subject: "sub", email: "me@x.example" });
    set({ iss: issuer("t-2"), tid: "t-1" });
    await expect(provider().exchange(callback(), kept, signal())).rejects.toMatchObject({
      reason: "provider_misbehaves",
    });
    // A renewal must return a token for the same account.
    set({ iss: issuer("t-1"), tid: "t-1" }, { refresh_token: "rt-2" });
    const { account, credential } = linked;
    const renewed = await provider().check(credential, { account, renew: true, signal: signal() });
    expect(renewed.credential).toMatchObject({ refreshToken: "rt-2" });
    set({ iss: issuer("t-2"), tid: "t-2" });
    const other = provider().check(credential, { account, renew: true, signal: signal() });
    await expect(other).rejects.toMatchObject({ reason: "provider_misbehaves", final: false });
  });

  it.each([
    ["another audience", { aud: "them" }],
    ["another issuer", { iss: "https://evil.example" }],
    ["another nonce", { nonce: "other" }],
    ["no nonce", { nonce: undefined }],
    ["no subject", { sub: undefined }],
    ["invisible characters in its subject", { sub: "a\u0000b" }],
  ])("rejects an ID token with %s", async (_, claims) => {
    const { set, provider } = signing();
    set(claims);
    await expect(provider().exchange(callback(), kept, signal())).rejects.toMatchObject({
      reason: "provider_misbehaves",
    });
  });

  test("rejects a missing or wrongly signed ID token", async () => {
    const one = signing();
    const foreign = signing(undefined, {}, newKeys()).idToken({});
    const [, payload = ""] = foreign.split(".");
    const none = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
    for (const id_token of [foreign, none, undefined]) {
      one.set({}, { id_token });
      await expect(one.provider().exchange(callback(), kept, signal())).rejects.toMatchObject({
        reason: "provider_misbehaves",
        final: false,
      });
    }
  });

  it.each([
    [undefined, "header"],
    [["client_secret_post"], "body"],
    [["client_secret_basic", "client_secret_post"], "header"],
    [["private_key_jwt"], "header"],
  ])(
    "chooses the client authentication method for a provider that supports %j",
    async (token_endpoint_auth_methods_supported, where) => {
      const { seen, provider } = signing("https://id.example", { token_endpoint_auth_methods_supported });
      await provider().exchange(callback(), kept, signal());
      const { body, headers } = seen.find(({ url }) => url.endsWith("/token"))!;
      expect(headers.get("authorization")).toBe(where === "header" ? "Basic dXM6YStzZWNyZXQ=" : null);
      expect(body.get("client_secret")).toBe(where === "body" ? "a secret" : null);
      expect(body.get("code_verifier")).toBe(kept.verifier);
      expect(body.get("redirect_uri")).toBe(redirectUri);
    },
  );

  test("sends only the client ID if the client has no secret", async () => {
    const { seen, provider } = signing();
    await provider({ clientSecret: undefined }).exchange(callback(), kept, signal());
    const { body, headers } = seen.find(({ url }) => url.endsWith("/token"))!;
    expect([headers.get("authorization"), body.get("client_id"), body.get("client_secret")]).toEqual([
      null,
      "us",
      null,
    ]);
  });

  test("fetches the provider's keys for each code exchange but not for a renewal", async () => {
    const { seen, provider } = signing();
    const { account, credential } = await provider().exchange(callback(), kept, signal());
    await provider().exchange(callback(), kept, signal());
    await provider().check(credential, { account, renew: true, signal: signal() });
    expect(seen.filter(({ url }) => url.endsWith("/jwks"))).toHaveLength(2);
  });
});
