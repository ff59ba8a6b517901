import { describe, expect, it } from "vitest";
import { authenticate } from "@/lib/access/authorization";
import { findClient } from "@/lib/apps/apps";
import { sweep } from "@/lib/cli/delete-expired-rows";
import { db, pool } from "@/lib/database/db";
import { SignInAgain } from "@/lib/errors";
import { deleteApp } from "@/lib/grants/delete-app";
import { getGrant, revokeGrant } from "@/lib/grants/grants";
import type { ConsentDecision } from "@/lib/grants/schema";
import { hashSecret } from "@/lib/keys/secret-tokens";
import type { Scope } from "@/lib/scopes";
import { anApp, anOwner } from "@/lib/testing/factories";
import { aParty, bearer } from "@/lib/testing/oauth-flow";
import { atEveryShard } from "@/lib/testing/shards/at-every-shard";
import { claimDeviceCode, decideDevice, readDevice } from "./device-authorization";
import { deviceEndpoint } from "./device-endpoint";
import { redeemDeviceCode } from "./redeem-device-code";

type Party = Awaited<ReturnType<typeof aParty>>;
type Codes = { device_code: string; user_code: string };

const authorizeDevice = (form: Record<string, string>, init: RequestInit = {}) =>
  deviceEndpoint(
    new Request("http://localhost:3000/oauth/device_authorization", {
      method: "POST",
      body: new URLSearchParams(form),
      ...init,
    }),
  );
const codesFor = async ({ app }: Pick<Party, "app">, form: Record<string, string> = {}) =>
  (await (await authorizeDevice({ client_id: app.clientId, ...form })).json()) as Codes;

/**
 * Polls for tokens as the app does.
 * @returns the tokens or the error code
 */
async function poll({ app }: Pick<Party, "app">, { device_code }: Codes) {
  const client = await findClient(app.clientId);
  return redeemDeviceCode(client!, device_code).then(
    (issued) => issued,
    (refusal: { error: string }) => refusal.error,
  );
}

/** Simulates waiting by moving the last poll into the past. */
const wait = ({ device_code }: Codes, seconds: number) =>
  db.$executeRaw`
    UPDATE device_code SET last_polled_at = last_polled_at - make_interval(secs => ${seconds}::int) WHERE hash = ${hashSecret(device_code)}`;
const expire = ({ device_code }: Codes) =>
  db.$executeRaw`UPDATE device_code SET expires_at = now() - interval '1 second' WHERE hash = ${hashSecret(device_code)}`;

/** Enters the code as the owner, and opens the request's page. */
async function opened({ owner }: Pick<Party, "owner">, { user_code }: Codes) {
  const { id } = await claimDeviceCode(owner, user_code);
  const view = await readDevice(owner, id);
  if (view.state !== "open") throw new Error(`not open: ${view.state}`);
  return view;
}

async function decided(party: Party, codes: Codes, scopes: Scope[], decision: Partial<ConsentDecision> = {}) {
  const { id, csrf } = await opened(party, codes);
  await decideDevice(party.owner, id, { csrf, allow: true, scopes, ...decision });
  return id;
}

describe("device request", () => {
  it("returns a device code and a user code", async () => {
    const { app } = await aParty();
    const reply = await authorizeDevice({ client_id: app.clientId });
    expect(reply.status).toBe(200);
    expect(reply.headers.get("cache-control")).toBe("no-store");
    expect(reply.headers.get("access-control-allow-origin")).toBe("*");
    const body = (await reply.json()) as Codes;
    expect(body).toEqual({
      device_code: expect.stringMatching(/^csn_dc_[0-9A-Za-z]{49}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: "http://localhost:3000/device",
      verification_uri_complete: `http://localhost:3000/device?user_code=${body.user_code}`,
      expires_in: 900,
      interval: 5,
    });
    // Neither code is stored in plain text.
    const { rows } = await pool().query<{ row: string }>("SELECT device_code::text AS row FROM device_code");
    for (const { row } of rows) {
      expect(row).not.toContain(body.device_code);
      expect(row).not.toContain(body.user_code);
      expect(row).not.toContain(body.user_code.replace("-", ""));
    }
  });

  it("rejects invalid device requests with RFC 6749 error codes", async () => {
    const { app } = await aParty();
    const confidential = await anApp();
    const own = { client_id: app.clientId };
    const errors: [Record<string, string>, string, number][] = [
      [{}, "invalid_client", 401],
      [{ client_id: "app_none" }, "invalid_client", 401],
      [{ client_id: confidential.clientId }, "invalid_client", 401],
      [{ ...own, scope: "approvals:read everything" }, "invalid_scope", 400],
      [{ ...own, resource: "https://other.example/api" }, "invalid_target", 400],
    ];
    for (const [form, error, status] of errors) {
      const reply = await authorizeDevice(form);
      expect([form, reply.status, await reply.json()]).toEqual([
        form,
        status,
        { error, error_description: expect.any(String) },
      ]);
      expect(reply.headers.get("cache-control")).toBe("no-store");
    }
    const json = { body: JSON.stringify(own), headers: { "content-type": "application/json" } };
    expect((await authorizeDevice({}, json)).status).toBe(400);
    expect((await deviceEndpoint(new Request("http://localhost:3000/oauth/device_authorization"))).status).toBe(405);
    const preflight = new Request("http://localhost:3000/oauth/device_authorization", { method: "OPTIONS" });
    expect((await deviceEndpoint(preflight)).headers.get("access-control-allow-origin")).toBe("*");
    const known = { client_id: confidential.clientId, client_secret: confidential.clientSecret };
    expect((await authorizeDevice(known)).status).toBe(200);
  });

  it("requests all scopes except sensitive scopes by default", async () => {
    const party = await aParty();
    const { requested } = await opened(party, await codesFor(party));
    expect(requested.map(({ scope }) => scope)).toEqual([
      ...["approvals:write", "approvals:read", "notifications:write", "notifications:read"],
    ]);
    const codes = await codesFor(party, { scope: "approvals:read", resource: "http://localhost:3000/api/mcp/" });
    await decided(party, codes, ["approvals:read"]);
    const issued = await poll(party, codes);
    if (typeof issued === "string") throw new Error(issued);
    expect(issued.ownerId).toBe(party.owner.ownerId);
    await authenticate(bearer(issued.token, "approvals:read", "mcp"));
    await expect(authenticate(bearer(issued.token, "approvals:read", "api"))).rejects.toMatchObject({ status: 401 });
  });
});

describe("owner's decision", () => {
  it("accepts a user code in lower case and without its hyphen", async () => {
    const party = await aParty();
    const codes = await codesFor(party);
    const { id } = await claimDeviceCode(party.owner, ` ${codes.user_code.toLowerCase().replace("-", " ")} `);
    expect(await claimDeviceCode(party.owner, codes.user_code)).toEqual({ id });
    expect(await readDevice(party.owner, id)).toMatchObject({
      state: "open",
      userCode: codes.user_code,
      firstTime: true,
      app: { clientId: party.app.clientId, name: party.app.name, yours: false },
    });
    expect(await poll(party, codes)).toBe("authorization_pending");
    await expect(getGrant(party.owner, party.app.clientId)).rejects.toMatchObject({ status: 404 });
  });

  it("blocks an owner's attempts after five wrong user codes", async () => {
    const party = await aParty();
    const codes = await codesFor(party);
    await claimDeviceCode(party.owner, codes.user_code);
    for (const wrong of ["BBBB-BBBB", "CCCC-CCCC", "nonsense", "1", "x".repeat(5000)]) {
      await expect(claimDeviceCode(party.owner, wrong)).rejects.toMatchObject({ status: 404 });
    }
    const late = claimDeviceCode(party.owner, codes.user_code);
    await expect(late).rejects.toMatchObject({ status: 429, headers: { "retry-after": expect.any(String) } });
    await expect(claimDeviceCode(await anOwner(), "BBBB-BBBB")).rejects.toMatchObject({ status: 404 });
    await expect(claimDeviceCode(await anOwner(), " ")).rejects.toMatchObject({ status: 400 });
  });

  it("accepts a decision only from the owner who entered the code", async () => {
    const party = await aParty();
    const codes = await codesFor(party);
    const other = await anOwner();
    const { id, csrf } = await opened(party, codes);
    await expect(claimDeviceCode(other, codes.user_code)).rejects.toMatchObject({ status: 404 });
    await expect(readDevice(other, id)).rejects.toMatchObject({ status: 404 });
    const decision = { csrf, allow: true, scopes: ["approvals:read"] };
    await expect(decideDevice(other, id, decision)).rejects.toMatchObject({ status: 403 });
    await expect(decideDevice({ ...party.owner, session: "another" }, id, decision)).rejects.toMatchObject({
      status: 403,
    });
    await expect(decideDevice(party.owner, "dev_none", decision)).rejects.toMatchObject({ status: 404 });
    expect(await poll(party, codes)).toBe("authorization_pending");
  });

  it("grants only the scopes that the owner selected", async () => {
    const party = await aParty();
    const codes = await codesFor(party, { scope: "approvals:read approvals:write notifications:write" });
    const id = await decided(party, codes, ["approvals:read", "approvals:resolve"], { days: 30 });
    const issued = await poll(party, codes);
    expect(issued).toMatchObject({
      token: expect.stringMatching(/^csn_at_/),
      refreshToken: expect.stringMatching(/^csn_rt_/),
      scopes: ["approvals:read"],
    });
    const { scopes, expiresAt = 0 } = await getGrant(party.owner, party.app.clientId);
    expect(scopes.map(({ scope }) => scope)).toEqual(["approvals:read"]);
    expect(expiresAt - Date.now()).toBeGreaterThan(29 * 86_400_000);
    expect(await readDevice(party.owner, id)).toEqual({
      state: "allowed",
      app: { clientId: party.app.clientId, name: party.app.name },
    });
    const [event] = await db.event.findMany({ where: { ownerId: party.owner.ownerId, type: "grant.changed" } });
    expect(event?.data).toMatchObject({ added: ["approvals:read"], via: "device", days: 30 });
  });

  it("denies access if the owner selects no scopes", async () => {
    for (const decision of [{ allow: false }, { scopes: [] }, { scopes: ["notifications:read"] }]) {
      const party = await aParty();
      const codes = await codesFor(party, { scope: "approvals:read" });
      const id = await decided(party, codes, ["approvals:read"], decision);
      expect(await poll(party, codes)).toBe("access_denied");
      expect(await readDevice(party.owner, id)).toMatchObject({ state: "denied" });
      expect(await db.grant.count({ where: { ownerId: party.owner.ownerId } })).toBe(0);
    }
  });

  it("requires a fresh sign-in to let an app answer for the owner", async () => {
    const party = await aParty();
    const codes = await codesFor(party, { scope: "approvals:read approvals:resolve" });
    const { id, csrf } = await opened(party, codes);
    const decision = { csrf, allow: true, scopes: ["approvals:read", "approvals:resolve"] };
    const stale = { ...party.owner, fresh: false };
    await expect(decideDevice(stale, id, decision)).rejects.toBeInstanceOf(SignInAgain);
    expect(await poll(party, codes)).toBe("authorization_pending");
    await decideDevice(party.owner, id, decision);
    expect(await poll(party, codes)).toMatchObject({ scopes: ["approvals:read", "approvals:resolve"] });
  });

  it("records only one of ten concurrent decisions", async () => {
    const party = await aParty();
    const codes = await codesFor(party, { scope: "approvals:read approvals:write" });
    const { id, csrf } = await opened(party, codes);
    const decisions = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) =>
        decideDevice(party.owner, id, { csrf, allow: at % 2 === 0, scopes: ["approvals:read"] }),
      ),
    );
    expect(decisions.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const each of decisions) if (each.status === "rejected") expect(each.reason).toMatchObject({ status: 409 });
  });

  it("rejects a decision on an expired request or a deleted app's request", async () => {
    const party = await aParty();
    const codes = await codesFor(party);
    const { id, csrf } = await opened(party, codes);
    await expire(codes);
    await expect(readDevice(party.owner, id)).rejects.toMatchObject({ status: 410 });
    const decision = { csrf, allow: true, scopes: ["approvals:read"] };
    await expect(decideDevice(party.owner, id, decision)).rejects.toMatchObject({ status: 410 });
    await expect(claimDeviceCode(party.owner, codes.user_code)).rejects.toMatchObject({ status: 404 });

    const later = await codesFor(party);
    const open = await opened(party, later);
    await deleteApp(party.app.owner, party.app.clientId);
    await expect(decideDevice(party.owner, open.id, { ...decision, csrf: open.csrf })).rejects.toMatchObject({
      status: 404,
    });
    await expect(claimDeviceCode(party.owner, later.user_code)).rejects.toMatchObject({ status: 404 });
  });
});

describe("poll", () => {
  it("adds five seconds to the polling interval after an early poll", async () => {
    const party = await aParty();
    const codes = await codesFor(party);
    const interval = async () =>
      (await db.deviceCode.findFirstOrThrow({ where: { appId: party.app.clientId } })).intervalSeconds;
    expect(await poll(party, codes)).toBe("authorization_pending");
    await wait(codes, 5);
    expect(await poll(party, codes)).toBe("authorization_pending");
    expect(await interval()).toBe(5);
    expect(await poll(party, codes)).toBe("slow_down");
    expect(await interval()).toBe(10);
    await wait(codes, 6);
    expect(await poll(party, codes)).toBe("slow_down");
    expect(await interval()).toBe(15);
    await wait(codes, 15);
    expect(await poll(party, codes)).toBe("authorization_pending");
    // After the decision, a poll succeeds immediately.
    await decided(party, codes, ["approvals:read"]);
    expect(await poll(party, codes)).toMatchObject({ scopes: ["approvals:read"] });
  });

  it("returns the tokens to only one of twenty concurrent polls", async () => {
    const party = await aParty();
    const codes = await codesFor(party);
    await decided(party, codes, ["approvals:read"]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => poll(party, codes)));
    expect(answers.filter((answer) => typeof answer !== "string")).toHaveLength(1);
    expect(answers.filter((answer) => answer === "invalid_grant")).toHaveLength(19);
    expect(await db.token.count({ where: { grant: { appId: party.app.clientId } } })).toBe(1);
    expect(await poll(party, codes)).toBe("invalid_grant");
  });

  it("returns no tokens for an expired code, an unknown code or another app's code", async () => {
    const party = await aParty();
    const codes = await codesFor(party);
    await decided(party, codes, ["approvals:read"]);
    const other = await anApp(undefined, { public: true });
    expect(await poll({ app: other }, codes)).toBe("invalid_grant");
    for (const device_code of ["", "csn_dc_x", codes.device_code.replace("csn_dc", "csn_at"), codes.user_code]) {
      expect(await poll(party, { ...codes, device_code })).toBe("invalid_grant");
    }
    await expire(codes);
    expect(await poll(party, codes)).toBe("expired_token");
    const open = await codesFor(party);
    await expire(open);
    expect(await poll(party, open)).toBe("expired_token");
  });

  it("returns no tokens after the grant is revoked", async () => {
    const party = await aParty();
    const codes = await codesFor(party);
    await decided(party, codes, ["approvals:read"]);
    await revokeGrant(party.owner, party.app.clientId);
    expect(await poll(party, codes)).toBe("invalid_grant");
  });
});

it("deletes device codes an hour after they expire", async () => {
  const party = await aParty();
  const [old, fresh] = [await codesFor(party), await codesFor(party)];
  await db.$executeRaw`UPDATE device_code SET expires_at = now() - interval '61 minutes' WHERE hash = ${hashSecret(old.device_code)}`;
  await atEveryShard(sweep);
  expect(await poll(party, old)).toBe("invalid_grant");
  expect(await poll(party, fresh)).toBe("authorization_pending");
});
