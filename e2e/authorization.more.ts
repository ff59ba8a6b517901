import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { APIRequestContext } from "@playwright/test";
import { registerApp } from "@/lib/apps/apps";
import { pool } from "@/lib/database/db";
import { revokeGrant } from "@/lib/grants/grants";
import { revokeScope } from "@/lib/grants/revoke-scope";
import { aDocument } from "@/lib/testing/client-metadata-server";
import { anOwner, aTokenFor } from "@/lib/testing/factories";
import { approveDevice } from "./approve-device";
import { dumpDatabase } from "./dump-database";
import { expect, type Owner, test } from "./fixtures";
import { aQuestion, randomLetters } from "./oauth-app";
import { post } from "./oauth-owner";
import { leaksIn } from "./secret-leaks";

// Tests OAuth from an app's perspective, over plain HTTP with the owner's cookies.
const callback = "https://app.example/callback";
/** Moves stored times back to simulate elapsed time. */
const sql = (text: string, clientId: string) => pool().query(text, [clientId]);
const base = () => process.env.E2E_URL as string;
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

/** A confidential app registered by another owner. */
async function anAskingApp(home = callback) {
  const name = `Pilot ${randomLetters()}`;
  const { clientId, clientSecret = "" } = await registerApp(await anOwner(), { name, redirectUris: [home] });
  const verifier = randomBytes(32).toString("base64url");
  const query = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: home,
    state: "st ate&=",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  };
  const ask = (http: APIRequestContext, changes: Record<string, string> = {}, extra = "") =>
    http.get(`/oauth/authorize?${new URLSearchParams({ ...query, ...changes })}${extra}`, { maxRedirects: 0 });
  /** An authenticated form post to an endpoint for apps. */
  const send = (path: string, fields: Record<string, string>) =>
    fetch(`${base()}/oauth/${path}`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}` },
      body: new URLSearchParams(fields),
    });
  const redeem = (code: string, changes: Record<string, string> = {}) =>
    send("token", {
      grant_type: "authorization_code",
      code,
      code_verifier: verifier,
      redirect_uri: callback,
      ...changes,
    });
  const refresh = (refresh_token: string, changes: Record<string, string> = {}) =>
    send("token", { grant_type: "refresh_token", refresh_token, ...changes });
  return { clientId, clientSecret, verifier, query, ask, send, redeem, refresh };
}
type AskingApp = Awaited<ReturnType<typeof anAskingApp>>;

/** The owner opens the page and allows these scopes. @returns the response */
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

type Tokens = { access_token: string; refresh_token: string; scope: string };
const tokensOf = async (reply: Promise<Response> | Response) => {
  const it = await reply;
  expect(it.status).toBe(200);
  return (await it.json()) as Tokens;
};
const issued = async (http: APIRequestContext, app: AskingApp, scopes: string[]) =>
  tokensOf(app.redeem(codeOf(await allow(http, app, scopes))));
const opens = async (token: string) => (await fetch(`${base()}/api/integrations`, bearer(token))).status;
const refused = async (reply: Promise<Response> | Response, error: string, status = 400) => {
  const it = await reply;
  expect([it.status, ((await it.json()) as { error: string }).error]).toEqual([status, error]);
};

async function aToken(http: APIRequestContext, app: AskingApp, scopes: string[]): Promise<string> {
  const reply = await app.redeem(codeOf(await allow(http, app, scopes)));
  return ((await reply.json()) as { access_token: string }).access_token;
}

test("rejects invalid authorization requests", async ({ page: { request: http } }) => {
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
  // Only a local program may use a different port.
  await stopped({ redirect_uri: "https://app.example:8443/callback" });
  const local = await anAskingApp("http://127.0.0.1/callback");
  const anyPort = await local.ask(http, { redirect_uri: "http://127.0.0.1:51234/callback" });
  expect(anyPort.headers().location).toContain("/consent/con_");
  const byName = await local.ask(http, { redirect_uri: "http://localhost:51234/callback" });
  expect([byName.status(), byName.headers().location]).toEqual([400, undefined]);
  // A missing scope means the defaults, and a resource's trailing slash is ignored.
  const usual = await app.ask(http, { resource: `${base()}/api/` });
  expect(usual.headers().location).toContain("/consent/con_");
});

test("issues tokens only for the requested scopes that the owner allows", async ({
  page: { request: http },
  owner,
}) => {
  const app = await anAskingApp();
  const three = { scope: "approvals:write approvals:read notifications:write" };
  const answer = await allow(http, app, ["approvals:write", "approvals:read", "approvals:resolve"], three);
  expect(answer.status()).toBe(303);
  const reply = await app.redeem(codeOf(answer));
  expect(reply.headers.get("cache-control")).toBe("no-store");
  const { access_token, ...rest } = (await reply.json()) as { access_token: string };
  expect(rest).toEqual({
    refresh_token: expect.any(String),
    token_type: "Bearer",
    expires_in: expect.any(Number),
    scope: "approvals:write approvals:read",
    owner: owner.ownerId,
  });
  expect((await http.get("/api/approvals", bearer(access_token))).status()).toBe(200);
  const note = await http.post("/api/notifications", { ...bearer(access_token), data: { title: "Hello" } });
  expect(note.status()).toBe(403);
  // Allowing no scope decides nothing, and redirects back to the form with a hint.
  const nothing = await allow(http, app, []);
  expect([nothing.status(), nothing.headers().location]).toEqual([
    303,
    expect.stringMatching(/^\/consent\/[^/]+\?empty$/),
  ]);
});

test("exchanges a code once, only with the right client, verifier and redirect URI", async ({
  page: { request: http },
  owner: _,
}) => {
  const [app, other] = [await anAskingApp(), await anAskingApp()];
  const code = async () => codeOf(await allow(http, app, ["approvals:read"]));
  const spent = (reply: Response) => refused(reply, "invalid_grant");
  const burnt = await code();
  await spent(await app.redeem(burnt, { code_verifier: "x".repeat(43) }));
  await spent(await app.redeem(burnt));
  const own = await code();
  await spent(await other.redeem(own));
  await spent(await app.redeem(own, { redirect_uri: `${callback}/x` }));
  const raced = await code();
  const replies = await Promise.all([1, 2, 3, 4].map(() => app.redeem(raced)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  const late = await code();
  await sql("UPDATE authorization_code SET expires_at = now() - interval '1 second' WHERE app_id = $1", app.clientId);
  await spent(await app.redeem(late));
  const twice = await code();
  const { access_token } = (await (await app.redeem(twice)).json()) as { access_token: string };
  expect((await http.get("/api/approvals", bearer(access_token))).status()).toBe(200);
  await spent(await app.redeem(twice));
  expect((await http.get("/api/approvals", bearer(access_token))).status()).toBe(401);
});

test("accepts only form posts with a supported grant type at the token endpoint", async ({ request: http }) => {
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
  for (const grant_type of ["password", "client_credentials", "implicit"]) {
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

test("accepts a consent decision only from the owner's own form", async ({
  page: { request: http },
  owner: _,
  playwright,
}) => {
  const app = await anAskingApp();
  const open = async () => (await app.ask(http)).headers().location ?? "";
  const page = await open();
  const shown = await http.get(page);
  expect(shown.headers()).toMatchObject({ "x-frame-options": "DENY", "referrer-policy": "no-referrer" });
  expect(shown.headers()["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(shown.headers()["cache-control"]).toContain("no-store");
  const html = await shown.text();
  const foreign = [...html.matchAll(/(?:src|href)="(https?:[^"]+)"/g)].filter(([, url]) => !url?.startsWith(base()));
  expect(foreign).toEqual([]);
  const csrf = /name="csrf" value="([\w-]+)"/.exec(html)?.[1] ?? "";
  const decide = (fields: Record<string, string>, headers: Record<string, string> = {}, who = http) =>
    who.post(`${page}/decide`, {
      data: new URLSearchParams({ decision: "allow", scope: "approvals:read", ...fields }).toString(),
      headers: { origin: base(), "content-type": "application/x-www-form-urlencoded", ...headers },
      maxRedirects: 0,
    });
  const stranger = await playwright.request.newContext();
  for (const wrong of [
    () => decide({}),
    () => decide({ csrf: "x".repeat(43) }),
    () => decide({ csrf }, { origin: "https://evil.example" }),
    () => decide({ csrf }, { origin: "null" }),
    () => decide({ csrf }, { "sec-fetch-site": "cross-site" }),
    () => decide({ csrf }, {}, stranger),
  ]) {
    const reply = await wrong();
    expect(reply.status()).toBeGreaterThanOrEqual(400);
    expect(reply.headers().location).toBeUndefined();
  }
  await stranger.dispose();
  const both = await Promise.all([decide({ csrf }), decide({ csrf })]);
  expect(both.map((it) => it.status()).sort()).toEqual([303, 409]);
});

test("revokes a token family when an app reuses an older refresh token", async ({
  page: { request: http },
  owner: _,
}) => {
  const [app, other] = [await anAskingApp(), await anAskingApp()];
  const first = await issued(http, app, ["approvals:read", "approvals:write"]);
  const second = await tokensOf(app.refresh(first.refresh_token));
  expect(second.refresh_token).not.toBe(first.refresh_token);
  const four = await Promise.all([1, 2, 3, 4].map(() => tokensOf(app.refresh(first.refresh_token))));
  expect(new Set(four.map((it) => it.refresh_token))).toEqual(new Set([second.refresh_token]));
  for (const { access_token } of [first, second, ...four]) expect(await opens(access_token)).toBe(200);

  await refused(app.refresh(second.refresh_token, { scope: "approvals:read approvals:resolve" }), "invalid_scope");
  await refused(other.refresh(second.refresh_token), "invalid_grant");
  const third = await tokensOf(app.refresh(second.refresh_token, { scope: "approvals:read" }));
  expect(third.scope).toBe("approvals:read");
  const bystander = await issued(http, app, ["approvals:read"]);
  await refused(app.refresh(first.refresh_token), "invalid_grant");
  for (const { access_token } of [first, second, ...four, third]) expect(await opens(access_token)).toBe(401);
  await refused(app.refresh(third.refresh_token), "invalid_grant");
  expect(await opens(bystander.access_token)).toBe(200);
  const told = await (await http.get("/notifications")).text();
  expect(told).toMatch(/Tokens for .* were revoked/);
});

test("lets an app revoke and introspect only its own tokens", async ({ page: { request: http }, owner: _ }) => {
  const [app, other] = [await anAskingApp(), await anAskingApp()];
  const { access_token, refresh_token } = await issued(http, app, ["approvals:read"]);
  for (const [who, token] of [
    [app, "nonsense"],
    [other, access_token],
    [other, refresh_token],
  ] as const) {
    expect((await who.send("revoke", { token })).status).toBe(200);
  }
  expect(await opens(access_token)).toBe(200);
  const described = async (who: AskingApp, token: string) =>
    (await who.send("introspect", { token })).json() as Promise<object>;
  expect(await described(app, access_token)).toMatchObject({ active: true, client_id: app.clientId });
  expect(await described(other, access_token)).toEqual({ active: false });
  expect(await described(app, "nonsense")).toEqual({ active: false });
  expect((await app.send("revoke", { token: refresh_token })).status).toBe(200);
  expect(await opens(access_token)).toBe(401);
  expect(await described(app, access_token)).toEqual({ active: false });
  const alone = new URLSearchParams({ token: access_token, client_id: "nobody" });
  await refused(fetch(`${base()}/oauth/introspect`, { method: "POST", body: alone }), "invalid_client", 401);
});

test("limits a token to its scopes, its resource and its owner's records", async ({ page, owner }) => {
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
  // The test uses a token for the other resource.
  const there = { resource: `${base()}/api/mcp`, scope: "approvals:read" };
  const mcp = await app.redeem(codeOf(await allow(http, app, ["approvals:read"], there)));
  const { access_token: other } = (await mcp.json()) as { access_token: string };
  expect((await challenge("/api/approvals", { authorization: `Bearer ${other}` })).status).toBe(401);
  await othersAreOutOfReach(http, owner, app, token);
  const { refresh_token } = await issued(http, app, ["approvals:write", "approvals:read"]);
  await revokeScope(owner, app.clientId, "approvals:write");
  expect((await http.post("/api/approvals", { ...bearer(token), data: aQuestion })).status()).toBe(403);
  const renewed = await tokensOf(app.refresh(refresh_token));
  expect(renewed.scope).toBe("approvals:read");
  expect((await http.get("/api/approvals", bearer(token))).status()).toBe(200);
  await revokeGrant(owner, app.clientId);
  expect((await http.get("/api/approvals", bearer(token))).status()).toBe(401);
  await refused(app.refresh(renewed.refresh_token), "invalid_grant");
});

/** Another app of the same owner can't read a record. Neither can the same app of another owner. */
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

test("ignores forged request headers when generating discovery metadata", async ({ request: http }) => {
  const forged = { headers: { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" } };
  const server = await http.get("/.well-known/oauth-authorization-server", forged);
  const document = (await server.json()) as Record<string, unknown>;
  expect(document).toMatchObject({ issuer: base(), code_challenge_methods_supported: ["S256"] });
  expect(document.token_endpoint_auth_methods_supported).toContain("none");
  expect(document.authorization_response_iss_parameter_supported).toBe(true);
  const endpoints = Object.entries(document).filter(([name]) => name.endsWith("_endpoint"));
  expect(endpoints.map(([name]) => name.replace(/_endpoint$/, "")).sort()).toEqual([
    ...["authorization", "device_authorization", "introspection", "registration", "revocation"],
    "token",
  ]);
  for (const [, url] of endpoints) expect((await fetch(String(url))).status).not.toBe(404);
  for (const [path, resource] of [
    ["", ""],
    ["/api", "/api"],
    ["/api/mcp", "/api/mcp"],
  ]) {
    const reply = await http.get(`/.well-known/oauth-protected-resource${path}`, forged);
    expect(await reply.json()).toMatchObject({ resource: `${base()}${resource}`, authorization_servers: [base()] });
    expect(reply.headers()["access-control-allow-origin"]).toBe("*");
  }
  expect((await http.get("/.well-known/oauth-protected-resource/other")).status()).toBe(404);
  expect((await http.get("/.well-known/openid-configuration")).status()).toBe(404);
});

const register = (metadata: object) =>
  fetch(`${base()}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(metadata),
  });

test("rejects the registration of unsafe redirect URIs", async () => {
  const client_name = `Nomad ${randomLetters()}`;
  for (const uri of [
    ...["http://evil.example/cb", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd"],
    ...["https://app.example/#x", "https://user@app.example/cb"],
  ]) {
    await refused(register({ client_name, redirect_uris: [uri] }), "invalid_redirect_uri");
  }
  const reply = await register({ client_name, redirect_uris: [callback], token_endpoint_auth_method: "none" });
  expect(reply.status).toBe(201);
  const made = (await reply.json()) as Record<string, string>;
  expect(made).not.toHaveProperty("client_secret");
});

test("requires a confidential client's secret to exchange a code", async ({ page: { request: http }, owner: _ }) => {
  const app = await anAskingApp();
  const form = async (changes: Record<string, string>) => {
    const code = codeOf(await allow(http, app, ["approvals:read"]));
    const fields = { grant_type: "authorization_code", code, code_verifier: app.verifier, redirect_uri: callback };
    return new URLSearchParams({ ...fields, client_id: app.clientId, ...changes });
  };
  const token = async (body: URLSearchParams, basic?: string) =>
    fetch(`${base()}/oauth/token`, {
      method: "POST",
      headers: { ...(basic && { authorization: `Basic ${Buffer.from(basic).toString("base64")}` }) },
      body,
    });
  const wrong = await token(await form({}), `${app.clientId}:wrong`);
  expect(wrong.headers.get("www-authenticate")).toMatch(/^Basic /);
  await refused(wrong, "invalid_client", 401);
  await refused(token(await form({ client_secret: "wrong" })), "invalid_client", 401);
  await refused(token(await form({})), "invalid_client", 401);
  const secret = { client_secret: app.clientSecret };
  // RFC 6749 section 5.2 calls more than one mechanism invalid_request.
  await refused(token(await form(secret), `${app.clientId}:${app.clientSecret}`), "invalid_request");
  expect((await token(await form(secret))).status).toBe(200);
  expect((await token(await form({}), `${app.clientId}:${app.clientSecret}`)).status).toBe(200);
});

test("shows a metadata document's host and rejects unsafe document URLs", async ({
  page: { request: http },
  owner: _,
}) => {
  const app = await anAskingApp();
  const good = `${process.env.E2E_DOCUMENTS}/${randomLetters()}/client.json`;
  const document = aDocument(good, { client_name: `Paper ${randomLetters()}`, redirect_uris: [callback] });
  await fetch(good, { method: "PUT", body: JSON.stringify(document) });
  const page = (await app.ask(http, { client_id: good })).headers().location ?? "";
  expect(await (await http.get(page)).text()).toContain(new URL(good).host);
  for (const client_id of [
    ...["https://127.0.0.1/client.json", "https://10.0.0.1/client.json", "https://169.254.169.254/client.json"],
    ...["https://[::1]/client.json", "https://[fc00::1]/client.json", "https://localhost/client.json"],
    ...["http://app.example/client.json", "https://app.example/", "https://app.example/a/../client.json"],
    ...["https://user@app.example/client.json", "https://app.example/client.json#x"],
  ]) {
    const reply = await app.ask(http, { client_id });
    expect([client_id, reply.status()]).toEqual([client_id, 400]);
    expect(reply.headers().location).toBeUndefined();
  }
});

test("exchanges a device code only once after the owner approves the device", async ({
  page: { request: http },
  owner: _,
}) => {
  const app = await anAskingApp();
  const start = async () => {
    const reply = await app.send("device_authorization", { scope: "approvals:read approvals:write" });
    expect(reply.status).toBe(200);
    return (await reply.json()) as { device_code: string; user_code: string; interval: number; expires_in: number };
  };
  const poll = (device_code: string) =>
    app.send("token", { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code });
  const asked = await start();
  expect(asked).toMatchObject({
    interval: 5,
    expires_in: 900,
    user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
  });
  await refused(poll(asked.device_code), "authorization_pending");
  await refused(poll(asked.device_code), "slow_down");
  // Opening the URL with its code grants nothing.
  await http.get(`/device?user_code=${asked.user_code}`);
  await refused(poll(asked.device_code), "slow_down");
  await approveDevice(http, asked.user_code.toLowerCase().replace("-", " "), ["approvals:read"]);
  const tokens = await tokensOf(poll(asked.device_code));
  expect(tokens.scope).toBe("approvals:read");
  await refused(poll(asked.device_code), "invalid_grant");
  const old = await start();
  await sql(
    "UPDATE device_code SET expires_at = now() - interval '1 second' WHERE app_id = $1 AND decided_at IS NULL",
    app.clientId,
  );
  await refused(poll(old.device_code), "expired_token");
  const denied = await start();
  await approveDevice(http, denied.user_code, []);
  await refused(poll(denied.device_code), "access_denied");
  const guess = () => post(http, "/device/enter", [["user_code", "BCDF-GHJK"]]);
  for (let wrong = 0; wrong < 5; wrong++) expect((await guess()).status()).toBe(303);
  expect((await guess()).status()).toBe(429);
});

test("exposes no issued secret in the database, the log or owners' pages", async ({
  page: { request: http },
  owner,
}) => {
  const app = await anAskingApp();
  const code = codeOf(await allow(http, app, ["approvals:read"]));
  const first = await tokensOf(app.redeem(code));
  const second = await tokensOf(app.refresh(first.refresh_token));
  const asked = (await (await app.send("device_authorization", {})).json()) as { device_code: string };
  const { token } = await aTokenFor(owner, app.clientId, ["approvals:read"]);
  const issued = [
    ...[code, first.access_token, first.refresh_token, second.access_token, second.refresh_token, token],
    ...[asked.device_code, app.clientSecret, owner.password],
  ];
  const spellings = issued.flatMap((secret) => {
    const bytes = Buffer.from(secret);
    return [secret, bytes.toString("hex"), bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url")];
  });
  const dump = await dumpDatabase();
  expect(dump.length).toBeGreaterThan(10_000);
  const log = readFileSync(process.env.E2E_LOG as string, "utf8");
  expect(log).toContain("Countersign is at");
  for (const spelling of spellings) {
    expect(dump).not.toContain(spelling);
    expect(log).not.toContain(spelling);
  }
  // Searches owners' pages for all issued secrets by their format.
  expect([leaksIn(dump), leaksIn(log)]).toEqual([[], []]);
  expect(leaksIn(`as it was: ${app.clientSecret}`)).toHaveLength(1);
  const { clientId } = app;
  for (const path of [
    ...["/approvals", "/notifications", "/integrations", "/apps", `/apps/${clientId}`, "/activity", "/settings"],
    ...["/developer", "/device", (await app.ask(http)).headers().location ?? ""],
  ]) {
    for (const headers of [{ rsc: "0" }, { rsc: "1" }]) {
      const reply = await http.get(path, { headers });
      expect([path, reply.status(), leaksIn(await reply.text())]).toEqual([path, 200, []]);
    }
  }
});
