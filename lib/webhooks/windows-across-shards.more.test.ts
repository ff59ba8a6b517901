import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { onEachShard } from "@/lib/database/shards/each-shard";
import { newId } from "@/lib/ids";
import { sendingTo } from "@/lib/testing/app-with-webhook";
import { anApp } from "@/lib/testing/factories";
import { type anOwnerWithHome, elsewhere, here, setUpTwoShards } from "@/lib/testing/two-shards";
import { aReceiver } from "@/lib/testing/webhook-receiver";
import type { Worker } from "@/lib/work/worker";
import { startDeliveryWorker } from "./delivery-worker";
import { endpointWindows } from "./endpoint-windows";
import { addEndpoint } from "./endpoints";

/* One instance sends the deliveries of two databases to the endpoints of one owner. */

const shards = setUpTwoShards();
let receiver: Awaited<ReturnType<typeof aReceiver>>;
let registrar: Awaited<ReturnType<typeof anOwnerWithHome>>;
let owners: readonly [string, string];
beforeAll(async () => {
  receiver = await aReceiver();
  sendingTo([receiver.origin]);
  registrar = await here();
  owners = [registrar.ownerId, (await elsewhere()).ownerId];
});
afterAll(async () => {
  receiver.close();
});
let stop = async () => {};
afterEach(async () => {
  letGo();
  await stop();
});

/** The attempts that wait for a response, and the highest number of them. */
const held: (() => void)[] = [];
let most = 0;
let isHolding = false;
function letGo() {
  isHolding = false;
  for (const respond of held.splice(0)) respond();
}
/** Creates an endpoint that responds, or that holds its attempts while `isHolding`. */
async function anEndpoint(clientId: string, path: string) {
  const { id } = await addEndpoint(registrar, clientId, { url: `${receiver.origin}${path}`, types: [] });
  await shards.copied("webhook_endpoint", id);
  receiver.on(path, async (reply) => {
    if (isHolding)
      await new Promise<void>((respond) => {
        most = Math.max(most, held.push(respond));
      });
    reply.writeHead(204).end();
  });
  return id;
}
async function deliveries(shard: 0 | 1, endpointId: string, count: number) {
  const ids = Array.from({ length: count }, () => newId("whd"));
  await shards.clients[shard].query(
    `INSERT INTO webhook_delivery (id, endpoint_id, owner_id, event, type, body)
     SELECT id, $2, $3, id, 'test', '{}' FROM unnest($1::text[]) AS id`,
    [ids, endpointId, owners[shard]],
  );
  return ids;
}
/** Starts an instance's workers. @returns a function that wakes all of them */
function anInstance() {
  const workers: Worker[] = [];
  const windows = endpointWindows();
  stop = onEachShard(() => {
    const sending = startDeliveryWorker(windows);
    workers.push(sending);
    return sending.stop;
  });
  const wake = () => {
    for (const sending of workers) sending.wake();
  };
  return wake;
}
const pending = () => shards.counts("SELECT FROM webhook_delivery WHERE state = 'pending'");
/** Lets every worker look for due deliveries several times. */
async function look(wake: () => void) {
  for (let times = 0; times < 20; times++) {
    wake();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test("sends at most 32 events to an endpoint concurrently, from both databases", async () => {
  const { clientId } = await anApp(registrar);
  const path = "/busy";
  const id = await anEndpoint(clientId, path);
  const wake = anInstance();
  const sent = (await Promise.all([deliveries(0, id, 100), deliveries(1, id, 100)])).flat();
  wake();
  // The window grows.
  await expect.poll(pending).toEqual([0, 0]);
  isHolding = true;
  most = 0;
  sent.push(...(await Promise.all([deliveries(0, id, 100), deliveries(1, id, 100)])).flat());
  wake();
  await expect.poll(() => held.length).toBeGreaterThanOrEqual(8);
  await look(wake);
  const first = held.length;
  letGo();
  await expect.poll(pending).toEqual([0, 0]);
  expect([first, most].every((count) => count <= 32)).toBe(true);
  expect(
    receiver
      .at(path)
      .map(({ headers }) => headers["webhook-id"])
      .sort(),
  ).toEqual(sent.sort());
});

test("sends at most 10 events to an owner's failing endpoints concurrently, and one to each", async () => {
  const apps = [await anApp(registrar), await anApp(registrar)];
  const ids: string[] = [];
  for (let nth = 0; nth < 14; nth++) ids.push(await anEndpoint(apps[nth % 2]!.clientId, `/failing-${nth}`));
  await shards.clients[0].query("UPDATE webhook_endpoint SET failures = 5 WHERE id = ANY ($1)", [ids]);
  const failing = "SELECT FROM webhook_endpoint WHERE failures = 5 AND id = ANY ($1)";
  await expect.poll(() => shards.counts(failing, [ids])).toEqual([14, 14]);
  isHolding = true;
  most = 0;
  for (const id of ids) for (const shard of [0, 1] as const) await deliveries(shard, id, 2);
  const wake = anInstance();
  wake();
  await expect.poll(() => held.length).toBeGreaterThanOrEqual(10);
  await look(wake);
  const paths = receiver.got.map(({ path }) => path).filter((path) => path.startsWith("/failing"));
  expect(paths).toHaveLength(10);
  expect(new Set(paths).size).toBe(10);
  letGo();
  await expect.poll(pending).toEqual([0, 0]);
});
