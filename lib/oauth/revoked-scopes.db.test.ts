import { expect, it } from "vitest";
import { authenticate, grantedScopes } from "@/lib/access/authorization";
import { findClient } from "@/lib/apps/apps";
import { db, pool } from "@/lib/database/db";
import { getGrant } from "@/lib/grants/grants";
import { revokeScope } from "@/lib/grants/revoke-scope";
import { hashSecret } from "@/lib/keys/secret-tokens";
import type { Scope } from "@/lib/scopes";
import { anAppWith, aTokenFor } from "@/lib/testing/factories";
import {
  aCode,
  aGrantedToken,
  anOpenRequest,
  aParty,
  askForm,
  askToken,
  bearer,
  type TokenReply,
} from "@/lib/testing/oauth-flow";
import { decideConsent, readConsent } from "./consent";
import { claimDeviceCode, decideDevice, readDevice } from "./device-authorization";
import { deviceEndpoint } from "./device-endpoint";
import { introspectEndpoint } from "./introspect-endpoint";
import { deviceGrant } from "./redeem-device-code";

/*
 * A token that was issued before a scope was revoked never regains the scope, however the scope is
 * granted again.
 */

type Party = Awaited<ReturnType<typeof aParty>>;
const both = { scope: "approvals:read approvals:write" };
const may = (token: string, needs: Scope) =>
  authenticate(bearer(token, needs)).then(
    () => true,
    (refusal: { status: number }) => refusal.status,
  );
const renew = ({ app }: Party, refresh_token: string, scope?: string) =>
  askToken({ grant_type: "refresh_token", refresh_token, client_id: app.clientId, scope });
const renewed = async (reply: Promise<Response>) => (await (await reply).json()) as TokenReply;
/** Revokes the scope as the owner, and then allows it in a new consent for the same client. */
async function takeBackAndGiveAnew(party: Party, scope: Scope = "approvals:write") {
  await revokeScope(party.owner, party.app.clientId, scope);
  return aGrantedToken(party, { scope });
}

it("removes a revoked scope from existing tokens", async () => {
  const party = await aParty();
  const first = await aGrantedToken(party, both);
  const anew = await takeBackAndGiveAnew(party);
  expect(await may(first.token, "approvals:write")).toBe(403);
  expect(await may(first.token, "approvals:read")).toBe(true);
  expect(await grantedScopes(bearer(first.token))).toEqual(["approvals:read"]);
  const second = await renewed(renew(party, first.reply.refresh_token));
  expect(second.scope).toBe("approvals:read");
  const third = await renewed(renew(party, second.refresh_token, "approvals:read approvals:write"));
  expect(third.scope).toBe("approvals:read");
  expect(await may(third.access_token, "approvals:write")).toBe(403);
  expect(await may(anew.token, "approvals:write")).toBe(true);
  expect((await renewed(renew(party, anew.reply.refresh_token))).scope).toBe("approvals:write");
});

it("ends a token family when no scopes remain", async () => {
  const party = await aParty();
  const first = await aGrantedToken(party, { scope: "approvals:write" });
  await takeBackAndGiveAnew(party);
  expect(await may(first.token, "approvals:write")).toBe(403);
  const refused = await renew(party, first.reply.refresh_token);
  expect([refused.status, await refused.json()]).toMatchObject([400, { error: "invalid_grant" }]);
});

it("removes a scope from existing tokens when the owner deselects the scope", async () => {
  const party = await aParty();
  const first = await aGrantedToken(party, both);
  await aGrantedToken(party, { ...both, scopes: ["approvals:read"] });
  await aGrantedToken(party, both);
  expect(await may(first.token, "approvals:write")).toBe(403);
  expect((await renewed(renew(party, first.reply.refresh_token))).scope).toBe("approvals:read");
});

it("removes a revoked scope from an unused authorization code", async () => {
  const party = await aParty();
  const { form } = await aCode(party, both);
  await takeBackAndGiveAnew(party);
  const late = await renewed(askToken(form));
  expect(late.scope).toBe("approvals:read");
  expect((await renewed(renew(party, late.refresh_token))).scope).toBe("approvals:read");
});

it("removes a revoked scope from an unused device code", async () => {
  const party = await aParty();
  const client_id = party.app.clientId;
  const codes = (await (await askForm(deviceEndpoint, { client_id, ...both })).json()) as Record<string, string>;
  const { id } = await claimDeviceCode(party.owner, codes.user_code ?? "");
  const view = await readDevice(party.owner, id);
  if (view.state !== "open") throw new Error(view.state);
  const scopes: Scope[] = ["approvals:read", "approvals:write"];
  await decideDevice(party.owner, id, { csrf: view.csrf, allow: true, scopes });
  await takeBackAndGiveAnew(party);
  const device_code = codes.device_code ?? "";
  expect((await renewed(askToken({ grant_type: deviceGrant, client_id, device_code }))).scope).toBe("approvals:read");
});

it("removes a revoked scope from a personal token", async () => {
  const { owner, token, tokenId, clientId } = await anAppWith("approvals:read", "approvals:write");
  await revokeScope(owner, clientId, "approvals:write");
  const anew = await aTokenFor(owner, clientId, ["approvals:write"]);
  expect(await may(token, "approvals:write")).toBe(403);
  expect(await may(anew.token, "approvals:write")).toBe(true);
  const shown = (await getGrant(owner, clientId)).tokens;
  expect(shown.find(({ id }) => id === tokenId)?.scopes).toEqual(["approvals:read"]);
});

it("omits revoked scopes from the introspection of existing tokens", async () => {
  const party = await aParty({ public: false });
  const first = await aGrantedToken(party, both);
  await takeBackAndGiveAnew(party);
  const { client_id, client_secret } = first.form;
  for (const token of [first.token, first.reply.refresh_token]) {
    const told = await askForm(introspectEndpoint, { client_id, client_secret, token });
    expect(await told.json()).toMatchObject({ active: true, scope: "approvals:read" });
  }
});

it("removes a revoked scope from a refresh in progress", async () => {
  const party = await aParty();
  const first = await aGrantedToken(party, both);
  const other = await pool().connect();
  let inFlight: Promise<TokenReply>;
  try {
    // Simulates a second instance: `other` locks the token's row, so the refresh has begun but has
    // not read the grant.
    await other.query("BEGIN");
    await other.query("SELECT FROM refresh_token WHERE hash = $1 FOR UPDATE", [hashSecret(first.reply.refresh_token)]);
    inFlight = renewed(renew(party, first.reply.refresh_token));
    const blocked =
      "SELECT FROM pg_stat_activity WHERE datname LIKE current_database() || '%' AND wait_event_type = 'Lock'";
    await expect.poll(async () => (await pool().query(blocked)).rowCount).toBe(1);
    await takeBackAndGiveAnew(party);
    await other.query("COMMIT");
  } finally {
    other.release();
  }
  const late = await inFlight;
  expect(late.scope).toBe("approvals:read");
  expect(await may(late.access_token, "approvals:write")).toBe(403);
});

it("does not restore scopes to old tokens after a new consent", async () => {
  const party = await aParty();
  const first = await aGrantedToken(party, both);
  const { id } = await anOpenRequest(party, { scope: "approvals:write" });
  await revokeScope(party.owner, party.app.clientId, "approvals:write");
  const { csrf } = await readConsent(party.owner, id);
  await decideConsent(party.owner, id, { csrf, allow: true, scopes: ["approvals:write"] });
  expect(await may(first.token, "approvals:write")).toBe(403);
  const client = await findClient(party.app.clientId);
  expect(await db.grant.count({ where: { appId: client?.clientId ?? "", revokedAt: null } })).toBe(1);
});
