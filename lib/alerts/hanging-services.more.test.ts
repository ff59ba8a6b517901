import { afterAll, beforeEach, expect, test } from "vitest";
import { submitApproval } from "@/lib/approvals/approvals";
import { db, pool } from "@/lib/database/db";
import { onEachShard } from "@/lib/database/shards/each-shard";
import { configure } from "@/lib/testing/change-settings";
import { alertOwners } from "@/lib/testing/chores";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { aReceiver } from "@/lib/testing/webhook-receiver";
import { channelTimeout } from "./channels/channel-http-request";
import { addChannel } from "./channels/channels";
import { startDeliveries } from "./delivery-worker";
import { serviceWindows } from "./service-windows";

/** Starts a service that does not respond until the test releases it. */
async function aHangingService() {
  const service = await aReceiver();
  const held: (() => void)[] = [];
  let hangs = true;
  service.on("/", (res) => {
    const answer = () => res.writeHead(204).end();
    if (hangs) held.push(answer);
    else answer();
  });
  const release = () => {
    hangs = false;
    for (const answer of held) answer();
  };
  return { ...service, release };
}
const hanging = await Promise.all(Array.from({ length: 10 }, aHangingService));
const good = await aReceiver();
configure({ ALLOW_PRIVATE_FETCH: [good, ...hanging].map(({ origin }) => origin).join(" ") });
// On a slow machine, the other alerts can take longer than a request may.
channelTimeout.milliseconds = 120_000;
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
afterAll(() => {
  for (const service of [good, ...hanging]) service.close();
});
beforeEach(() => db.alertChannel.deleteMany());

/** Creates an owner with a channel at each of these services, and a question that causes alerts. */
async function anOwnerAt(...services: { origin: string }[]) {
  const { owner, app } = await anAppWith("approvals:write");
  for (const { origin } of services) await addChannel(owner, "webhook", { name: origin, url: `${origin}/`, secret });
  await submitApproval(app, aQuestion);
  return owner;
}

/** Plans all alerts and starts an instance's deliveries. */
async function send() {
  await alertOwners([], { send: () => {} });
  const windows = serviceWindows();
  const stop = onEachShard(() => {
    const deliveries = startDeliveries(windows);
    deliveries.wake();
    return deliveries.stop;
  });
  return {
    // A worker without work can be woken again by another one.
    complete: async () => {
      await expect.poll(unsent).toBe(0);
      await stop();
    },
  };
}

/** Returns the number of unsent messages in all databases. */
const unsent = async () =>
  (await pool().query("SELECT count(*)::int AS count FROM alert_delivery WHERE ended_at IS NULL")).rows[0]?.count;

test("delivers other owners' alerts while two services hang", async () => {
  const [first, second] = hanging as [(typeof hanging)[0], (typeof hanging)[0]];
  for (let at = 0; at < 12; at++) await anOwnerAt(first, second);
  for (let at = 0; at < 5; at++) await anOwnerAt(good);
  const deliveries = await send();
  await expect.poll(() => good.got.length).toBe(5);
  expect([first.got.length, second.got.length]).toEqual([2, 2]);
  first.release();
  second.release();
  await deliveries.complete();
  expect([first.got.length, second.got.length]).toEqual([12, 12]);
  expect(await db.alertDelivery.count({ where: { outcome: "sent", attempts: 1 } })).toBe(29);
});

test("sends at most four concurrent messages to an owner's failing channels", async () => {
  const ailing = hanging.slice(2);
  const before = good.got.length;
  await anOwnerAt(...ailing);
  await pool().query("UPDATE alert_channel SET failing_since = now(), problem = 'It hung'");
  await anOwnerAt(good);
  const deliveries = await send();
  await expect.poll(() => good.got.length).toBe(before + 1);
  const begun = () => ailing.reduce((sum, { got }) => sum + got.length, 0);
  await expect.poll(begun).toBe(4);
  for (const service of ailing) service.release();
  await deliveries.complete();
  expect(begun()).toBe(8);
  expect(await db.alertChannel.count({ where: { failingSince: { not: null } } })).toBe(0);
});
