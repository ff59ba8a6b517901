import { createHash, randomBytes } from "node:crypto";
import type { APIRequestContext } from "@playwright/test";
import { registerApp } from "@/lib/apps/apps";
import { revokeGrant, takeBackScope } from "@/lib/grants/grants";
import { anOwner, aTokenFor } from "@/lib/testing/factories";
import { expect, type Owner, test } from "./fixtures";
import { aQuestion, randomLetters } from "./oauth-app";

// What an app sees from outside, over plain HTTP with the owner's cookies.
test.skip(({ viewport }) => (viewport?.width ?? 0) < 640, "there is nothing to see");

const callback = "https://app.example/callback";
const base = () => process.env.E2E_URL as string;
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

/** A confidential app that somebody else registered. */
async function anAskingApp() {
  const name = `Pilot ${randomLetters()}`;
  const { clientId, clientSecret = "" } = await registerApp(await anOwner(), { name, redirectUris: [callback] });
  const verifier = randomBytes(32).toString("base64url");
  const query = {
    ...{ response_type: "code", client_id: clientId, redirect_uri: callback, state: "st ate&=" },
    ...{ code_challenge: createHash("sha256").update(verifier).digest("base64url"), code_challenge_method: "S256" },
  };
  const ask = (http: APIRequestContext, changes: Record<string, string> = {}, extra = "") =>
    http.get(`/oauth/authorize?${new URLSearchParams({ ...query, ...changes })}${extra}`, { maxRedirects: 0 });
  const redeem = (code: string, changes: Record<string, string> = {}) =>
    fetch(`${base()}/oauth/token`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}` },
      body: new URLSearchParams({
        ...{ grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: callback, ...changes },
      }),
    });
  return { clientId, clientSecret, ask, redeem };
}
type AskingApp = Awaited<ReturnType<typeof anAskingApp>>;

/** The owner opens the page and allows these scopes. @returns the whole answer */
async function allow(http: APIRequestContext, app: AskingApp, scopes: string[], changes: Record<string, string> = {}) {
  const page = (await app.ask(http, changes)).headers().location ?? "";
  const csrf = /name="csrf" value="([\w-]+)"/.exec(await (await http.get(page)).text())?.[1] ?? "";
  const form = new URLSearchParams([["csrf", csrf], ["decision", "allow"], ...scopes.map((it) => ["scope", it])]);
  return http.post(`${page}/decide`, {
    data: form.toString(),
    headers: { origin: base(), "content-type": "application/x-www-form-urlencoded" },
    maxRedirects: 0,
  });
}
const codeOf = (answer: Awaited<ReturnType<typeof allow>>) =>
  new URL(answer.headers().location ?? "").searchParams.get("code") ?? "";

async function aToken(http: APIRequestContext, app: AskingApp, scopes: string[]): Promise<string> {
  const reply = await app.redeem(codeOf(await allow(http, app, scopes)));
  return ((await reply.json()) as { access_token: string }).access_token;
}

test("1–9: a wrong request stops at a page, or goes back with its state and the issuer", async ({
  page: { request: http },
}) => {
  const app = await anAskingApp();
  const returned = async (changes: Record<string, string>, error: string) => {
    const reply = await app.ask(http, changes);
    expect(reply.status()).toBe(303);
    const { origin, pathname, searchParams } = new URL(reply.headers().location ?? "");
    expect(origin + pathname).toBe(callback);
    expect(searchParams.getAll("error")).toEqual([error]);
    expect(searchParams.getAll("state")).toEqual(["st ate&="]);
    expect(searchParams.getAll("iss")).toEqual([base()]);
  };
  await returned({ code_challenge: "" }, "invalid_request");
  await returned({ code_challenge_method: "plain" }, "invalid_request");
  await returned({ response_type: "token" }, "unsupported_response_type");
  await returned({ response_type: "" }, "invalid_request");
  await returned({ scope: "everything" }, "invalid_scope");
  await returned({ resource: "https://other.example" }, "invalid_target");
  await returned({ prompt: "none" }, "login_required");
  const stopped = async (changes: Record<string, string>, extra = "") => {
    const reply = await app.ask(http, changes, extra);
    expect(reply.status()).toBe(400);
    expect(reply.headers().location).toBeUndefined();
    expect(reply.headers()["content-type"]).toContain("text/html");
    expect(reply.headers()["content-security-policy"]).toContain("frame-ancestors 'none'");
  };
  await stopped({ client_id: "app_none" });
  await stopped({ redirect_uri: `${callback}/x` });
  await stopped({ redirect_uri: "https://app.example@evil.example/callback" });
  await stopped({ state: "x".repeat(2049) });
  await stopped({}, "&state=again");
});

test("10–15: the decision is one 303; the token says what was ticked", async ({
  page: { request: http },
  owner: _,
}) => {
  const app = await anAskingApp();
  const three = { scope: "approvals:write approvals:read notifications:write" };
  const answer = await allow(http, app, ["approvals:write", "approvals:read", "approvals:resolve"], three);
  expect(answer.status()).toBe(303);
  const reply = await app.redeem(codeOf(answer));
  expect(reply.headers.get("cache-control")).toBe("no-store");
  const { access_token, ...rest } = (await reply.json()) as { access_token: string };
  expect(rest).toEqual({
    token_type: "Bearer",
    expires_in: expect.any(Number),
    scope: "approvals:write approvals:read",
  });
  expect((await http.get("/api/approvals", bearer(access_token))).status()).toBe(200);
  const note = await http.post("/api/notifications", { ...bearer(access_token), data: { title: "Hello" } });
  expect(note.status()).toBe(403);
  const denied = await allow(http, app, []);
  expect(new URL(denied.headers().location ?? "").searchParams.get("error")).toBe("access_denied");
});

test("16–20: a code is worth one token, once, to its own app", async ({ page: { request: http }, owner: _ }) => {
  const [app, other] = [await anAskingApp(), await anAskingApp()];
  const code = async () => codeOf(await allow(http, app, ["approvals:read"]));
  const refused = async (reply: Response) => {
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ error: "invalid_grant" });
  };
  const burnt = await code();
  await refused(await app.redeem(burnt, { code_verifier: "x".repeat(43) }));
  await refused(await app.redeem(burnt));
  const own = await code();
  await refused(await other.redeem(own));
  await refused(await app.redeem(own, { redirect_uri: `${callback}/x` }));
  const raced = await code();
  const replies = await Promise.all([1, 2, 3, 4].map(() => app.redeem(raced)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  const twice = await code();
  const { access_token } = (await (await app.redeem(twice)).json()) as { access_token: string };
  expect((await http.get("/api/approvals", bearer(access_token))).status()).toBe(200);
  await refused(await app.redeem(twice));
  expect((await http.get("/api/approvals", bearer(access_token))).status()).toBe(401);
});

test("21–22: the token endpoint takes a POSTed form and one grant type", async ({ request: http }) => {
  const wrong = async (reply: Response, status: number, error: string) => {
    expect(reply.status).toBe(status);
    expect(reply.headers.get("content-type")).toContain("application/json");
    expect(reply.headers.get("cache-control")).toBe("no-store");
    expect(await reply.json()).toMatchObject({ error });
  };
  const url = `${base()}/oauth/token`;
  await wrong(await fetch(url), 405, "invalid_request");
  await wrong(
    await fetch(url, { method: "POST", body: "{}", headers: { "content-type": "application/json" } }),
    400,
    "invalid_request",
  );
  for (const grant_type of ["password", "client_credentials", "refresh_token"]) {
    const body = new URLSearchParams({ grant_type });
    await wrong(await fetch(url, { method: "POST", body }), 400, "unsupported_grant_type");
  }
  const app = await anAskingApp();
  const guess = new URLSearchParams({
    grant_type: "authorization_code",
    code: "x",
    client_id: app.clientId,
    client_secret: "x",
  });
  const unknown = await fetch(url, { method: "POST", body: guess });
  expect(unknown.headers.get("www-authenticate")).toMatch(/^Basic /);
  await wrong(unknown, 401, "invalid_client");
  expect((await http.fetch("/oauth/token", { method: "OPTIONS" })).headers()["access-control-allow-origin"]).toBe("*");
});

test("27 and 29–32: what a token opens, and what is said when it does not", async ({ page, owner }) => {
  const { request: http } = page;
  const app = await anAskingApp();
  const token = await aToken(http, app, ["approvals:write", "approvals:read"]);
  const about = `resource_metadata="${base()}/.well-known/oauth-protected-resource/api"`;
  const challenge = async (path: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(base() + path, { headers });
    const body: unknown = await reply.json();
    return { status: reply.status, body, says: reply.headers.get("www-authenticate") };
  };
  const none = await challenge("/api/approvals");
  expect(none).toMatchObject({ status: 401, body: { error: "Unauthorized" }, says: expect.stringContaining(about) });
  expect(none.says).not.toContain("error=");
  for (const path of [`/api/approvals?access_token=${token}`, `/api/approvals?token=${token}`]) {
    expect((await challenge(path)).status).toBe(401);
  }
  const junk = await challenge("/api/approvals", { authorization: "Bearer junk" });
  expect(junk).toMatchObject({ status: 401, says: expect.stringContaining('error="invalid_token"') });
  const short = await challenge("/api/notifications", { authorization: `Bearer ${token}` });
  expect(short).toMatchObject({ status: 403, body: { error: "Forbidden" } });
  expect(short.says).toContain('error="insufficient_scope", scope="notifications:read"');
  // 31: a token for the other resource.
  const there = { resource: `${base()}/api/mcp`, scope: "approvals:read" };
  const mcp = await app.redeem(codeOf(await allow(http, app, ["approvals:read"], there)));
  const { access_token: other } = (await mcp.json()) as { access_token: string };
  expect((await challenge("/api/approvals", { authorization: `Bearer ${other}` })).status).toBe(401);
  await othersAreOutOfReach(http, owner, app, token);
  await takeBackScope(owner, app.clientId, "approvals:write");
  expect((await http.post("/api/approvals", { ...bearer(token), data: aQuestion })).status()).toBe(403);
  expect((await http.get("/api/approvals", bearer(token))).status()).toBe(200);
  await revokeGrant(owner, app.clientId);
  expect((await http.get("/api/approvals", bearer(token))).status()).toBe(401);
});

/** 32: neither another app of the same owner nor the same app of another owner reaches a record. */
async function othersAreOutOfReach(http: APIRequestContext, owner: Owner, app: AskingApp, token: string) {
  const { id } = (await (await http.post("/api/approvals", { ...bearer(token), data: aQuestion })).json()) as {
    id: string;
  };
  const stranger = await aTokenFor(await anOwner(), app.clientId, ["approvals:read"]);
  const neighbour = await aTokenFor(owner, (await anAskingApp()).clientId, ["approvals:read"]);
  expect((await http.get(`/api/approvals/${id}`, bearer(token))).status()).toBe(200);
  for (const { token } of [stranger, neighbour]) {
    expect((await http.get(`/api/approvals/${id}`, bearer(token))).status()).toBe(404);
    expect(await (await http.get("/api/approvals", bearer(token))).json()).toMatchObject({ data: [] });
  }
}

test("33: discovery says who we are, whatever the request claims", async ({ request: http }) => {
  const forged = { headers: { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" } };
  const server = await http.get("/.well-known/oauth-authorization-server", forged);
  const document = (await server.json()) as Record<string, unknown>;
  expect(document).toMatchObject({ issuer: base(), code_challenge_methods_supported: ["S256"] });
  expect(document.token_endpoint_auth_methods_supported).toContain("none");
  expect(document.authorization_response_iss_parameter_supported).toBe(true);
  const endpoints = Object.entries(document).filter(([name]) => name.endsWith("_endpoint"));
  expect(endpoints.map(([name]) => name)).toEqual(["authorization_endpoint", "token_endpoint"]);
  for (const [, url] of endpoints) expect((await fetch(String(url))).status).not.toBe(404);
  for (const [path, resource] of [
    ["", ""],
    ["/api", "/api"],
  ]) {
    const reply = await http.get(`/.well-known/oauth-protected-resource${path}`, forged);
    expect(await reply.json()).toMatchObject({ resource: `${base()}${resource}`, authorization_servers: [base()] });
    expect(reply.headers()["access-control-allow-origin"]).toBe("*");
  }
  expect((await http.get("/.well-known/oauth-protected-resource/other")).status()).toBe(404);
  expect((await http.get("/.well-known/openid-configuration")).status()).toBe(404);
});
