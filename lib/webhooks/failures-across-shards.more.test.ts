import { afterAll, beforeAll, expect, test } from "vitest";
import { inEveryShard } from "@/lib/database/shards/marks";
import { answer, ask, sendingTo } from "@/lib/testing/app-with-webhook";
import { anApp, aTokenFor } from "@/lib/testing/factories";
import { sendAll } from "@/lib/testing/send-due-webhooks";
import { anOwnerWithHome, setUpTwoShards } from "@/lib/testing/two-shards";
import { aReceiver } from "@/lib/testing/webhook-receiver";
import { addEndpoint, removeEndpoint } from "./endpoints";

/* Events of an owner in one database, for an endpoint whose owner is in another. */

const shards = setUpTwoShards();
let receiver: Awaited<ReturnType<typeof aReceiver>>;
beforeAll(async () => {
  receiver = await aReceiver();
  sendingTo([receiver.origin], "0,60,60,60");
});
afterAll(async () => {
  receiver.close();
});

const rows = async (shard: 0 | 1, text: string, values: unknown[]) =>
  (await shards.clients[shard].query(text, values)).rows;
const endpointIn = async (shard: 0 | 1, id: string) =>
  (await rows(shard, "SELECT state, failures, disabled_reason FROM webhook_endpoint WHERE id = $1", [id]))[0];

/** Creates an endpoint of an owner with one home, and an owner with another who uses its app. */
async function hooked(homes: { registrar: number; owner: number }, path: string) {
  const registrar = await anOwnerWithHome(homes.registrar);
  const owner = await anOwnerWithHome(homes.owner);
  const { clientId } = await anApp(registrar);
  const { app } = await aTokenFor(owner, clientId, ["approvals:write", "approvals:read", "approvals:resolve"]);
  const { id } = await addEndpoint(registrar, clientId, { url: `${receiver.origin}${path}`, types: [] });
  await expect.poll(() => endpointIn(1, id)).toBeDefined();
  return { registrar, owner, app, id };
}

const placements = [
  { registrar: 3, owner: 700 },
  { registrar: 700, owner: 3 },
  { registrar: 700, owner: 701 },
];

test.each(placements)("sends each event once, with homes %j", async (homes) => {
  const path = `/ordered-${homes.registrar}-${homes.owner}`;
  const { owner, app } = await hooked(homes, path);
  const asked: string[] = [];
  for (let nth = 0; nth < 5; nth++) asked.push(await ask(app));
  for (const id of asked) await answer(owner, id);
  await inEveryShard(sendAll);
  const told = receiver.at(path).map(({ body }) => JSON.parse(body) as { type: string; data: { id: string } });
  // Concurrent deliveries arrive in any order.
  for (const type of ["approval.submitted", "approval.resolved"])
    expect(
      told
        .filter((event) => event.type === type)
        .map(({ data }) => data.id)
        .sort(),
    ).toEqual(asked.sort());
});

test.each(placements)("counts failures in the directory, and forgets them, with homes %j", async (homes) => {
  const path = `/failing-${homes.registrar}-${homes.owner}`;
  const { app, id } = await hooked(homes, path);
  receiver.on(path, (reply) => reply.writeHead(500).end());
  await ask(app);
  await inEveryShard(sendAll);
  expect(await endpointIn(0, id)).toMatchObject({ failures: expect.any(Number) });
  expect((await endpointIn(0, id))?.failures).toBeGreaterThan(0);
  await expect.poll(async () => (await endpointIn(1, id))?.failures).toBeGreaterThan(0);
  receiver.on(path, (reply) => reply.writeHead(204).end());
  await inEveryShard(async () => void (await shards.clients[0].query("SELECT 1")));
  for (const shard of [0, 1] as const)
    await rows(shard, "UPDATE webhook_delivery SET due_at = now() WHERE endpoint_id = $1 AND state = 'pending'", [id]);
  await inEveryShard(sendAll);
  expect((await endpointIn(0, id))?.failures).toBe(0);
});

test.each(placements)("disables an endpoint once, and notifies its owner, with homes %j", async (homes) => {
  const path = `/gone-${homes.registrar}-${homes.owner}`;
  const { registrar, app, id } = await hooked(homes, path);
  receiver.on(path, (reply) => reply.writeHead(410).end());
  await Promise.all([ask(app), ask(app)]);
  await inEveryShard(sendAll);
  expect(await endpointIn(0, id)).toMatchObject({ state: "disabled", disabled_reason: "gone" });
  const home = registrar.ownerId.slice(14, 16) >= "g0" ? 1 : 0;
  const events = "SELECT FROM event WHERE owner_id = $1 AND type = 'webhook.disabled'";
  expect(await rows(home, events, [registrar.ownerId])).toHaveLength(1);
});

test("removes an endpoint with its deliveries in every database", async () => {
  const { registrar, app, id } = await hooked({ registrar: 3, owner: 700 }, "/removed");
  await ask(app);
  await inEveryShard(sendAll);
  const deliveries = "SELECT FROM webhook_delivery WHERE endpoint_id = $1";
  expect(await rows(1, deliveries, [id])).not.toEqual([]);
  await removeEndpoint(registrar, id);
  expect(await rows(1, deliveries, [id])).toEqual([]);
  expect(await endpointIn(0, id)).toBeUndefined();
});
