import { beforeAll, expect, test } from "vitest";
import { inEveryShard } from "@/lib/database/shards/marks";
import { newId } from "@/lib/ids";
import { configure } from "@/lib/testing/change-settings";
import { anApp } from "@/lib/testing/factories";
import { type anOwnerWithHome, elsewhere, here, setUpTwoShards } from "@/lib/testing/two-shards";
import { aReceiver } from "@/lib/testing/webhook-receiver";
import { addEndpoint, listEndpoints, removeEndpoint, switchEndpoint } from "@/lib/webhooks/endpoints";
import { finishAcrossShards } from "./finish-across-shards";
import { testWebhookCommand } from "./webhook-commands";

/* Except in the last test, the owner of the endpoints is in the directory's database. */

const shards = setUpTwoShards();
let registrar: Awaited<ReturnType<typeof anOwnerWithHome>>;
let owners: readonly [string, string];
beforeAll(async () => {
  registrar = await here();
  owners = [registrar.ownerId, (await elsewhere()).ownerId];
});

const finish = () => inEveryShard(finishAcrossShards);
const endpoints = (id: string) => shards.counts("SELECT FROM webhook_endpoint WHERE id = $1", [id]);
const deliveries = (id: string, state: string) =>
  shards.counts("SELECT FROM webhook_delivery WHERE endpoint_id = $1 AND state = $2", [id, state]);

/** Creates an endpoint with a pending and a delivered event in each database. */
async function anEndpoint() {
  const { clientId } = await anApp(registrar);
  const { id } = await addEndpoint(registrar, clientId, { url: "https://example.com/hook", types: [] });
  await shards.copied("webhook_endpoint", id);
  for (const [at, client] of shards.clients.entries())
    for (const state of ["pending", "delivered"])
      await client.query(
        `INSERT INTO webhook_delivery (id, endpoint_id, owner_id, event, type, body, state, due_at, ended_at)
         VALUES ($1, $2, $3, $1, 't', '{}', $4, now() + interval '1 hour', CASE $4 WHEN 'delivered' THEN now() END)`,
        [newId("whd"), id, owners[at], state],
      );
  return { id, clientId };
}

test("removes an endpoint while a database is away, and then its deliveries in this database", async () => {
  const { id, clientId } = await anEndpoint();
  shards.gates[1].close();
  await removeEndpoint(registrar, id);
  expect(await listEndpoints(registrar, clientId)).toEqual([]);
  await expect.poll(() => endpoints(id)).toEqual([0, 0]);
  expect(await deliveries(id, "pending")).toEqual([0, 1]);

  shards.gates[1].open();
  await finish();
  for (const state of ["pending", "delivered"]) expect(await deliveries(id, state)).toEqual([0, 0]);
});

test("cancels the pending deliveries of an endpoint that is turned off, also after a database was away", async () => {
  const [first, second] = [await anEndpoint(), await anEndpoint()];
  await switchEndpoint(registrar, first.id, false);
  expect(await deliveries(first.id, "dropped")).toEqual([1, 1]);

  shards.gates[1].close();
  await switchEndpoint(registrar, second.id, false);
  expect(await deliveries(second.id, "dropped")).toEqual([1, 0]);
  shards.gates[1].open();
  await expect
    .poll(() => shards.counts("SELECT FROM webhook_endpoint WHERE id = $1 AND state = 'off'", [second.id]))
    .toEqual([1, 1]);
  await finish();
  expect(await deliveries(second.id, "dropped")).toEqual([1, 1]);
  expect(await deliveries(second.id, "delivered")).toEqual([1, 1]);
});

test("cancels pending deliveries in every database before an endpoint is turned on", async () => {
  const { id } = await anEndpoint();
  shards.gates[1].close();
  await switchEndpoint(registrar, id, false);
  shards.gates[1].open();
  await switchEndpoint(registrar, id, true);
  expect(await deliveries(id, "dropped")).toEqual([1, 1]);
});

test("keeps the deliveries of an endpoint that a database has not copied yet", async () => {
  const { id } = await anEndpoint();
  const [, other] = shards.clients;
  await other.query("SET session_replication_role = replica");
  await other.query("DELETE FROM webhook_endpoint WHERE id = $1", [id]);
  await other.query("SET session_replication_role = DEFAULT");
  await finish();
  expect(await deliveries(id, "pending")).toEqual([1, 1]);
});

test("sends a test event from the database of the endpoint's owner", async () => {
  const receiver = await aReceiver();
  configure({ ALLOW_PRIVATE_FETCH: receiver.origin });
  const owner = await elsewhere();
  const { clientId } = await anApp(owner);
  const { id } = await addEndpoint(owner, clientId, { url: `${receiver.origin}/hook`, types: [] });
  const secrets = () => shards.counts("SELECT FROM webhook_secret WHERE endpoint_id = $1", [id]);
  await expect.poll(secrets).toEqual([1, 1]);
  await expect.poll(() => endpoints(id)).toEqual([1, 1]);
  expect((await testWebhookCommand.run({} as never, [id])).json).toMatchObject({ status: 204 });
  expect(receiver.at("/hook")).toHaveLength(1);
  expect(await deliveries(id, "delivered")).toEqual([0, 1]);
  receiver.close();
});
