import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { configure } from "@/lib/testing/change-settings";
import { githubProvider } from "./github";
import { LinkDenied, type LinkState, type OAuthProvider } from "./oauth-provider";
import type { OAuthCredential } from "./provider";

/**
 * A response of the simulated GitHub Enterprise. `replies` has a response for each path, and `seen`
 * records the requests.
 */
type Reply = { status?: number; headers?: Record<string, string>; body?: unknown };
let replies: Record<string, Reply> = {};
let seen: { what: string; authorization: string | undefined; body: string }[] = [];
const server = createServer(async (req, res) => {
  let body = "";
  for await (const chunk of req) body += chunk;
  const what = `${req.method} ${req.url}`;
  seen.push({ what, authorization: req.headers.authorization, body });
  const reply = replies[what] ?? { status: 404, body: {} };
  res.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers });
  res.end(
    reply.body === undefined ? undefined : typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body),
  );
});
let url = "";
let github: OAuthProvider;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  configure({
    DATABASE_URL: "postgresql://nobody@localhost/none",
    SECRET: "only-for-tests-0123456789abcdef0123456789abcdef",
    ALLOW_PRIVATE_FETCH: url,
  });
  github = githubProvider({ clientId: "us", clientSecret: "secret", url });
});
const [token, user, emails] = ["POST /login/oauth/access_token", "GET /api/v3/user", "GET /api/v3/user/emails"];
beforeEach(() => {
  seen = [];
  replies = {
    [token]: { body: { access_token: "at", token_type: "bearer", scope: "read:user,user:email" } },
    [user]: { body: { id: 17, login: "robin", name: "Robin Owner", email: null } },
    [emails]: {
      body: [
        { email: "old@corp.example", primary: true, verified: false },
        { email: "new@corp.example", primary: false, verified: true },
        { email: "robin@corp.example", primary: true, verified: true },
      ],
    },
  };
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const signal = () => AbortSignal.timeout(5_000);
const redirectUri = "https://yes.example/integrations/callback/github";
const kept: LinkState = { state: "s", nonce: "n", verifier: "v".repeat(43), scopes: ["read:user"] };
const exchange = (query = "code=c&state=s") => github.exchange(new URL(`${redirectUri}?${query}`), kept, signal());
const account = { issuer: "x", subject: "17", email: "robin@corp.example" };
const held = (more: Partial<OAuthCredential> = {}): OAuthCredential => ({
  kind: "oauth",
  accessToken: "at",
  scopes: ["read:user"],
  server: url,
  ...more,
});
const check = (credential: OAuthCredential, renew = false) =>
  github.check(credential, { account, renew, signal: signal() });

describe("linking", () => {
  test("redirects owners to GitHub with PKCE and a state", async () => {
    const asking = { scopes: [], state: "s", nonce: "n", challenge: "c", redirectUri };
    const { location, scopes } = await github.authorize(asking, signal());
    expect(location).toContain(`${url}/login/oauth/authorize?`);
    expect(Object.fromEntries(new URL(location).searchParams)).toEqual({
      client_id: "us",
      redirect_uri: redirectUri,
      response_type: "code",
      scope: "read:user user:email",
      state: "s",
      code_challenge: "c",
      code_challenge_method: "S256",
      prompt: "select_account",
    });
    expect(scopes).toEqual(["read:user", "user:email"]);
  });

  test("reads the GitHub account and its scopes", async () => {
    expect(await exchange()).toEqual({
      account: { issuer: url, subject: "17", email: "robin@corp.example", name: "Robin Owner" },
      credential: { kind: "oauth", accessToken: "at", scopes: ["read:user", "user:email"], server: url },
      scopes: ["read:user", "user:email"],
    });
    const sent = new URLSearchParams(seen[0]?.body);
    expect(Object.fromEntries(sent)).toEqual({
      grant_type: "authorization_code",
      code: "c",
      redirect_uri: redirectUri,
      code_verifier: kept.verifier,
      client_id: "us",
      client_secret: "secret",
    });
  });

  test("returns the refresh token if the GitHub app's tokens expire", async () => {
    const expiring = { expires_in: 28_800, refresh_token: "rt", refresh_token_expires_in: 15_897_600 };
    replies[token] = { body: { access_token: "at", token_type: "bearer", scope: "", ...expiring } };
    const { credential, scopes } = await exchange();
    expect(credential).toMatchObject({ refreshToken: "rt", expiresAt: expect.any(Number), scopes: [] });
    expect(scopes).toEqual([]);
  });

  test.each([
    ["its emails are not readable", { status: 403, body: {} }, "robin"],
    ["no email is verified", { body: [{ email: "a@b.example", primary: true, verified: false }] }, "robin"],
    ["its emails are not a list", { body: { message: "?" } }, "robin"],
  ])("uses an account's login name as its email if %s", async (_, reply, shown) => {
    replies[emails] = reply;
    expect((await exchange()).account.email).toBe(shown);
  });

  test("reports that the owner denied access", async () => {
    await expect(exchange("error=access_denied&state=s")).rejects.toBeInstanceOf(LinkDenied);
    expect(seen).toEqual([]);
  });

  it.each([
    ["a refusal with status 200", token, { body: { error: "bad_verification_code" } }, "invalid_grant"],
    [
      "an error about an unknown client",
      token,
      { body: { error: "incorrect_client_credentials" } },
      "provider_misbehaves",
    ],
    ["a reply that is not JSON", token, { body: "access_token=at" }, "provider_misbehaves"],
    ["an HTML page", user, { body: "<h1>Hello</h1>" }, "provider_misbehaves"],
    ["an account without a numeric ID", user, { body: { id: "17", login: "robin" } }, "provider_misbehaves"],
    ["an internal error", user, { status: 502 }, "provider_down"],
    ["a redirect", user, { status: 302, headers: { location: "/elsewhere" } }, "provider_misbehaves"],
  ])("rejects %s from GitHub", async (_, where, reply, reason) => {
    replies[where] = reply;
    await expect(exchange()).rejects.toMatchObject({ reason });
  });
});

describe("linked accounts", () => {
  test("reads the current scopes of a linked account", async () => {
    replies[user] = { ...replies[user], headers: { "x-oauth-scopes": "read:user, repo" } };
    expect(await check(held())).toEqual({ scopes: ["read:user", "repo"] });
    replies[user] = { body: { id: 17, login: "robin" }, headers: { "x-oauth-scopes": "" } };
    expect(await check(held())).toEqual({});
  });

  test("renews a token that is rejected or about to expire", async () => {
    replies[token] = {
      body: { access_token: "at-2", token_type: "bearer", scope: "", expires_in: 28_800, refresh_token: "rt-2" },
    };
    const expected = { credential: { accessToken: "at-2", refreshToken: "rt-2", server: url } };
    expect(await check(held({ refreshToken: "rt", expiresAt: Date.now() + 1_000 }))).toMatchObject(expected);
    expect(new URLSearchParams(seen[0]?.body).get("refresh_token")).toBe("rt");
    replies[user] = { status: 401, body: {} };
    expect(await check(held({ refreshToken: "rt", expiresAt: Date.now() + 3_600_000 }))).toMatchObject(expected);
  });

  it.each([
    ["a revoked token", held, { [user]: { status: 401, body: {} } }, { reason: "revoked_at_provider", final: true }],
    ["an expired token", () => held({ expiresAt: Date.now() - 1 }), {}, { reason: "refresh_exhausted", final: true }],
    [
      "a rejected refresh token",
      () => held({ refreshToken: "rt", expiresAt: Date.now() }),
      { [token]: { body: { error: "bad_refresh_token" } } },
      { reason: "invalid_grant", final: true },
    ],
    [
      "a rate limit",
      held,
      { [user]: { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "99999999999" } } },
      { reason: "rate_limited", final: false, retryAfter: 86_400 },
    ],
    [
      "another account's token",
      held,
      { [user]: { body: { id: 18, login: "x" } } },
      { reason: "provider_misbehaves", final: false },
    ],
    [
      "another server's token",
      () => held({ server: "https://github.com" }),
      {},
      { reason: "not_configured", final: false },
    ],
  ] as const)("reports %s as the reason for a failed check", async (_, credential, said, fault) => {
    Object.assign(replies, said);
    await expect(check(credential())).rejects.toMatchObject(fault);
  });

  test("revokes the entire grant at GitHub", async () => {
    replies["DELETE /api/v3/applications/us/grant"] = { status: 204 };
    await github.revoke(held(), signal());
    expect(seen).toEqual([
      {
        what: "DELETE /api/v3/applications/us/grant",
        body: '{"access_token":"at"}',
        authorization: `Basic ${Buffer.from("us:secret").toString("base64")}`,
      },
    ]);
    // An expired token must be renewed first, because GitHub identifies the grant by a valid token.
    replies[token] = { body: { access_token: "at-2", token_type: "bearer", scope: "" } };
    await github.revoke(held({ refreshToken: "rt", expiresAt: 0 }), signal());
    expect(seen.at(-1)?.body).toBe('{"access_token":"at-2"}');
  });

  test("treats an already revoked grant as success", async () => {
    await github.revoke(held(), signal());
    replies["DELETE /api/v3/applications/us/grant"] = { status: 401, body: {} };
    await expect(github.revoke(held(), signal())).rejects.toMatchObject({ reason: "provider_misbehaves" });
  });
});
