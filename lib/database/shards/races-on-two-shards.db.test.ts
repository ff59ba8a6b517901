import { afterEach, expect, test } from "vitest";
import { registerApp } from "@/lib/apps/apps";
import { asServiceApp } from "@/lib/grants/as-service-app";
import { deleteOwner } from "@/lib/owner-data/account-deletion";
import { addPasskey, beginPasskey } from "@/lib/owners/passkeys/passkeys";
import { anApp } from "@/lib/testing/factories";
import { anAuthenticator } from "@/lib/testing/passkey-authenticator";
import { elsewhere, here, setUpTwoShards } from "@/lib/testing/two-shards";
import { addEndpoint } from "@/lib/webhooks/endpoints";

/* Concurrent changes of two databases. A lock of the test stops the first one where a race begins. */

const shards = setUpTwoShards();
afterEach(async () => {
  for (const client of shards.clients) await client.query("ROLLBACK");
});

const newApp = { name: "Plum Lantern", redirectUris: ["https://app.example/callback"] };
const appsOf = async (ownerId: string) =>
  (await shards.clients[0].query("SELECT name FROM app WHERE owner_id = $1", [ownerId])).rows;
const notFound = { status: 404 };

test.each([
  ["here", here, 0],
  ["elsewhere", elsewhere, 1],
] as const)(
  "deletes an app that its owner %s registers during the deletion of the account",
  async (_, where, shard) => {
    const owner = await where();
    // The registration records its event last.
    await shards.clients[shard].query("BEGIN; LOCK TABLE event IN SHARE MODE");
    const registered = registerApp(owner, newApp);
    await shards.blocked(1);
    const deleted = deleteOwner(owner, { email: owner.email });
    await shards.blocked(2);
    await shards.clients[shard].query("COMMIT");
    await Promise.all([registered, deleted]);
    expect(await appsOf(owner.ownerId)).toEqual([]);
  },
);

test("registers no app of an owner elsewhere whose account was deleted", async () => {
  const owner = await elsewhere();
  await deleteOwner(owner, { email: owner.email });
  await expect(registerApp(owner, newApp)).rejects.toMatchObject(notFound);
  await expect(asServiceApp(owner, "approvals:write", async () => {})).rejects.toMatchObject(notFound);
  expect(await appsOf(owner.ownerId)).toEqual([]);
});

test("registers no app while only the owner's part of an account's deletion is done", async () => {
  const owner = await elsewhere();
  // The directory's part ends later than the owner's part.
  await shards.clients[0].query("BEGIN");
  await shards.clients[0].query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`account ${owner.ownerId}`]);
  const registered = Promise.allSettled([
    registerApp(owner, newApp),
    asServiceApp(owner, "approvals:write", async () => {}),
  ]);
  await shards.blocked(2);
  await shards.clients[1].query("DELETE FROM owner WHERE id = $1", [owner.ownerId]);
  await shards.clients[0].query("COMMIT");
  expect(await registered).toMatchObject([{ reason: notFound }, { reason: notFound }]);
  expect(await appsOf(owner.ownerId)).toEqual([]);
});

test.each([here, elsewhere])("adds no webhook to an app that is deleted concurrently", async (where) => {
  const { owner, clientId } = await anApp(await where());
  await shards.clients[0].query("BEGIN");
  // As the deletion of the owner's account does.
  await shards.clients[0].query("UPDATE app SET owner_id = NULL, deleted_at = now() WHERE id = $1", [clientId]);
  const added = addEndpoint(owner, clientId, { url: "https://example.com/hook", types: [] });
  await shards.blocked(1);
  await shards.clients[0].query("COMMIT");
  await expect(added).rejects.toMatchObject(notFound);
  const endpoints = await shards.clients[0].query("SELECT FROM webhook_endpoint WHERE app_id = $1", [clientId]);
  expect(endpoints.rowCount).toBe(0);
});

test("stores a passkey for one of two owners on different shards who register it concurrently", async () => {
  const device = anAuthenticator();
  const responses = [];
  for (const owner of [await here(), await elsewhere()])
    responses.push({ owner, response: device.create(await beginPasskey(owner)) });
  for (const client of shards.clients) await client.query("BEGIN; LOCK TABLE passkey IN SHARE MODE");
  const adding = responses.map(({ owner, response }) => addPasskey(owner, { name: "Phone", response }));
  await shards.blocked(2);
  for (const client of shards.clients) await client.query("COMMIT");
  const added = await Promise.allSettled(adding);
  expect(added.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(added.find(({ status }) => status === "rejected")).toMatchObject({ reason: { status: 409 } });
  expect((await shards.counts("SELECT FROM passkey WHERE id = $1", [device.id])).sort()).toEqual([0, 1]);
});
