import { describe, expect, test } from "vitest";
import { getApp, listApps } from "@/lib/apps/apps";
import { asAppError } from "@/lib/errors";
import { appHues } from "@/lib/grants/connected-and-former-apps";
import { listGrants } from "@/lib/grants/grants";
import { newId } from "@/lib/ids";
import { sessionOwner } from "@/lib/owners/sessions";
import { anApp } from "@/lib/testing/factories";
import { anOwnerWithHome, setUpTwoShards } from "@/lib/testing/two-shards";
import { listRequests, requestingApps } from "@/lib/traffic/list-requests";
import { getDelivery, listDeliveries, resend } from "./deliveries";
import { addEndpoint, getEndpoint, listEndpoints } from "./endpoints";

/* The reads of the Developer pages while one of two databases is away. */

const shards = setUpTwoShards();

const homes = [3, 700] as const;

/** Creates a developer with an endpoint, and a delivered event in each database. */
async function aDeveloper(at: 0 | 1) {
  const developer = await anOwnerWithHome(homes[at]);
  const { clientId } = await anApp(developer);
  // After an outage of the directory, reads go to the copies for a few seconds.
  await shards.copied("app", clientId);
  const { id: endpointId } = await addEndpoint(developer, clientId, { url: "https://example.com/hook", types: [] });
  await shards.copied("webhook_endpoint", endpointId);
  const deliveries: string[] = [];
  for (const [shard, client] of shards.clients.entries()) {
    const id = newId("whd");
    deliveries.push(id);
    await client.query(
      `INSERT INTO webhook_delivery (id, endpoint_id, owner_id, event, type, body, state, ended_at)
       VALUES ($1, $2, $3, $1, 't', '{}', 'delivered', now())`,
      [id, endpointId, (await anOwnerWithHome(homes[shard as 0 | 1])).ownerId],
    );
  }
  return { developer, clientId, endpointId, deliveries: deliveries as [string, string] };
}
const statusOf = (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error) => asAppError(error)?.status,
  );
const listed = async (developer: Parameters<typeof listDeliveries>[0], endpointId: string) => {
  const { items, isComplete } = await listDeliveries(developer, endpointId);
  return { ids: items.map(({ id }) => id), isComplete };
};

// First, because after an outage of the directory, reads go to the copies for a few seconds.
test("resends a delivery while another database is away", async () => {
  const { developer, deliveries } = await aDeveloper(0);
  shards.gates[1].close();
  await resend(developer, deliveries[0]);
  expect(
    await shards.counts("SELECT FROM webhook_delivery WHERE id = $1 AND state = 'pending'", [deliveries[0]]),
  ).toEqual([1, 0]);
});

describe.each([
  { own: 0, other: 1 },
  { own: 1, other: 0 },
] as const)("a developer in database $own, while database $other is away", ({ own, other }) => {
  test("gets the pages, without the other database's deliveries", async () => {
    const { developer, clientId, endpointId, deliveries } = await aDeveloper(own);
    expect(await listed(developer, endpointId)).toEqual({ ids: [...deliveries].sort().reverse(), isComplete: true });
    shards.gates[other].close();
    expect((await listApps(developer)).map((app) => app.clientId)).toEqual([clientId]);
    await getApp(developer, clientId);
    await Promise.all([appHues(developer), listGrants(developer), requestingApps(developer)]);
    await listRequests(developer, {});
    expect((await listEndpoints(developer, clientId)).map(({ id }) => id)).toEqual([endpointId]);
    await getEndpoint(developer, endpointId);
    expect(await listed(developer, endpointId)).toEqual({ ids: [deliveries[own]], isComplete: false });
    expect(await getDelivery(developer, deliveries[own])).toMatchObject({ endpointId });
    expect(await statusOf(getDelivery(developer, deliveries[other]))).toBe(503);
    expect(await statusOf(getDelivery(developer, newId("whd")))).toBe(503);
    shards.gates[other].open();
    await expect.poll(() => statusOf(getDelivery(developer, deliveries[other]))).toBe(200);
    expect(await statusOf(getDelivery(developer, newId("whd")))).toBe(404);
  });

  test("gets 503 if the own database is also away", async () => {
    const { developer } = await aDeveloper(own);
    shards.gates[own].close();
    expect(await statusOf(sessionOwner(developer.ownerId, 0, newId("ses")))).toBe(503);
    expect(await statusOf(listRequests(developer, {}))).toBe(503);
  });
});
