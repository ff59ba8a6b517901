import { describe, expect, it } from "vitest";
import { db } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { deleteApp } from "@/lib/grants/delete-app";
import { anApp, anOwner } from "@/lib/testing/factories";
import { anOpenRequest, authorize, challengeOf, newVerifier } from "@/lib/testing/oauth-flow";
import { authorizeEndpoint } from "./authorize-endpoint";
import { readConsent } from "./consent";

const issuer = "http://localhost:3000";
const callback = "https://app.example/callback";
const good = (clientId: string, changes: Record<string, string | undefined> = {}) => ({
  response_type: "code",
  client_id: clientId,
  redirect_uri: callback,
  state: "xyz",
  code_challenge: challengeOf(newVerifier()),
  code_challenge_method: "S256",
  ...changes,
});

/**
 * Asserts that a 303 redirect returns the error to the app, with one state, one issuer and no code.
 */
function expectReturned(reply: Response, error: string, to = callback) {
  const location = new URL(reply.headers.get("location") ?? "");
  expect(reply.status).toBe(303);
  expect(location.href.startsWith(to)).toBe(true);
  expect(location.searchParams.getAll("error")).toEqual([error]);
  expect(location.searchParams.getAll("state")).toEqual(["xyz"]);
  expect(location.searchParams.getAll("iss")).toEqual([issuer]);
  expect(location.href).not.toMatch(/code=|token=/);
}

/** Asserts that the response is an error page without links. */
async function expectStopped(reply: Response) {
  expect(reply.status).toBe(400);
  expect(reply.headers.get("location")).toBeNull();
  expect(reply.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(reply.headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  expect(reply.headers.get("x-frame-options")).toBe("DENY");
  expect(await reply.text()).not.toContain("href");
}

it("redirects a valid request to a consent page", async () => {
  const { clientId } = await anApp();
  const reply = await authorize(good(clientId));
  expect(reply.status).toBe(303);
  expect(reply.headers.get("location")).toMatch(/^http:\/\/localhost:3000\/consent\/con_\w{32}$/);
  expect(await db.grant.count({ where: { appId: clientId } })).toBe(0);
});

it("escapes the message on the error page", async () => {
  const hostile = `"><script>alert('1')</script> & <img src=x onerror=alert(1)>`;
  const reply = await authorizeEndpoint(new Request(`${issuer}/oauth/authorize`), async () => {
    throw new AppError(400, hostile);
  });
  const html = await reply.text();
  expect(reply.status).toBe(400);
  expect(html).not.toMatch(/<script|<img/);
  expect(html).toContain("<p>&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62; &#38; &#60;img");
});

describe("errors returned to the app", () => {
  it.each([
    [{ code_challenge: undefined, code_challenge_method: undefined }, "invalid_request"],
    [{ code_challenge_method: "plain" }, "invalid_request"],
    [{ code_challenge_method: undefined }, "invalid_request"],
    [{ code_challenge: "short" }, "invalid_request"],
    [{ code_challenge: "!".repeat(43) }, "invalid_request"],
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ response_type: "id_token" }, "unsupported_response_type"],
    [{ response_type: "code token" }, "unsupported_response_type"],
    [{ response_type: undefined }, "invalid_request"],
    [{ request_uri: "urn:ietf:params:oauth:request_uri:x" }, "request_uri_not_supported"],
    [{ response_mode: "fragment" }, "invalid_request"],
    [{ response_mode: "form_post" }, "invalid_request"],
    [{ scope: "approvals:read openid" }, "invalid_scope"],
    [{ scope: "approvals:*" }, "invalid_scope"],
    [{ scope: "__proto__" }, "invalid_scope"],
    [{ scope: Array.from({ length: 200 }, (_, n) => `s${n}`).join(" ") }, "invalid_scope"],
    [{ resource: "https://other.example/api" }, "invalid_target"],
    [{ resource: `${issuer}/other` }, "invalid_target"],
    [{ resource: `${issuer}/api//` }, "invalid_target"],
    [{ resource: `${issuer}/x/../api` }, "invalid_target"],
    [{ resource: `${issuer}/api?x` }, "invalid_target"],
    [{ resource: "api" }, "invalid_target"],
  ] as const)("redirects with an error for %j: %s", async (changes, error) => {
    const { clientId } = await anApp();
    expectReturned(await authorize(good(clientId, changes)), error);
  });

  it("keeps the redirect URI's own query in an error redirect", async () => {
    const uri = "https://app.example/cb?tenant=a%20b";
    const { clientId } = await anApp(undefined, { redirectUris: [uri] });
    const reply = await authorize(good(clientId, { redirect_uri: uri, scope: "nope" }));
    expectReturned(reply, "invalid_scope", `${uri}&`);
  });

  it("rejects an authorization request with prompt=none", async () => {
    const { clientId } = await anApp();
    const asked = good(clientId, { prompt: "none" });
    expectReturned(await authorize(asked), "login_required");
    expectReturned(await authorize(asked, { signedIn: true }), "consent_required");
    await expectStopped(await authorize({ ...asked, client_id: "app_none" }));
  });
});

describe("errors shown on a page", () => {
  it.each([
    "http://app.example/callback",
    "https://evil.example/callback",
    "https://app.example/callback/x",
    "https://app.example/callback/",
    "https://app.example/callback?x=1",
    "https://app.example/callback#x",
    "https://app.example:8443/callback",
    "https://good@app.example/callback",
    "https://app.example@evil.example/callback",
    "https://app.example./callback",
    "https://app.example/x/../callback",
    "https://app.example/%2e/callback",
    "https://аpp.example/callback",
    "https://app.example/callback\r\nx: y",
    "http://127.0.0.1.evil.example/callback",
  ])("shows an error page for the redirect URI %j", async (uri) => {
    const { clientId } = await anApp();
    await expectStopped(await authorize(good(clientId, { redirect_uri: uri })));
  });

  it("distinguishes localhost from 127.0.0.1 in redirect URIs", async () => {
    const [numeric, named] = [
      await anApp(undefined, { redirectUris: ["http://127.0.0.1/callback"] }),
      await anApp(undefined, { redirectUris: ["http://localhost/callback"] }),
    ];
    const ask = (clientId: string, uri: string) => authorize(good(clientId, { redirect_uri: uri }));
    await expectStopped(await ask(numeric.clientId, "http://localhost/callback"));
    await expectStopped(await ask(named.clientId, "http://127.0.0.1/callback"));
    // Any port of a registered loopback URI is accepted.
    expect((await ask(numeric.clientId, "http://127.0.0.1:49152/callback")).status).toBe(303);
    expect((await ask(named.clientId, "http://localhost:3118/callback")).status).toBe(303);
  });

  it("requires a redirect URI unless the app registered exactly one", async () => {
    const several = await anApp(undefined, { redirectUris: [callback, "https://app.example/other"] });
    const none = await anApp(undefined, { redirectUris: [] });
    const one = await anApp();
    const ask = (clientId: string) => authorize(good(clientId, { redirect_uri: undefined }));
    await expectStopped(await ask(several.clientId));
    await expectStopped(await ask(none.clientId));
    expect((await ask(one.clientId)).status).toBe(303);
  });

  it("shows an error page for an unknown, missing or deleted app", async () => {
    const { owner, clientId } = await anApp();
    await expectStopped(await authorize(good("app_none")));
    await expectStopped(await authorize(good("a\u0000b")));
    await expectStopped(await authorize(good("", { client_id: undefined })));
    await deleteApp(owner, clientId);
    await expectStopped(await authorize(good(clientId)));
  });

  it.each(["client_id", "redirect_uri", "response_type", "scope", "state", "resource", "unheard_of"])(
    "shows an error page for a repeated %s",
    async (name) => {
      const { clientId } = await anApp();
      const asked = good(clientId, { scope: "approvals:read", resource: issuer, unheard_of: "x" });
      const value = encodeURIComponent(asked[name as keyof typeof asked] ?? "");
      await expectStopped(await authorize(asked, { extra: `&${name}=${value}` }));
    },
  );

  it.each([
    ["over 2,048 characters", "x".repeat(2049)],
    ["with a line break", "a\r\nset-cookie: x"],
    ["with a NUL", "a\u0000"],
  ])("shows an error page for a state parameter %s", async (_, state) => {
    const { clientId } = await anApp();
    await expectStopped(await authorize(good(clientId, { state })));
  });
});

describe("requested scope and resource", () => {
  it("requests all scopes except sensitive scopes by default", async () => {
    const owner = await anOwner();
    const app = await anApp(owner);
    const asked = async (scope?: string) => {
      const { id } = await anOpenRequest({ app }, scope === undefined ? {} : { scope });
      return (await readConsent(owner, id)).requested.map(({ scope }) => scope);
    };
    const usual = ["approvals:write", "approvals:read", "notifications:write", "notifications:read"];
    expect(await asked()).toEqual(usual);
    expect(await asked("")).toEqual(usual);
    expect(await asked("offline_access")).toEqual(usual);
    expect(await asked("approvals:resolve approvals:read  approvals:read")).toEqual([
      "approvals:read",
      "approvals:resolve",
    ]);
  });

  it.each([
    [undefined, "api"],
    [issuer, "api"],
    [`${issuer}/`, "api"],
    [`${issuer}/api`, "api"],
    [`${issuer}/api/`, "api"],
    ["HTTP://LOCALHOST:3000/api", "api"],
    [`${issuer}/api/mcp`, "mcp"],
    [`${issuer}/api/mcp/`, "mcp"],
  ])("maps the resource %s to %s", async (resource, kept) => {
    const app = await anApp();
    const { id } = await anOpenRequest({ app }, resource === undefined ? {} : { resource });
    expect(await db.consentRequest.findUnique({ where: { id } })).toMatchObject({ resource: kept });
  });
});

describe("requests from one address", () => {
  it("limits authorization requests from signed-out visitors at one address", async () => {
    const { clientId, redirectUris } = await anApp(undefined, { public: true });
    const query = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUris[0],
      code_challenge: challengeOf(newVerifier()),
      code_challenge_method: "S256",
    };
    const from = "2001:db8:7:7::1";
    await db.throttle.deleteMany();
    const first = await authorize(query, { from });
    expect(first.status).toBe(303);
    await db.throttle.updateMany({ data: { failures: 300 } });
    const before = await db.consentRequest.count();
    // Requests from the same network share the limit, invalid ones included.
    for (const asked of [query, { ...query, client_id: "app_nobody" }, { ...query, prompt: "none" }]) {
      const refused = await authorize(asked, { from: "2001:db8:7:7:ffff::2" });
      expect([refused.status, refused.headers.get("location")]).toEqual([429, null]);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(refused.headers.get("content-type")).toContain("text/html");
      expect(await refused.text()).toContain("Too many requests came from your network");
    }
    expect(await db.consentRequest.count()).toBe(before);
    expect((await authorize(query, { from, signedIn: true })).status).toBe(303);
    expect((await authorize(query, { from: "2001:db8:7:8::1" })).status).toBe(303);
  });
});
