import { expect, it } from "vitest";
import { authenticate } from "@/lib/access/authorization";
import { db } from "@/lib/database/db";
import { anApp, aTokenFor } from "@/lib/testing/factories";
import { aGrantedToken, aParty, askForm, askToken, bearer, type TokenReply } from "@/lib/testing/oauth-flow";
import { unknownSecret } from "@/lib/testing/unknown-secret";
import { introspectEndpoint } from "./introspect-endpoint";
import { revokeEndpoint } from "./revoke-endpoint";

const admits = (token: string) => authenticate(bearer(token));
const dead = { status: 401 };
const revoke = (form: Record<string, string>) => askForm(revokeEndpoint, form);
const introspect = async (form: Record<string, string>) => (await askForm(introspectEndpoint, form)).json();

it("ends a token family when its refresh token is revoked", async () => {
  const party = await aParty();
  const client_id = party.app.clientId;
  const { reply } = await aGrantedToken(party);
  const renewal = { grant_type: "refresh_token", refresh_token: reply.refresh_token, client_id };
  const second = (await (await askToken(renewal)).json()) as TokenReply;
  const answer = await revoke({ token: reply.access_token, client_id });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  await expect(admits(reply.access_token)).rejects.toMatchObject(dead);
  await admits(second.access_token);
  expect((await revoke({ token: second.refresh_token, client_id, token_type_hint: "access_token" })).status).toBe(200);
  await expect(admits(second.access_token)).rejects.toMatchObject(dead);
  expect((await askToken({ ...renewal, refresh_token: second.refresh_token })).status).toBe(400);
  const events = await db.event.findMany({ where: { ownerId: party.owner.ownerId, type: "token.revoked" } });
  expect(events).toMatchObject([{ data: { by: "app" } }, { data: { by: "app" } }]);
});

it("ends a token family when an old refresh token is revoked", async () => {
  const party = await aParty();
  const { reply } = await aGrantedToken(party);
  const renewal = { grant_type: "refresh_token", refresh_token: reply.refresh_token, client_id: party.app.clientId };
  const second = (await (await askToken(renewal)).json()) as TokenReply;
  await revoke({ token: reply.refresh_token, client_id: party.app.clientId });
  await expect(admits(second.access_token)).rejects.toMatchObject(dead);
});

it("returns the same response for revocations of unknown, expired and other apps' tokens", async () => {
  const party = await aParty();
  const { reply } = await aGrantedToken(party);
  const other = await anApp(undefined, { public: true });
  for (const token of [unknownSecret("at"), unknownSecret("rt"), "junk", reply.access_token, reply.refresh_token]) {
    const answer = await revoke({ token, client_id: other.clientId });
    expect([answer.status, await answer.json()]).toEqual([200, {}]);
  }
  await admits(reply.access_token);
});

it("rejects a revocation without client authentication or a token", async () => {
  const party = await aParty({ public: false });
  const { reply } = await aGrantedToken(party);
  const client_id = party.app.clientId;
  expect((await revoke({ token: reply.access_token, client_id })).status).toBe(401);
  expect((await revoke({ client_id, client_secret: party.app.clientSecret })).status).toBe(400);
  await admits(reply.access_token);
});

it("returns details only for the app's own active tokens", async () => {
  const party = await aParty({ public: false });
  const { reply } = await aGrantedToken(party, { scope: "approvals:read approvals:write" });
  const me = { client_id: party.app.clientId, client_secret: party.app.clientSecret };
  const about = {
    active: true,
    scope: expect.any(String),
    client_id: me.client_id,
    sub: party.owner.ownerId,
    iat: expect.any(Number),
    exp: expect.any(Number),
    iss: "http://localhost:3000",
    aud: "http://localhost:3000/api",
  };
  const access = await introspect({ token: reply.access_token, ...me });
  expect(access).toEqual({ ...about, token_type: "Bearer" });
  expect(access.scope.split(" ").sort()).toEqual(["approvals:read", "approvals:write"]);
  expect(access.exp - access.iat).toBe(3600);
  expect(await introspect({ token: reply.refresh_token, ...me })).toEqual(about);
  const personal = await aTokenFor(party.owner, me.client_id, ["approvals:read"]);
  expect(await introspect({ token: personal.token, ...me })).toMatchObject({ active: true, scope: "approvals:read" });

  const stranger = await aParty({ public: false });
  const foreign = { client_id: stranger.app.clientId, client_secret: stranger.app.clientSecret };
  const nothing = { active: false };
  expect(await introspect({ token: reply.access_token, ...foreign })).toEqual(nothing);
  expect(await introspect({ token: unknownSecret("at"), ...me })).toEqual(nothing);
  expect(await introspect({ token: "junk", ...me })).toEqual(nothing);
  await revoke({ token: reply.access_token, ...me });
  expect(await introspect({ token: reply.access_token, ...me })).toEqual(nothing);
  await db.$executeRaw`UPDATE refresh_token SET expires_at = now() - interval '1 second' WHERE grant_id IN (SELECT id FROM app_grant WHERE owner_id = ${party.owner.ownerId})`;
  expect(await introspect({ token: reply.refresh_token, ...me })).toEqual(nothing);
  const open = await aParty();
  const anonymous = await askForm(introspectEndpoint, { token: reply.access_token, client_id: open.app.clientId });
  expect([anonymous.status, await anonymous.json()]).toEqual([
    401,
    expect.objectContaining({ error: "invalid_client" }),
  ]);
});
