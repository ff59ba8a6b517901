import { afterAll, beforeAll, expect, test } from "vitest";
import { inEveryShard } from "@/lib/database/shards/marks";
import { raiseEventOrder } from "@/lib/database/shards/moves/event-order";
import { ask, sendingTo } from "@/lib/testing/app-with-webhook";
import { anApp, aTokenFor } from "@/lib/testing/factories";
import { sendAll } from "@/lib/testing/send-due-webhooks";
import { elsewhere, here, setUpTwoShards } from "@/lib/testing/two-shards";
import { aReceiver } from "@/lib/testing/webhook-receiver";
import { addEndpoint, switchEndpoint } from "./endpoints";

/* Each database has its own order of events, and a move raises the new shard's above the former's. */

const shards = setUpTwoShards();
let receiver: Awaited<ReturnType<typeof aReceiver>>;
beforeAll(async () => {
  receiver = await aReceiver();
  sendingTo([receiver.origin]);
});
afterAll(async () => {
  receiver.close();
});

test.each([
  ["the directory's order above the other", 0, 1],
  ["the other order above the directory's", 1, 0],
] as const)("sends the events from the time when an endpoint is on, with %s", async (_, above, below) => {
  await raiseEventOrder(shards.clients[above], shards.clients[below]);
  const path = `/since-${above}`;
  const registrar = await here();
  const { clientId } = await anApp(registrar);
  const { app } = await aTokenFor(await elsewhere(), clientId, ["approvals:write", "approvals:read"]);
  await ask(app);
  const { id } = await addEndpoint(registrar, clientId, { url: `${receiver.origin}${path}`, types: [] });
  await shards.copied("webhook_endpoint", id);
  const asked = [await ask(app)];
  await inEveryShard(sendAll);
  const sent = () => receiver.at(path).map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id);
  expect(sent()).toEqual(asked);

  const isIn = (state: string) =>
    expect
      .poll(() => shards.counts("SELECT FROM webhook_endpoint WHERE id = $1 AND state = $2", [id, state]))
      .toEqual([1, 1]);
  await switchEndpoint(registrar, id, false);
  await isIn("off");
  await ask(app);
  await switchEndpoint(registrar, id, true);
  await isIn("on");
  asked.push(await ask(app));
  await inEveryShard(sendAll);
  expect(sent()).toEqual(asked);
});
