import { beforeEach, describe, expect, test } from "vitest";
import { readActivity } from "@/lib/activity/activity";
import { submitApproval } from "@/lib/approvals/approvals";
import { changeApp, findClient, getApp, listApps, registerApp } from "@/lib/apps/apps";
import { matchingSecret, revokePreviousSecret, rotateSecret } from "@/lib/apps/client-secrets";
import { finishAcrossShards } from "@/lib/cli/finish-across-shards";
import { deleteApp } from "@/lib/grants/delete-app";
import { newId } from "@/lib/ids";
import { decideConsent, readConsent } from "@/lib/oauth/consent";
import { claimDeviceCode, decideDevice, readDevice } from "@/lib/oauth/device-authorization";
import { deviceEndpoint } from "@/lib/oauth/device-endpoint";
import { deleteOwner } from "@/lib/owner-data/account-deletion";
import { anApp } from "@/lib/testing/factories";
import { aGrantedToken, anOpenRequest, askForm, askToken, bearer, type TokenReply } from "@/lib/testing/oauth-flow";
import { aQuestion } from "@/lib/testing/sample-question";
import { aParty, elsewhere, here, liveGrants, setUpTwoShards } from "@/lib/testing/two-shards";
import {
  addEndpoint,
  changeEndpoint,
  getEndpoint,
  listEndpoints,
  removeEndpoint,
  rotateEndpointSecret,
  switchEndpoint,
} from "@/lib/webhooks/endpoints";
import { inEveryShard } from "./marks";

/*
 * Changes of an owner elsewhere that stop after the owner's part has committed, and before the
 * directory's part. Only the owner's activity then shows the change, until the owner repeats it.
 */

const shards = setUpTwoShards();
const directory = () => shards.clients[0];
const rowsOf = async (text: string, values: unknown[]) => (await directory().query(text, values)).rows;

type Table = "app" | "consent_request" | "device_code" | "email_route" | "webhook_endpoint" | "webhook_secret";

/** Runs a change whose commit fails in the directory if it has written a row of the table. */
async function stopping<T>(table: Table, work: () => Promise<T>, by = "INSERT OR UPDATE OR DELETE"): Promise<T> {
  await directory().query(`CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'stopped before the commit'; END $$;
    CREATE CONSTRAINT TRIGGER stop AFTER ${by} ON ${table} DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION stop()`);
  try {
    return await work();
  } finally {
    await directory().query("DROP FUNCTION stop CASCADE");
  }
}
const interrupted = (...change: Parameters<typeof stopping>) =>
  expect(stopping(...change)).rejects.toThrow("stopped before the commit");

const sentences = async (owner: Awaited<ReturnType<typeof elsewhere>>) =>
  (await readActivity(owner, {})).items.map(({ sentence }) => sentence);
const finish = () => inEveryShard(finishAcrossShards);
const scope = "approvals:write approvals:read";
const callback = ["https://app.example/callback"];

let owner: Awaited<ReturnType<typeof elsewhere>>;
beforeEach(async () => {
  owner = await elsewhere();
});

describe("an owner's app", () => {
  const newApp = { name: "Plum Lantern", redirectUris: callback };

  test("is registered once after the owner repeats the registration", async () => {
    await interrupted("app", () => registerApp(owner, newApp));
    expect(await listApps(owner)).toEqual([]);
    expect(await sentences(owner)).toEqual([expect.stringMatching(/^You registered /)]);
    const { clientId } = await registerApp(owner, newApp);
    expect((await listApps(owner)).map((app) => app.clientId)).toEqual([clientId]);
    expect(await sentences(owner)).toHaveLength(2);
  });

  test("keeps its redirect addresses and secrets until the owner repeats the change", async () => {
    const { clientId, clientSecret = "" } = await registerApp(owner, newApp);
    const changed = { redirectUris: ["https://app.example/new"] };
    const accepts = async (secret: string) => matchingSecret((await findClient(clientId))!, secret);
    await interrupted("app", () => changeApp(owner, clientId, changed));
    await interrupted("app", () => rotateSecret(owner, clientId));
    expect(await getApp(owner, clientId)).toMatchObject({ redirectUris: callback });
    expect(await accepts(clientSecret)).toBe("current");
    await changeApp(owner, clientId, changed);
    const next = await rotateSecret(owner, clientId);
    expect(await getApp(owner, clientId)).toMatchObject(changed);
    await interrupted("app", () => revokePreviousSecret(owner, clientId));
    expect([await accepts(clientSecret), await accepts(next.clientSecret)]).toEqual(["old", "current"]);
    await revokePreviousSecret(owner, clientId);
    expect([await accepts(clientSecret), await accepts(next.clientSecret)]).toEqual([undefined, "current"]);
  });

  test("keeps its grants until the owner repeats the deletion", async () => {
    const { app } = await aParty(shards);
    const tokens = await Promise.all(
      [here, elsewhere].map(async (connecting) => {
        const connected = await connecting();
        return { connected, ...(await aGrantedToken({ owner: connected, app }, { scope })) };
      }),
    );
    await interrupted("app", () => deleteApp(app.owner, app.clientId));
    await finish();
    expect(await findClient(app.clientId)).not.toBeNull();
    expect(await liveGrants(shards, app.clientId)).toEqual([1, 1]);
    for (const { token } of tokens) await submitApproval(bearer(token, "approvals:write"), aQuestion);
    await deleteApp(app.owner, app.clientId);
    expect(await liveGrants(shards, app.clientId)).toEqual([0, 0]);
    for (const { connected } of tokens) {
      const ended = await shards.counts("SELECT FROM event WHERE owner_id = $1 AND type = 'grant.revoked'", [
        connected.ownerId,
      ]);
      expect(ended.sort()).toEqual([0, 1]);
    }
  });
});

describe("a webhook", () => {
  let clientId: string;
  const url = "https://example.com/hook";
  beforeEach(async () => {
    ({ clientId } = await anApp(owner));
  });
  const anEndpoint = async () => (await addEndpoint(owner, clientId, { url, types: [] })).id;

  test("is added once after the owner repeats the change", async () => {
    await interrupted("webhook_endpoint", anEndpoint);
    expect(await listEndpoints(owner)).toEqual([]);
    const id = await anEndpoint();
    expect((await listEndpoints(owner)).map((endpoint) => endpoint.id)).toEqual([id]);
  });

  test("keeps its address and secret until the owner repeats the change", async () => {
    const id = await anEndpoint();
    const secrets = () => rowsOf("SELECT id, retires_at FROM webhook_secret WHERE endpoint_id = $1", [id]);
    const before = await secrets();
    const changed = { url: "https://example.com/new", types: [] };
    await interrupted("webhook_endpoint", () => changeEndpoint(owner, id, changed));
    await interrupted("webhook_secret", () => rotateEndpointSecret(owner, id));
    expect(await getEndpoint(owner, id)).toMatchObject({ url });
    expect(await secrets()).toEqual(before);
    await changeEndpoint(owner, id, changed);
    await rotateEndpointSecret(owner, id);
    expect(await getEndpoint(owner, id)).toMatchObject({ url: changed.url });
    expect(await secrets()).toHaveLength(2);
  });

  test("keeps its deliveries until the owner turns it off again, and is removed once", async () => {
    const id = await anEndpoint();
    await shards.copied("webhook_endpoint", id);
    await shards.clients[1].query(
      `INSERT INTO webhook_delivery (id, endpoint_id, owner_id, event, type, body, state, due_at)
       VALUES ($1, $2, $3, $1, 't', '{}', 'pending', now() + interval '1 hour')`,
      [newId("whd"), id, owner.ownerId],
    );
    const pending = async () =>
      (await shards.counts("SELECT FROM webhook_delivery WHERE endpoint_id = $1 AND state = 'pending'", [id]))[1];
    await interrupted("webhook_endpoint", () => switchEndpoint(owner, id, false));
    await finish();
    expect(await getEndpoint(owner, id)).toMatchObject({ state: "on" });
    expect(await pending()).toBe(1);
    await switchEndpoint(owner, id, false);
    expect(await pending()).toBe(0);
    await interrupted("webhook_endpoint", () => switchEndpoint(owner, id, true));
    expect(await getEndpoint(owner, id)).toMatchObject({ state: "off" });
    await switchEndpoint(owner, id, true);
    await interrupted("webhook_endpoint", () => removeEndpoint(owner, id), "DELETE");
    expect(await getEndpoint(owner, id)).toMatchObject({ state: "off" });
    await removeEndpoint(owner, id);
    expect(await listEndpoints(owner)).toEqual([]);
  });
});

describe("a consent", () => {
  const changes = async (clientId: string) =>
    (
      await shards.clients[1].query(
        "SELECT data->'now' AS now FROM event WHERE app_id = $1 AND type = 'grant.changed' ORDER BY id",
        [clientId],
      )
    ).rows.map(({ now }) => now);
  const allowed = ["approvals:read", "approvals:write"];

  test("is decided once after the owner repeats the decision", async () => {
    const { app } = await aParty(shards, here);
    const { id } = await anOpenRequest({ app }, { scope });
    const { csrf, requested } = await readConsent(owner, id);
    const decision = { csrf, allow: true, scopes: requested.map((it) => it.scope) };
    await interrupted("consent_request", () => decideConsent(owner, id, decision));
    expect(await liveGrants(shards, app.clientId)).toEqual([0, 1]);
    expect(await decideConsent(owner, id, decision)).toMatchObject({ redirectTo: expect.stringContaining("code=") });
    await expect(decideConsent(owner, id, decision)).rejects.toMatchObject({ status: 409 });
    // Both events state the scopes that the grant has.
    expect(await changes(app.clientId)).toEqual([allowed, allowed]);
    expect(await liveGrants(shards, app.clientId)).toEqual([0, 1]);
  });

  test("of a device is decided once, and gives the device tokens once", async () => {
    const { app } = await aParty(shards, here);
    const client = { client_id: app.clientId, client_secret: app.clientSecret };
    const asked = (await (await askForm(deviceEndpoint, { ...client, scope })).json()) as Record<string, string>;
    const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
    const poll = () => askToken({ ...client, grant_type, device_code: asked.device_code });
    const { id } = await claimDeviceCode(owner, asked.user_code ?? "");
    const shown = await readDevice(owner, id);
    if (shown.state !== "open") throw new Error("the request is not open");
    const decision = { csrf: shown.csrf, allow: true, scopes: shown.requested.map((it) => it.scope) };
    await interrupted("device_code", () => decideDevice(owner, id, decision));
    expect(await (await poll()).json()).toMatchObject({ error: "authorization_pending" });
    await decideDevice(owner, id, decision);
    expect(await changes(app.clientId)).toEqual([allowed, allowed]);
    expect((await stopping("device_code", poll)).status).toBe(500);
    // No one has the tokens of the interrupted poll.
    const { access_token } = (await (await poll()).json()) as TokenReply;
    await submitApproval(bearer(access_token, "approvals:write"), aQuestion);
    expect((await poll()).status).toBe(400);
  });
});

test("finishes the deletion of an account by a chore", async () => {
  const { app } = await aParty(shards);
  const connected = [await here(), await elsewhere()];
  for (const each of connected) await aGrantedToken({ owner: each, app }, { scope });
  const { ownerId, email } = app.owner;
  await directory().query(
    "INSERT INTO email_route (email, owner_id, created_at) VALUES ($1, $2, now() - interval '2 hours')",
    [email, ownerId],
  );
  await interrupted("app", () => deleteOwner(app.owner, { email }));
  expect(await shards.counts("SELECT FROM owner WHERE id = $1", [ownerId])).toEqual([0, 0]);
  // Other owners are notified only of what has happened.
  expect(await liveGrants(shards, app.clientId)).toEqual([1, 1]);
  await expect(registerApp(app.owner, { name: "Plum Lantern", redirectUris: callback })).rejects.toMatchObject({
    status: 404,
  });
  await finish();
  await finish();
  expect(await liveGrants(shards, app.clientId)).toEqual([0, 0]);
  expect(await findClient(app.clientId)).toBeNull();
  expect(await shards.counts("SELECT FROM email_route WHERE owner_id = $1", [ownerId])).toEqual([0, 0]);
  const ended = "SELECT FROM event WHERE app_id = $1 AND type = 'grant.revoked'";
  expect(await shards.counts(ended, [app.clientId])).toEqual([1, 1]);
});
