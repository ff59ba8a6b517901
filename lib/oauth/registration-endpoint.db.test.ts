import { afterEach, describe, expect, it } from "vitest";
import { findClient, registerApp } from "@/lib/apps/apps";
import { db } from "@/lib/database/db";
import { configure } from "@/lib/testing/change-settings";
import { anOwner } from "@/lib/testing/factories";
import { aCode, aGrantedToken, askToken } from "@/lib/testing/oauth-flow";
import { registrationEndpoint } from "./registration-endpoint";

const callback = "https://app.example/callback";
const base = "http://localhost:3000/oauth/register";

type Registered = {
  client_id: string;
  client_secret?: string;
  redirect_uris: string[];
  client_name: string;
  [member: string]: unknown;
};

let callers = 0;
/** Sends a POST, from a unique address by default. */
const post = (body: unknown, { from = `198.51.100.${++callers}`, type = "application/json", method = "POST" } = {}) =>
  registrationEndpoint(
    new Request(base, {
      method,
      headers: { "x-countersign-address": from, ...(method === "POST" && { "content-type": type }) },
      ...(method === "POST" && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    }),
  );
async function register(members: object = {}): Promise<Registered> {
  const reply = await post({ redirect_uris: [callback], token_endpoint_auth_method: "none", ...members });
  expect(reply.status).toBe(201);
  return (await reply.json()) as Registered;
}
const asParty = ({ client_id, client_secret = "", redirect_uris, client_name }: Registered) => ({
  owner: { kind: "owner" as const, ownerId: "", fresh: true },
  clientId: client_id,
  clientSecret: client_secret,
  name: client_name,
  redirectUris: redirect_uris,
});

afterEach(() => {
  configure({ REGISTRATION_LIMIT: undefined });
});

describe("registration", () => {
  it("returns the metadata of a public client", async () => {
    const reply = await post({
      redirect_uris: [callback],
      token_endpoint_auth_method: "none",
      client_name: "Paper Boat",
      client_uri: "https://app.example",
      unheard_of: { of: 1 },
    });
    expect(reply.status).toBe(201);
    expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
    expect(reply.headers.get("cache-control")).toBe("no-store");
    expect(reply.headers.get("access-control-allow-origin")).toBe("*");
    const body = (await reply.json()) as Registered;
    expect(body).toEqual({
      client_id: expect.stringMatching(/^app_[0-9a-v]{32}$/),
      client_id_issued_at: expect.any(Number),
      client_name: "Paper Boat",
      client_uri: "https://app.example",
      redirect_uris: [callback],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    });
    expect(Math.abs((body.client_id_issued_at as number) - Date.now() / 1000)).toBeLessThan(60);
    expect(await findClient(body.client_id)).toMatchObject({
      clientId: body.client_id,
      kind: "dynamic",
      ownerId: null,
      public: true,
      secretHash: null,
      grantTypes: ["authorization_code", "refresh_token"],
    });
  });

  it.each([
    ["default method", undefined],
    ["client_secret_basic", "client_secret_basic"],
    ["client_secret_post", "client_secret_post"],
  ])("returns the secret of a confidential client only once (%s)", async (_row, method) => {
    const owner = await anOwner();
    const client = await register({ token_endpoint_auth_method: method });
    expect(client.client_secret).toMatch(/^csn_cs_\w{49}$/);
    expect(client.client_secret_expires_at).toBe(0);
    expect(client.token_endpoint_auth_method).toBe(method ?? "client_secret_basic");
    const { client_id, client_secret = "" } = client;
    const inForm = await aGrantedToken({ owner, app: asParty(client) });
    expect(inForm.token).toMatch(/^csn_at_/);
    const { form } = await aCode({ owner, app: asParty(client) });
    const { client_secret: _, ...rest } = form as Record<string, string>;
    expect((await askToken(rest, [client_id, client_secret])).status).toBe(200);
    const kept = await db.$queryRaw<
      [{ row: string }]
    >`SELECT row_to_json(app)::text AS row FROM app WHERE id = ${client_id}`;
    expect(kept[0].row).not.toContain(client_secret.slice(8));
  });

  it("records no event until an owner connects the app", async () => {
    const client = await register();
    expect(await db.event.count({ where: { appId: client.client_id } })).toBe(0);
    const owner = await anOwner();
    await aGrantedToken({ owner, app: asParty(client) });
    const types = await db.event.findMany({
      where: { appId: client.client_id },
      select: { type: true, ownerId: true },
    });
    expect(types.every(({ ownerId }) => ownerId === owner.ownerId)).toBe(true);
    expect(types.map(({ type }) => type)).toContain("grant.changed");
  });

  it("issues no refresh token to a client without the refresh_token grant type", async () => {
    const client = await register({ grant_types: ["authorization_code"] });
    const { reply } = await aGrantedToken({ owner: await anOwner(), app: asParty(client) });
    expect(reply).not.toHaveProperty("refresh_token");
    const other = await aGrantedToken({ owner: await anOwner(), app: asParty(await register()) });
    expect(other.reply).toHaveProperty("refresh_token");
  });

  it.each([
    ["{", "application/json", 400, "invalid_client_metadata"],
    ["[]", "application/json", 400, "invalid_client_metadata"],
    ["null", "application/json", 400, "invalid_client_metadata"],
    ["", "application/json", 400, "invalid_client_metadata"],
    [{ redirect_uris: [callback] }, "text/plain", 400, "invalid_client_metadata"],
    [{ redirect_uris: [callback] }, "application/x-www-form-urlencoded", 400, "invalid_client_metadata"],
    [{ redirect_uris: ["javascript:alert(1)"] }, "application/json", 400, "invalid_redirect_uri"],
    [{ redirect_uris: [callback], client_name: "x".repeat(20_000) }, "application/json", 413, "invalid_request"],
  ])("responds to the body %j of the type %s with %i %s", async (body, type, status, error) => {
    const reply = await post(body, { type });
    expect(reply.status).toBe(status);
    expect(reply.headers.get("cache-control")).toBe("no-store");
    expect(await reply.json()).toEqual({ error, error_description: expect.any(String) });
  });

  it("names the rejected redirect URI in the error", async () => {
    const reply = await post({ redirect_uris: [callback, "http://evil.example/cb"] });
    const { error_description } = (await reply.json()) as { error_description: string };
    expect(error_description).toContain('"http://evil.example/cb"');
  });

  it("accepts registrations only through POST requests", async () => {
    const wrong = await post(undefined, { method: "GET" });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    const preflight = await post(undefined, { method: "OPTIONS" });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-methods")).toBe("POST");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("Content-Type");
  });

  it("allows ten registrations per hour from one address", async () => {
    const from = "203.0.113.77";
    const good = { redirect_uris: [callback], token_endpoint_auth_method: "none" };
    const replies = await Promise.all(Array.from({ length: 14 }, () => post(good, { from })));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
    const [refused] = replies.filter(({ status }) => status !== 201);
    expect(refused?.status).toBe(429);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(3000);
    expect(await refused?.json()).toMatchObject({ error: "too_many_requests" });
    expect((await post(good, { from: "203.0.113.78" })).status).toBe(201);
    const network = "2001:db8:1:2";
    for (let n = 0; n < 10; n++) expect((await post(good, { from: `${network}::${n}` })).status).toBe(201);
    expect((await post(good, { from: `${network}:9::1` })).status).toBe(429);
  });

  it.each([
    ["an invalid redirect URI", { redirect_uris: ["http://evil"] }, "application/json", 400],
    ["a forbidden name", { redirect_uris: [callback], client_name: "Countersign" }, "application/json", 400],
    ["broken JSON", "{", "application/json", 400],
    ["another content type", { redirect_uris: [callback] }, "text/plain", 400],
    ["a long body", { redirect_uris: [callback], client_name: "x".repeat(20_000) }, "application/json", 413],
  ])("counts a registration rejected for %s toward the limit", async (_, body, type, status) => {
    configure({ REGISTRATION_LIMIT: "3" });
    const from = `203.0.113.${++callers}`;
    const statuses: number[] = [];
    for (let n = 0; n < 5; n++) statuses.push((await post(body, { from, type })).status);
    expect(statuses).toEqual([status, status, status, 429, 429]);
  });

  it("applies the operator's registration limit", async () => {
    const good = { redirect_uris: [callback], token_endpoint_auth_method: "none" };
    configure({ REGISTRATION_LIMIT: "1" });
    expect((await post(good, { from: "192.0.2.1" })).status).toBe(201);
    expect((await post(good, { from: "192.0.2.1" })).status).toBe(429);
    configure({ REGISTRATION_LIMIT: "0" });
    for (let n = 0; n < 12; n++) expect((await post(good, { from: "192.0.2.1" })).status).toBe(201);
  });
});

describe("names", () => {
  it("allows self-registered apps to share a name", async () => {
    const [one, other] = await Promise.all([
      register({ client_name: "Sextant" }),
      register({ client_name: "Sextant" }),
    ]);
    expect(one.client_id).not.toBe(other.client_id);
    await registerApp(await anOwner(), { name: "Sextant" });
  });

  it("rejects client names that mix scripts but accepts look-alike names", async () => {
    await registerApp(await anOwner(), { name: "PayPal" });
    for (const name of ["PayPal", "paypal", "Pay Pal", "PayPal (work)", "Paypa1", "PayPaI", "РауРаӏ", "PÁYPAL"]) {
      expect((await post({ redirect_uris: [callback], client_name: name })).status).toBe(201);
    }
    for (const name of ["PаyPal", "ＰayPal", "Pay\u200bPal"]) {
      const reply = await post({ redirect_uris: [callback], client_name: name });
      expect([name, reply.status]).toEqual([name, 400]);
      expect(await reply.json()).toMatchObject({ error: "invalid_client_metadata" });
    }
  });
});
