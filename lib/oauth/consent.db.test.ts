import { describe, expect, it } from "vitest";
import { changeApp } from "@/lib/apps/apps";
import { db } from "@/lib/database/db";
import { SignInAgain } from "@/lib/errors";
import { deleteApp } from "@/lib/grants/delete-app";
import { getGrant, listGrants } from "@/lib/grants/grants";
import type { Scope } from "@/lib/scopes";
import { anApp, anOwner, aTokenFor } from "@/lib/testing/factories";
import { aLinkedAccount, removed } from "@/lib/testing/linked-account-rows";
import { aCode, anOpenRequest, aParty } from "@/lib/testing/oauth-flow";
import { decideConsent, openRequest, readConsent } from "./consent";

const names = async (owner: Awaited<ReturnType<typeof anOwner>>, clientId: string) =>
  (await getGrant(owner, clientId)).scopes.map(({ scope }) => scope);
const codes = (clientId: string) => db.authorizationCode.count({ where: { appId: clientId } });

describe("consent page", () => {
  it("shows the requesting app and the requested scopes", async () => {
    const { owner, app } = await aParty();
    const { id } = await anOpenRequest({ app }, { scope: "approvals:resolve approvals:write" });
    expect(await readConsent(owner, id)).toEqual({
      id,
      csrf: expect.stringMatching(/^[\w-]{86}$/),
      redirectHost: "app.example",
      localApp: false,
      app: {
        clientId: app.clientId,
        name: app.name,
        registeredAt: expect.any(Number),
        kind: "manual",
        registeredBy: "Robin Owner",
        yours: false,
        namesake: false,
      },
      requested: [
        { scope: "approvals:write", sentence: "Ask you questions", sensitive: false, required: false },
        {
          scope: "approvals:resolve",
          sentence: "Answer this app’s own questions without you",
          sensitive: true,
          required: false,
        },
      ],
      returnUrlKind: "https",
      alreadyGranted: [],
      integrations: [],
      firstTime: true,
    });
  });

  it("labels an app that runs on the owner's computer", async () => {
    const owner = await anOwner();
    const app = await anApp(owner, { redirectUris: ["http://127.0.0.1:7/cb"] });
    const view = await readConsent(owner, (await anOpenRequest({ app })).id);
    expect(view).toMatchObject({
      localApp: true,
      returnUrlKind: "loopback",
      redirectHost: "127.0.0.1:7",
      app: { yours: true },
    });
  });

  it("separates newly requested scopes from scopes that were granted earlier", async () => {
    const { owner, app } = await aParty();
    await aCode({ owner, app }, { scope: "approvals:read notifications:write" });
    const { id } = await anOpenRequest({ app }, { scope: "approvals:read approvals:write" });
    const view = await readConsent(owner, id);
    expect(view.firstTime).toBe(false);
    expect(view.requested).toEqual([
      { scope: "approvals:write", sentence: expect.any(String), sensitive: false, required: false },
      {
        scope: "approvals:read",
        sentence: expect.any(String),
        sensitive: false,
        required: false,
        grantedAt: expect.any(Number),
      },
    ]);
    expect(view.alreadyGranted.map(({ scope }) => scope)).toEqual(["notifications:write"]);
  });

  it("reserves a consent page for the first owner who opens it", async () => {
    const { owner, app } = await aParty();
    const { id } = await anOpenRequest({ app });
    await readConsent(owner, id);
    const other = await anOwner();
    await expect(readConsent(other, id)).rejects.toMatchObject({ status: 404 });
    const { csrf } = await readConsent(owner, id);
    const decision = { csrf, allow: true, scopes: ["approvals:read"] };
    await expect(decideConsent({ ...other, session: owner.session }, id, decision)).rejects.toMatchObject({
      status: 403,
    });
    expect(await codes(app.clientId)).toBe(0);
  });

  it("returns 404 for unknown requests and deleted apps and 410 for expired requests", async () => {
    const { owner, app } = await aParty();
    await expect(readConsent(owner, "con_none")).rejects.toMatchObject({ status: 404 });
    await expect(readConsent(owner, `con_${"0".repeat(32)}`)).rejects.toMatchObject({ status: 404 });
    const { id } = await anOpenRequest({ app });
    const { csrf } = await readConsent(owner, id);
    const [{ left }] = await db.$queryRaw<[{ left: number }]>`
      SELECT extract(epoch FROM expires_at - now())::int AS left FROM consent_request WHERE id = ${id}`;
    expect(left).toBeGreaterThan(590);
    expect(left).toBeLessThanOrEqual(600);
    await db.$executeRaw`UPDATE consent_request SET expires_at = now() - interval '1 second' WHERE id = ${id}`;
    await expect(readConsent(owner, id)).rejects.toMatchObject({ status: 410 });
    const late = decideConsent(owner, id, { csrf, allow: true, scopes: ["approvals:read"] });
    await expect(late).rejects.toMatchObject({ status: 410 });
    const next = await anOpenRequest({ app });
    await readConsent(owner, next.id);
    await deleteApp(app.owner, app.clientId);
    await expect(readConsent(owner, next.id)).rejects.toMatchObject({ status: 404 });
  });
});

describe("consent decision", () => {
  it("accepts a decision only from the owner's own form", async () => {
    const { owner, app } = await aParty();
    const [{ id }, other] = [await anOpenRequest({ app }), await anOpenRequest({ app })];
    const { csrf } = await readConsent(owner, id);
    const elsewhere = await readConsent(owner, other.id);
    const decide = (csrf: string, by = owner) =>
      decideConsent(by, id, { csrf, allow: true, scopes: ["approvals:read"] });
    for (const wrong of ["", "x".repeat(43), elsewhere.csrf]) {
      await expect(decide(wrong)).rejects.toMatchObject({ status: 403 });
    }
    await expect(decide(csrf, { ...owner, session: "another" })).rejects.toMatchObject({ status: 403 });
    expect(await codes(app.clientId)).toBe(0);
    expect(await listGrants(owner)).toEqual([]);
    expect((await decide(csrf)).redirectTo).toContain("code=csn_ac_");
  });

  it("redirects to the app with the code, state and issuer", async () => {
    const { redirectTo } = await aCode(await aParty());
    const url = new URL(redirectTo);
    expect(`${url.origin}${url.pathname}`).toBe("https://app.example/callback");
    expect([...url.searchParams.keys()].sort()).toEqual(["code", "iss", "state"]);
    expect(url.searchParams.get("state")).toBe("a state");
    expect(url.searchParams.get("iss")).toBe("http://localhost:3000");
  });

  it.each([1, 2, 3])("records only one of several concurrent decisions, round %i", async () => {
    const { owner, app } = await aParty();
    const { id } = await anOpenRequest({ app });
    const { csrf } = await readConsent(owner, id);
    const decide = (allow: boolean) => decideConsent(owner, id, { csrf, allow, scopes: ["approvals:read"] });
    const racers = await Promise.allSettled([decide(true), decide(true), decide(false), decide(true)]);
    expect(racers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const it of racers) if (it.status === "rejected") expect(it.reason).toMatchObject({ status: 409 });
    expect(await codes(app.clientId)).toBeLessThanOrEqual(1);
    await expect(readConsent(owner, id)).rejects.toMatchObject({ status: 409 });
  });

  it("requires a fresh sign-in to let an app answer for the owner", async () => {
    const { owner, app } = await aParty();
    const { id } = await anOpenRequest({ app }, { scope: "approvals:read approvals:resolve" });
    const { csrf } = await readConsent(owner, id);
    const scopes = ["approvals:read", "approvals:resolve"];
    const stale = decideConsent({ ...owner, fresh: false }, id, { csrf, allow: true, scopes });
    await expect(stale).rejects.toBeInstanceOf(SignInAgain);
    expect(await db.grant.count({ where: { ownerId: owner.ownerId } })).toBe(0);
    expect(await codes(app.clientId)).toBe(0);
    expect((await readConsent(owner, id)).requested.map(({ scope }) => scope)).toContain("approvals:resolve");
    expect((await decideConsent(owner, id, { csrf, allow: true, scopes })).redirectTo).toContain("code=");
  });

  it("requires no fresh sign-in unless the owner lets the app answer", async () => {
    const { owner, app } = await aParty();
    const stale = { ...owner, fresh: false };
    for (const [allow, scopes] of [
      [true, ["approvals:read"]],
      [false, ["approvals:resolve"]],
    ] as const) {
      const { id } = await anOpenRequest({ app }, { scope: "approvals:read approvals:resolve" });
      const { csrf } = await readConsent(stale, id);
      await decideConsent(stale, id, { csrf, allow, scopes: [...scopes] });
    }
    expect((await listGrants(owner))[0]?.scopes.map(({ scope }) => scope)).toEqual(["approvals:read"]);
  });

  it.each([
    ["the owner denies the request", { allow: false, scopes: ["approvals:read"] }],
    ["the owner allows no scope", { allow: true, scopes: [] }],
    [
      "the owner allows only scopes that were not requested",
      { allow: true, scopes: ["approvals:resolve", "__proto__"] },
    ],
  ])("returns access_denied if %s", async (_, decision) => {
    const { owner, app } = await aParty();
    const { id } = await anOpenRequest({ app });
    const { csrf } = await readConsent(owner, id);
    const { redirectTo } = await decideConsent(owner, id, { csrf, ...decision });
    const { searchParams } = new URL(redirectTo);
    expect(Object.fromEntries(searchParams)).toEqual({
      error: "access_denied",
      error_description: expect.any(String),
      state: "a state",
      iss: "http://localhost:3000",
    });
    expect(await db.grant.count({ where: { ownerId: owner.ownerId } })).toBe(0);
  });

  it("grants only requested scopes, even from an altered form", async () => {
    const { owner, app } = await aParty();
    await aCode(
      { owner, app },
      { scope: "approvals:read", scopes: ["approvals:read", "approvals:resolve"] as Scope[] },
    );
    expect(await names(owner, app.clientId)).toEqual(["approvals:read"]);
  });

  it("revokes granted scopes that the owner deselects", async () => {
    const { owner, app } = await aParty();
    await aCode({ owner, app }, { scope: "approvals:read notifications:write" });
    const before = await getGrant(owner, app.clientId);
    await aCode({ owner, app }, { scope: "approvals:read approvals:write", scopes: ["approvals:write"] });
    const after = await getGrant(owner, app.clientId);
    expect(after.scopes.map(({ scope }) => scope)).toEqual(["approvals:write", "notifications:write"]);
    expect(after.scopes[1]).toEqual(before.scopes.find(({ scope }) => scope === "notifications:write"));
    expect(after.scopes[0]!.grantedAt).toBeGreaterThan(after.scopes[1]!.grantedAt);
    expect(after.grantedAt).toBe(before.grantedAt);
  });

  it("leaves existing scopes unchanged when the owner denies the request", async () => {
    const { owner, app } = await aParty();
    await aCode({ owner, app }, { scope: "approvals:read" });
    await aCode({ owner, app }, { scope: "approvals:read", decision: { allow: false } });
    expect(await names(owner, app.clientId)).toEqual(["approvals:read"]);
  });

  it("keeps scopes granted between the consent request and the decision", async () => {
    const { owner, app } = await aParty();
    const { id } = await anOpenRequest({ app }, { scope: "approvals:read approvals:write" });
    await aTokenFor(owner, app.clientId, ["approvals:read"]);
    const { csrf, requested } = await readConsent(owner, id);
    expect(requested.every(({ grantedAt }) => grantedAt === undefined)).toBe(true);
    await decideConsent(owner, id, { csrf, allow: true, scopes: ["approvals:write"] });
    expect(await names(owner, app.clientId)).toEqual(["approvals:write", "approvals:read"]);
  });

  it.each([
    ["without an end", undefined],
    ["for one day", 1],
    ["for 30 days", 30],
    ["for 90 days", 90],
  ] as const)("grants an app access %s", async (_, days) => {
    const { owner, app } = await aParty();
    await aCode({ owner, app }, { decision: days ? { days } : {} });
    const { expiresAt } = await getGrant(owner, app.clientId);
    expect(expiresAt && Math.round((expiresAt - Date.now()) / 86_400_000)).toBe(days);
  });

  it("rejects a grant with an unsupported duration", async () => {
    const { owner, app } = await aParty();
    const made = aCode({ owner, app }, { decision: { days: 7 as 1 } });
    await expect(made).rejects.toMatchObject({ status: 400 });
  });

  it("shares only the owner's selected accounts", async () => {
    const { owner, app } = await aParty();
    const [a, b] = [await aLinkedAccount(owner), await aLinkedAccount(owner)];
    const [gone, foreign] = [await aLinkedAccount(owner, removed()), await aLinkedAccount(await anOwner())];
    await aCode({ owner, app }, { decision: { integrationIds: [a, foreign, gone, "int_none"] } });
    expect((await getGrant(owner, app.clientId)).integrationIds).toEqual([a]);
    const view = await readConsent(owner, (await anOpenRequest({ app })).id);
    expect(view.integrations).toEqual([
      { id: a, provider: "google", email: `${a}@acme.example`, shared: true },
      { id: b, provider: "google", email: `${b}@acme.example`, shared: false },
    ]);
    await aCode({ owner, app }, { decision: { integrationIds: [b] } });
    expect((await getGrant(owner, app.clientId)).integrationIds).toEqual([b]);
  });

  it("rejects a consent after the app removes the request's redirect URI", async () => {
    const { owner, app } = await aParty();
    const { id } = await anOpenRequest({ app });
    const { csrf } = await readConsent(owner, id);
    await changeApp(app.owner, app.clientId, { redirectUris: ["https://new.example/cb"] });
    const decided = decideConsent(owner, id, { csrf, allow: true, scopes: ["approvals:read"] });
    await expect(decided).rejects.toMatchObject({ status: 400 });
    expect(await listGrants(owner)).toEqual([]);
  });

  it.each([1, 2, 3])("creates only one grant for two concurrent consents, round %i", async () => {
    const { owner, app } = await aParty();
    await Promise.all(["approvals:read", "approvals:write"].map((scope) => aCode({ owner, app }, { scope })));
    expect(await db.grant.count({ where: { ownerId: owner.ownerId } })).toBe(1);
    expect(await names(owner, app.clientId)).toEqual(["approvals:write", "approvals:read"]);
  });

  it("excludes an expired grant's scopes from a new grant", async () => {
    const { owner, app } = await aParty();
    await aCode({ owner, app }, { scope: "approvals:read", decision: { days: 1 } });
    await db.$executeRaw`UPDATE app_grant SET expires_at = now() - interval '1 minute' WHERE owner_id = ${owner.ownerId}`;
    const { id } = await anOpenRequest({ app }, { scope: "approvals:read approvals:write" });
    const view = await readConsent(owner, id);
    expect(view).toMatchObject({ firstTime: true, alreadyGranted: [] });
    await decideConsent(owner, id, { csrf: view.csrf, allow: true, scopes: ["approvals:write"] });
    expect(await names(owner, app.clientId)).toEqual(["approvals:write"]);
  });
});

it("returns the latest open consent request only to the owner who opened it", async () => {
  const [owner, app] = [await anOwner(), await anApp(undefined, { public: true })];
  const { id } = await anOpenRequest({ app });
  expect(await openRequest(owner, app.clientId)).toBeUndefined();
  await readConsent(owner, id);
  expect(await openRequest(owner, app.clientId)).toBe(id);
  await db.consentRequest.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1000) } });
  expect(await openRequest(owner, app.clientId)).toBeUndefined();
});
