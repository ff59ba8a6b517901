import { expect, it } from "vitest";
import { db } from "@/lib/database/db";
import { anApp } from "@/lib/testing/factories";
import { askForm, authorize, challengeOf, newVerifier } from "@/lib/testing/oauth";
import { parEndpoint } from "./par";

async function anAsking(kind: { public?: boolean } = {}) {
  const app = await anApp(undefined, { public: true, ...kind });
  const form = {
    response_type: "code",
    client_id: app.clientId,
    redirect_uri: "https://app.example/callback",
    state: "s",
    code_challenge: challengeOf(newVerifier()),
    code_challenge_method: "S256",
    scope: "approvals:read",
    ...(app.clientSecret && { client_secret: app.clientSecret }),
  };
  return { app, form };
}
const push = (form: Record<string, string>) => askForm(parEndpoint, form);
async function pushed(form: Record<string, string>) {
  const reply = await push(form);
  expect(reply.status).toBe(201);
  expect(reply.headers.get("cache-control")).toBe("no-store");
  const body = (await reply.json()) as { request_uri: string; expires_in: number };
  expect(body).toEqual({
    request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:csn_ru_\w{49}$/),
    expires_in: 90,
  });
  return body.request_uri;
}
const consentRequest = (reply: Response) => {
  const [, id = ""] = /\/consent\/(con_\w+)$/.exec(reply.headers.get("location") ?? "") ?? [];
  return db.consentRequest.findUniqueOrThrow({ where: { id } });
};

it.each([[{ public: true }], [{ public: false }]])("replaces all other parameters in the URL: %j", async (kind) => {
  const { app, form } = await anAsking(kind);
  const request_uri = await pushed(form);
  const beside = { scope: "approvals:resolve", state: "other", redirect_uri: "https://evil.example/" };
  const reply = await authorize({ client_id: app.clientId, request_uri, ...beside });
  expect(reply.status).toBe(303);
  const asked = await consentRequest(reply);
  expect(asked).toMatchObject({
    appId: app.clientId,
    scopes: ["approvals:read"],
    state: "s",
    redirectUri: form.redirect_uri,
  });
  const { rows } = { rows: await db.pushedRequest.findMany({ where: { appId: app.clientId } }) };
  expect(JSON.stringify(rows)).not.toContain("client_secret");
});

it("can be used once, by its own app, for 90 seconds", async () => {
  const { app, form } = await anAsking();
  const other = await anApp(undefined, { public: true });
  const isPage = (reply: Response) => {
    expect(reply.status).toBe(400);
    expect(reply.headers.get("location")).toBeNull();
    expect(reply.headers.get("content-type")).toContain("text/html");
  };
  const request_uri = await pushed(form);
  isPage(await authorize({ client_id: other.clientId, request_uri }));
  isPage(await authorize({ request_uri }));
  const both = await Promise.all([1, 2, 3, 4].map(() => authorize({ client_id: app.clientId, request_uri })));
  expect(both.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400]);
  const late = await pushed(form);
  await db.$executeRaw`UPDATE pushed_request SET expires_at = now() - interval '1 second' WHERE app_id = ${app.clientId}`;
  isPage(await authorize({ client_id: app.clientId, request_uri: late }));
  for (const junk of ["urn:ietf:params:oauth:request_uri:x", "https://evil.example/request.jwt"]) {
    isPage(await authorize({ client_id: app.clientId, request_uri: junk }));
  }
});

it.each([
  ["redirect_uri", "https://evil.example/", "invalid_request", 400],
  ["response_type", "token", "unsupported_response_type", 400],
  ["code_challenge_method", "plain", "invalid_request", 400],
  ["scope", "everything", "invalid_scope", 400],
  ["resource", "https://evil.example/api", "invalid_target", 400],
  ["request_uri", "urn:ietf:params:oauth:request_uri:x", "invalid_request", 400],
  ["client_id", "app_nobody", "invalid_client", 401],
])("rejects an invalid %s with JSON", async (name, value, error, status) => {
  const reply = await push({ ...(await anAsking()).form, [name]: value });
  expect([reply.status, await reply.json()]).toEqual([status, { error, error_description: expect.any(String) }]);
});

it("stores only known parameters, in canonical form", async () => {
  const { app, form } = await anAsking({ public: false });
  const request_uri = await pushed({
    ...form,
    junk: "x".repeat(9000),
    login_hint: "robin@example.com",
    prompt: "login",
    scope: "approvals:read ".repeat(200),
  });
  const [row] = await db.pushedRequest.findMany({ where: { appId: app.clientId } });
  expect(Object.fromEntries(new URLSearchParams(row?.parameters))).toEqual({
    response_type: "code",
    client_id: app.clientId,
    redirect_uri: form.redirect_uri,
    state: "s",
    code_challenge: form.code_challenge,
    code_challenge_method: "S256",
    scope: "approvals:read",
  });
  expect((await authorize({ client_id: app.clientId, request_uri })).status).toBe(303);
  const silent = await pushed({ ...form, prompt: "none" });
  const reply = await authorize({ client_id: app.clientId, request_uri: silent });
  expect(reply.headers.get("location")).toContain("error=login_required");
});

it("limits requests per address and returns when to retry", async () => {
  const { form } = await anAsking();
  const from = "192.0.2.44";
  await db.throttle.deleteMany();
  const first = await askForm(parEndpoint, form, undefined, from);
  expect(first.status).toBe(201);
  await db.throttle.updateMany({ data: { failures: 300 } });
  const refused = await askForm(parEndpoint, form, undefined, from);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await refused.json()).toEqual({ error: "temporarily_unavailable", error_description: expect.any(String) });
  expect((await askForm(parEndpoint, form, undefined, "192.0.2.45")).status).toBe(201);
  expect(await db.pushedRequest.count({ where: { parameters: { contains: form.code_challenge } } })).toBe(2);
});
