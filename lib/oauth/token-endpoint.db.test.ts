import { describe, expect, it } from "vitest";
import { dumpDatabase } from "@/e2e/dump-database";
import { authenticate } from "@/lib/access/authorization";
import { db } from "@/lib/database/db";
import { deleteApp } from "@/lib/grants/delete-app";
import { revokeGrant } from "@/lib/grants/grants";
import { revokeScope } from "@/lib/grants/revoke-scope";
import { newServiceSecret } from "@/lib/keys/secret-tokens";
import { anApp } from "@/lib/testing/factories";
import { leaked } from "@/lib/testing/find-secrets-in-text";
import { aCode, aGrantedToken, aParty, askToken, bearer, newVerifier, type TokenReply } from "@/lib/testing/oauth-flow";
import { unknownSecret } from "@/lib/testing/unknown-secret";
import { tokenEndpoint } from "./token-endpoint";

/** Asserts an error response per RFC 6749 section 5.2. */
async function expectRefused(reply: Response, error: string, status = 400) {
  expect(await reply.clone().json()).toEqual({ error, error_description: expect.any(String) });
  expect(reply.status).toBe(status);
  expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
  expect(reply.headers.get("cache-control")).toBe("no-store");
}
const admits = (token: string) => authenticate(bearer(token));
const dead = { status: 401 };

it("exchanges an authorization code for a one-hour token", async () => {
  const party = await aParty();
  const { form } = await aCode(party, {
    scope: "approvals:read approvals:write notifications:write",
    scopes: ["approvals:read", "approvals:write"],
  });
  const reply = await askToken(form);
  expect(reply.status).toBe(200);
  expect(reply.headers.get("cache-control")).toBe("no-store");
  expect(reply.headers.get("access-control-allow-origin")).toBe("*");
  const body = (await reply.json()) as TokenReply;
  expect(body).toEqual({
    access_token: expect.stringMatching(/^csn_at_\w{49}$/),
    token_type: "Bearer",
    expires_in: expect.any(Number),
    scope: "approvals:write approvals:read",
    refresh_token: expect.stringMatching(/^csn_rt_\w{49}$/),
    owner: party.owner.ownerId,
  });
  expect(body.expires_in).toBeGreaterThan(3590);
  expect(body.expires_in).toBeLessThanOrEqual(3600);
  // The third scope was not selected.
  await authenticate(bearer(body.access_token, "approvals:read"));
  await authenticate(bearer(body.access_token, "approvals:write"));
  await expect(authenticate(bearer(body.access_token, "notifications:write"))).rejects.toMatchObject({ status: 403 });
});

it("expires a token when its grant expires", async () => {
  const { reply } = await aGrantedToken(await aParty(), { decision: { days: 1 } });
  expect(reply.expires_in).toBeGreaterThan(3590);
  const party = await aParty();
  const { form } = await aCode(party, { decision: { days: 1 } });
  await db.$executeRaw`UPDATE app_grant SET expires_at = now() + interval '100 seconds' WHERE owner_id = ${party.owner.ownerId}`;
  const short = (await (await askToken(form)).json()) as TokenReply;
  expect(short.expires_in).toBeLessThanOrEqual(100);
});

describe("authorization code", () => {
  it.each([
    ["a wrong", () => newVerifier()],
    ["no", () => undefined],
    ["a short", (right: string) => right.slice(0, 42)],
    ["a long", () => "x".repeat(129)],
    ["a non-ASCII", () => "é".repeat(43)],
  ] as const)("invalidates an authorization code after a request with %s verifier", async (_, wrong) => {
    const { form, verifier } = await aCode(await aParty());
    await expectRefused(await askToken({ ...form, code_verifier: wrong(verifier) }), "invalid_grant");
    await expectRefused(await askToken(form), "invalid_grant");
  });

  it("invalidates an authorization code after a request with a wrong redirect URI", async () => {
    const { form } = await aCode(await aParty());
    await expectRefused(await askToken({ ...form, redirect_uri: "https://app.example/other" }), "invalid_grant");
    await expectRefused(await askToken(form), "invalid_grant");
  });

  it("invalidates an authorization code after a request for another resource", async () => {
    const { form } = await aCode(await aParty(), { resource: "http://localhost:3000/api" });
    await expectRefused(await askToken({ ...form, resource: "http://localhost:3000/api/mcp" }), "invalid_target");
    await expectRefused(await askToken(form), "invalid_grant");
  });

  it("revokes tokens when their authorization code is used again", async () => {
    const party = await aParty();
    const { form, token } = await aGrantedToken(party);
    const elsewhere = await aGrantedToken(party);
    await admits(token);
    await expectRefused(await askToken(form), "invalid_grant");
    await expect(admits(token)).rejects.toMatchObject(dead);
    await admits(elsewhere.token);
    await expectRefused(await askToken(form), "invalid_grant");
    const told = await db.event.findMany({ where: { ownerId: party.owner.ownerId, type: "code.reused" } });
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({ appId: party.app.clientId });
  });

  it("rejects an authorization code after one minute", async () => {
    const party = await aParty();
    const { form } = await aCode(party);
    const left = await db.$queryRaw<{ left: number }[]>`
      SELECT extract(epoch FROM expires_at - created_at)::float8 AS left
      FROM authorization_code WHERE owner_id = ${party.owner.ownerId}`;
    expect(left).toEqual([{ left: 60 }]);
    await db.$executeRaw`UPDATE authorization_code SET expires_at = now() - interval '1 second'`;
    await expectRefused(await askToken(form), "invalid_grant");
  });

  it.each([4, 4, 4, 50])("accepts an authorization code in only one of %i concurrent requests", async (many) => {
    const { form } = await aCode(await aParty());
    const replies = await Promise.all(Array.from({ length: many }, () => askToken(form)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200)) await expectRefused(reply, "invalid_grant");
  });
});

describe("unusable code", () => {
  it("keeps an authorization code valid after another app's attempt", async () => {
    const { form } = await aCode(await aParty());
    const thief = await anApp(undefined, { public: true });
    await expectRefused(await askToken({ ...form, client_id: thief.clientId }), "invalid_grant");
    expect((await askToken(form)).status).toBe(200);
    await expectRefused(await askToken({ ...form, client_id: thief.clientId }), "invalid_grant");
  });

  it("revokes no tokens when another app reuses an authorization code", async () => {
    const { form, token } = await aGrantedToken(await aParty());
    const thief = await anApp(undefined, { public: true });
    await expectRefused(await askToken({ ...form, client_id: thief.clientId }), "invalid_grant");
    await admits(token);
  });

  it("rejects an authorization code after the grant or the scopes are revoked", async () => {
    const [one, other] = [await aParty(), await aParty()];
    const [first, second] = [await aCode(one), await aCode(other, { scope: "approvals:read" })];
    await revokeGrant(one.owner, one.app.clientId);
    await revokeScope(other.owner, other.app.clientId, "approvals:read");
    await expectRefused(await askToken(first.form), "invalid_grant");
    await expectRefused(await askToken(second.form), "invalid_grant");
  });

  it("rejects an authorization code after the app is deleted", async () => {
    const party = await aParty();
    const { form } = await aCode(party);
    await deleteApp(party.app.owner, party.app.clientId);
    await expectRefused(await askToken(form), "invalid_client", 401);
  });

  it.each([
    ["that was never issued", unknownSecret("ac")],
    ["without a checksum", "csn_ac_junk"],
    ["without a prefix", "x"],
    ["of another type", unknownSecret("at")],
  ])("rejects an authorization code %s", async (_, code) => {
    const { app } = await aParty();
    const form = { grant_type: "authorization_code", code, code_verifier: newVerifier(), client_id: app.clientId };
    await expectRefused(await askToken(form), "invalid_grant");
  });
});

describe("client authentication", () => {
  it("authenticates a confidential client through a Basic header or form fields", async () => {
    const party = await aParty({ public: false });
    const byForm = await aCode(party);
    expect((await askToken(byForm.form)).status).toBe(200);
    const { form } = await aCode(party);
    const { client_secret: secret = "", client_id, ...rest } = form;
    expect((await askToken(rest, [client_id, secret])).status).toBe(200);
    const again = await aCode(party);
    expect((await askToken({ ...again.form, client_secret: undefined }, [client_id, secret])).status).toBe(200);
  });

  it.each([
    ["without its secret", { client_secret: undefined }],
    ["with a wrong secret", { client_secret: newServiceSecret("cs") }],
    ["with a malformed secret", { client_secret: "x" }],
    ["as an unknown client", { client_id: "app_none" }],
    ["without a client ID", { client_id: undefined }],
    ["with a NUL in the client ID", { client_id: "a\u0000" }],
  ])("rejects a client that authenticates %s", async (_, changes) => {
    const party = await aParty({ public: false });
    const { form } = await aCode(party);
    const reply = await askToken({ ...form, ...changes });
    await expectRefused(reply, reply.status === 401 ? "invalid_client" : "invalid_request", reply.status);
    if (!("client_id" in changes && changes.client_id?.includes("\u0000"))) {
      expect(reply.status).toBe(401);
      expect(reply.headers.get("www-authenticate")).toMatch(/^Basic realm=/);
    }
    expect((await askToken(form)).status).toBe(200);
  });

  it("rejects a public client that sends a secret", async () => {
    const { form } = await aCode(await aParty());
    await expectRefused(await askToken({ ...form, client_secret: newServiceSecret("cs") }), "invalid_client", 401);
    await expectRefused(await askToken(form, [form.client_id, newServiceSecret("cs")]), "invalid_client", 401);
  });

  it("rejects a client that sends two authentication methods or two IDs", async () => {
    const party = await aParty({ public: false });
    const { form } = await aCode(party);
    await expectRefused(await askToken(form, [form.client_id, party.app.clientSecret]), "invalid_request");
    const { client_secret: secret = "", ...rest } = form;
    await expectRefused(
      await askToken({ ...rest, client_id: "app_other" }, [form.client_id, secret]),
      "invalid_request",
    );
  });
});

describe("token request", () => {
  const url = "http://localhost:3000/oauth/token";
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const post = (body: string, headers: Record<string, string>, query = "") =>
    tokenEndpoint(new Request(url + query, { method: "POST", body, headers }));

  it.each(["GET", "PUT", "DELETE", "PATCH"])("returns 405 for the method %s", async (method) => {
    const reply = await tokenEndpoint(new Request(url, { method }));
    await expectRefused(reply, "invalid_request", 405);
    expect(reply.headers.get("allow")).toBe("POST, OPTIONS");
  });

  it("allows other origins in the response to a preflight request", async () => {
    const reply = await tokenEndpoint(new Request(url, { method: "OPTIONS" }));
    expect(reply.status).toBe(204);
    expect(reply.headers.get("access-control-allow-origin")).toBe("*");
    expect(reply.headers.get("access-control-allow-headers")).toContain("Authorization");
    expect(reply.headers.get("access-control-allow-credentials")).toBeNull();
  });

  it("rejects a malformed or oversized token request", async () => {
    const wish = "grant_type=authorization_code&client_id=x&code=y";
    await expectRefused(
      await post(JSON.stringify({ grant_type: "x" }), { "content-type": "application/json" }),
      "invalid_request",
    );
    await expectRefused(await post(wish, { "content-type": "text/plain" }), "invalid_request");
    await expectRefused(await post(wish, form, "?client_secret=z"), "invalid_request");
    await expectRefused(await post(`${wish}&code=y`, form), "invalid_request");
    await expectRefused(await post(`${wish}&x=${"y".repeat(16_384)}`, form), "invalid_request", 413);
    await expectRefused(await post("", form), "invalid_request");
    await expectRefused(await post("grant_type=authorization_code&client_id=x&code=", form), "invalid_client", 401);
  });

  it.each(["password", "client_credentials", "implicit", "__proto__"])(
    "rejects the grant type %s",
    async (grant_type) => expectRefused(await askToken({ grant_type, client_id: "x" }), "unsupported_grant_type"),
  );
});

it("rejects a token for another resource", async () => {
  const { token } = await aGrantedToken(await aParty(), { resource: "http://localhost:3000/api/mcp" });
  const other = await aGrantedToken(await aParty());
  await authenticate(bearer(token, null, "mcp"));
  await expect(authenticate(bearer(token, null, "api"))).rejects.toMatchObject(dead);
  await expect(authenticate(bearer(other.token, null, "mcp"))).rejects.toMatchObject(dead);
});

it("stores no issued secret in plain text", async () => {
  const party = await aParty({ public: false });
  const { token, code, form, verifier } = await aGrantedToken(party);
  await askToken(form);
  const tables = await dumpDatabase();
  expect(tables).toContain(party.owner.email);
  const { app, owner } = party;
  expect(leaked(tables, [token, code, verifier, app.clientSecret, owner.password])).toEqual([]);
});
