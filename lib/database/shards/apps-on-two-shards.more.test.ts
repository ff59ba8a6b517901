import { describe, expect, test } from "vitest";
import { getApproval, submitApproval } from "@/lib/approvals/approvals";
import { changeApp, findClient, getApp, listApps, registerApp } from "@/lib/apps/apps";
import { rotateSecret } from "@/lib/apps/client-secrets";
import { db } from "@/lib/database/db";
import { asServiceApp } from "@/lib/grants/as-service-app";
import { deleteApp } from "@/lib/grants/delete-app";
import { createPersonalToken } from "@/lib/grants/personal-tokens";
import { decideConsent, readConsent } from "@/lib/oauth/consent";
import { claimDeviceCode, decideDevice, readDevice } from "@/lib/oauth/device-authorization";
import { deviceEndpoint } from "@/lib/oauth/device-endpoint";
import { introspectEndpoint } from "@/lib/oauth/introspect-endpoint";
import { revokeEndpoint } from "@/lib/oauth/revoke-endpoint";
import { deleteOwner } from "@/lib/owner-data/account-deletion";
import { answerApproval } from "@/lib/testing/answer-approval";
import { configure } from "@/lib/testing/change-settings";
import { aDocument, startDocuments } from "@/lib/testing/client-metadata-server";
import { anApp } from "@/lib/testing/factories";
import { aGrantedToken, anOpenRequest, askForm, askToken, bearer, type TokenReply } from "@/lib/testing/oauth-flow";
import { aQuestion } from "@/lib/testing/sample-question";
import { aParty, elsewhere, here, liveGrants, setUpTwoShards } from "@/lib/testing/two-shards";

/*
 * Apps belong to the service, so they are in the directory. Their owners, and the owners who connect
 * them, are on either shard.
 */

const shards = setUpTwoShards();

const scope = "approvals:write approvals:read";
describe.each([
  ["here", here],
  ["elsewhere", elsewhere],
])("with the app's owner %s", (_, registrar) => {
  test.each([
    ["here", here, [1, 0]],
    ["elsewhere", elsewhere, [0, 1]],
  ] as const)("connects an owner %s by a code, and refreshes and revokes the tokens", async (_, connecting, counts) => {
    const party = await aParty(shards, registrar, connecting);
    const { form, reply, token } = await aGrantedToken(party, { scope });
    expect(reply).toMatchObject({ owner: party.owner.ownerId, scope });
    expect(await liveGrants(shards, party.app.clientId)).toEqual(counts);
    const { id } = await submitApproval(bearer(token, "approvals:write"), aQuestion);
    await answerApproval(party.owner, id, { kind: "option", optionId: "ship" });
    expect(JSON.parse((await getApproval(bearer(token, "approvals:read"), id)).text)).toMatchObject({
      status: "resolved",
    });
    const client = { client_id: form.client_id, client_secret: party.app.clientSecret };
    const next = await askToken({ ...client, grant_type: "refresh_token", refresh_token: reply.refresh_token });
    expect(next.status).toBe(200);
    const renewed = (await next.json()) as TokenReply;
    const described = await askForm(introspectEndpoint, { ...client, token: renewed.access_token });
    expect(await described.json()).toMatchObject({ active: true, sub: party.owner.ownerId });
    // A second use of the code revokes everything.
    expect((await askToken(form)).status).toBe(400);
    expect((await askForm(revokeEndpoint, { ...client, token: renewed.access_token })).status).toBe(200);
    await expect(submitApproval(bearer(renewed.access_token, "approvals:write"), aQuestion)).rejects.toMatchObject({
      status: 401,
    });
  });

  test.each([
    ["here", here, [1, 0]],
    ["elsewhere", elsewhere, [0, 1]],
  ] as const)("connects the device of an owner %s", async (_, connecting, counts) => {
    const { owner, app } = await aParty(shards, registrar, connecting);
    const client = { client_id: app.clientId, client_secret: app.clientSecret };
    const asked = (await (await askForm(deviceEndpoint, { ...client, scope })).json()) as Record<string, string>;
    const poll = () =>
      askToken({
        ...client,
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
        device_code: asked.device_code,
      });
    expect(await (await poll()).json()).toMatchObject({ error: "authorization_pending" });
    const { id } = await claimDeviceCode(owner, asked.user_code ?? "");
    const shown = await readDevice(owner, id);
    if (shown.state !== "open") throw new Error("the request is not open");
    expect(shown.app.registeredBy).toBe("Robin Owner");
    const decision = { csrf: shown.csrf, allow: true, scopes: shown.requested.map((it) => it.scope) };
    await decideDevice(owner, id, decision);
    await expect(decideDevice(owner, id, decision)).rejects.toMatchObject({ status: 409 });
    expect(await readDevice(owner, id)).toMatchObject({ state: "allowed" });
    const reply = (await (await poll()).json()) as TokenReply;
    expect(reply).toMatchObject({ owner: owner.ownerId, scope });
    expect((await poll()).status).toBe(400);
    expect(await liveGrants(shards, app.clientId)).toEqual(counts);
    await submitApproval(bearer(reply.access_token, "approvals:write"), aQuestion);
  });

  test("registers, changes and lists the app", async () => {
    const owner = await registrar();
    const redirectUris = ["https://app.example/callback"];
    const { clientId } = await registerApp(owner, { name: "Plum Lantern", redirectUris });
    await expect(registerApp(owner, { name: "Plum Lantern", redirectUris })).rejects.toMatchObject({ status: 409 });
    await changeApp(owner, clientId, { redirectUris: ["https://app.example/new"] });
    await rotateSecret(owner, clientId);
    expect(await getApp(owner, clientId)).toMatchObject({ redirectUris: ["https://app.example/new"] });
    expect((await listApps(owner)).map((app) => app.clientId)).toEqual([clientId]);
    const { token } = await createPersonalToken(owner, { clientId, scopes: ["approvals:write"], days: 1 });
    await submitApproval(bearer(token, "approvals:write"), aQuestion);
    const counts = await shards.counts("SELECT FROM event WHERE owner_id = $1 AND type = 'app.registered'", [
      owner.ownerId,
    ]);
    expect(counts).toEqual(registrar === here ? [1, 0] : [0, 1]);
  });

  test("deletes the app for the owners of both shards", async () => {
    const { app } = await aParty(shards, registrar);
    const tokens = await Promise.all(
      [here, elsewhere].map(async (connecting) => aGrantedToken({ owner: await connecting(), app }, { scope })),
    );
    expect(await liveGrants(shards, app.clientId)).toEqual([1, 1]);
    await deleteApp(app.owner, app.clientId);
    expect(await liveGrants(shards, app.clientId)).toEqual([0, 0]);
    expect(await findClient(app.clientId)).toBeNull();
    for (const { token } of tokens)
      await expect(submitApproval(bearer(token, "approvals:write"), aQuestion)).rejects.toMatchObject({ status: 401 });
    await expect(deleteApp(app.owner, app.clientId)).rejects.toMatchObject({ status: 404 });
  });

  test("deletes the owner's account, and ends the app's access to the owners of both shards", async () => {
    const { app } = await aParty(shards, registrar);
    const unused = await anApp(app.owner);
    await Promise.all(
      [here, elsewhere].map(async (connecting) => aGrantedToken({ owner: await connecting(), app }, { scope })),
    );
    await anOpenRequest({ app });
    await deleteOwner(app.owner, { email: app.owner.email });
    expect(await liveGrants(shards, app.clientId)).toEqual([0, 0]);
    const rows = await shards.clients[0].query("SELECT id, owner_id FROM app WHERE id = ANY ($1)", [
      [app.clientId, unused.clientId],
    ]);
    expect(rows.rows).toEqual([{ id: app.clientId, owner_id: null }]);
    expect(await shards.counts("SELECT FROM consent_request WHERE app_id = $1", [app.clientId])).toEqual([0, 0]);
    expect(await shards.counts("SELECT FROM email_route WHERE owner_id = $1", [app.owner.ownerId])).toEqual([0, 0]);
  });
});

test("decides a consent once among concurrent decisions", async () => {
  const { owner, app } = await aParty(shards);
  const { id } = await anOpenRequest({ app }, { scope });
  const { csrf, requested } = await readConsent(owner, id);
  const decision = { csrf, allow: true, scopes: requested.map((it) => it.scope) };
  const decided = await Promise.allSettled(Array.from({ length: 4 }, () => decideConsent(owner, id, decision)));
  expect(decided.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await shards.counts("SELECT FROM authorization_code WHERE app_id = $1", [app.clientId])).toEqual([0, 1]);
});

test("keeps the request open if the decision fails", async () => {
  const { owner, app } = await aParty(shards);
  const { id } = await anOpenRequest({ app }, { scope });
  const { csrf } = await readConsent(owner, id);
  const decision = { csrf, allow: true, scopes: ["approvals:write" as const] };
  await changeApp(app.owner, app.clientId, { redirectUris: ["https://new.example/callback"] });
  await expect(decideConsent(owner, id, decision)).rejects.toMatchObject({ status: 400 });
  expect(await liveGrants(shards, app.clientId)).toEqual([0, 0]);
  await changeApp(app.owner, app.clientId, { redirectUris: app.redirectUris });
  expect(await decideConsent(owner, id, decision)).toMatchObject({ redirectTo: expect.stringContaining("code=") });
});

test.each([here, elsewhere])("asks as the service's own app", async (connecting) => {
  const owner = await connecting();
  const { id } = await asServiceApp(owner, "approvals:write", (app) => submitApproval(app, aQuestion));
  await answerApproval(owner, id, { kind: "option", optionId: "ship" });
});

test("keeps a metadata app's name while an owner of any shard has connected the app", async () => {
  const documents = await startDocuments();
  configure({ ALLOW_PRIVATE_FETCH: documents.origin });
  try {
    const redirectUris = ["http://127.0.0.1/callback"];
    const url = documents.publish({ redirect_uris: redirectUris });
    const app = { owner: await here(), clientId: url, clientSecret: "", name: "Paper Plane", redirectUris };
    const owner = await elsewhere();
    await aGrantedToken({ owner, app }, { scope });
    const renamed = aDocument(url, { client_name: "Paper Boat", redirect_uris: redirectUris });
    documents.put(new URL(url).pathname, { body: JSON.stringify(renamed) });
    const read = async () => {
      await db.app.updateMany({ where: { metadataUrl: url }, data: { metadataFreshUntil: new Date(0) } });
      return findClient(url);
    };
    expect((await read())?.name).toBe("Paper Plane");
    await shards.clients[1].query("UPDATE app_grant SET revoked_at = now() WHERE owner_id = $1", [owner.ownerId]);
    expect((await read())?.name).toBe("Paper Boat");
  } finally {
    configure({ ALLOW_PRIVATE_FETCH: undefined });
    documents.close();
  }
});
