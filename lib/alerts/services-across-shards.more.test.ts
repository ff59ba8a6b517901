import { afterAll, beforeAll, expect, test } from "vitest";
import { submitApproval } from "@/lib/approvals/approvals";
import { onEachShard } from "@/lib/database/shards/each-shard";
import { configure } from "@/lib/testing/change-settings";
import { alertOwners } from "@/lib/testing/chores";
import { anApp, aTokenFor } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { anOwnerWithHome, setUpTwoShards } from "@/lib/testing/two-shards";
import { aReceiver } from "@/lib/testing/webhook-receiver";
import type { Worker } from "@/lib/work/worker";
import { channelTimeout } from "./channels/channel-http-request";
import { addChannel } from "./channels/channels";
import { startDeliveries } from "./delivery-worker";
import { serviceWindows } from "./service-windows";

/* One instance sends the alerts of two databases to one service. */

const shards = setUpTwoShards();
let service: Awaited<ReturnType<typeof aReceiver>>;
const held: (() => void)[] = [];
let isHolding = true;
beforeAll(async () => {
  service = await aReceiver();
  service.on("/", async (reply) => {
    if (isHolding) await new Promise<void>((respond) => held.push(respond));
    reply.writeHead(204).end();
  });
  configure({ ALLOW_PRIVATE_FETCH: service.origin });
});
afterAll(() => service.close());
// On a slow machine, the test can take longer than a request may.
channelTimeout.milliseconds = 120_000;
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** Creates owners with a channel at the service and a question that causes an alert. */
async function ownersWithAlerts(homes: number[], clientId: string) {
  for (const home of homes) {
    const owner = await anOwnerWithHome(home);
    await addChannel(owner, "webhook", { name: "Service", url: `${service.origin}/`, secret });
    const { app } = await aTokenFor(owner, clientId, ["approvals:write"]);
    await submitApproval(app, aQuestion);
  }
}

test("counts the messages of both databases toward the limit of a service", async () => {
  const { clientId } = await anApp(await anOwnerWithHome(1));
  await shards.copied("app", clientId);
  await ownersWithAlerts([2, 3, 4, 5, 6], clientId);
  await ownersWithAlerts([600, 601, 602, 603, 604], clientId);
  await alertOwners([], { send: () => {} });
  const windows = serviceWindows();
  const workers: Worker[] = [];
  const stop = onEachShard(() => {
    const sending = startDeliveries(windows);
    workers.push(sending);
    return sending.stop;
  });
  for (let times = 0; times < 20; times++) {
    for (const { wake } of workers) wake();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(service.got).toHaveLength(2);
  isHolding = false;
  for (const respond of held) respond();
  // Each worker wakes the other one when there is room again.
  await expect.poll(() => shards.counts("SELECT FROM alert_delivery WHERE ended_at IS NULL")).toEqual([0, 0]);
  await stop();
  expect(await shards.counts("SELECT FROM alert_delivery WHERE outcome = 'sent' AND attempts = 1")).toEqual([5, 5]);
});
