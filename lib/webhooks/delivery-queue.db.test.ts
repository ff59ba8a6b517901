import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import type { SessionOwner } from "@/lib/actor";
import { db, pool } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { aHookedApp, answer, ask, sendingTo } from "@/lib/testing/app-with-webhook";
import { anApp, anOwner, aTokenFor } from "@/lib/testing/factories";
import { deliveriesOf, sendAll, turnAll } from "@/lib/testing/send-due-webhooks";
import { aReceiver } from "@/lib/testing/webhook-receiver";
import { startDeliveryWorker } from "./delivery-worker";
import { startWebhooks } from "./dispatcher";
import { addEndpoint } from "./endpoints";
import { fanOut } from "./fan-out";
import { leaseDue, renewLeases } from "./lease-deliveries";

const receiver = await aReceiver();
beforeEach(async () => {
  sendingTo([receiver.origin]);
  await db.webhookEndpoint.deleteMany();
});
afterAll(() => receiver.close());

/** Functions that stop a test's senders, which would otherwise lease the next test's deliveries. */
const started: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await db.webhookEndpoint.deleteMany();
  await Promise.all(started.splice(0).map((stop) => stop()));
});
function aSender() {
  const sender = startDeliveryWorker();
  started.push(sender.stop);
  return sender;
}
function aCopy() {
  const stop = startWebhooks();
  started.push(stop);
  return stop;
}
/**
 * Extends all leases, so that no other sender can take these deliveries, even on a slow machine.
 */
const keepLeases = () =>
  db.$executeRaw`UPDATE webhook_delivery SET lease_until = now() + interval '1 hour' WHERE lease IS NOT NULL`;

const hooked = (path: string) => aHookedApp(receiver.origin + path, { types: ["approval.resolved"] });
async function answered(app: Awaited<ReturnType<typeof hooked>>, count: number) {
  for (let at = 0; at < count; at++) await app.answer(await app.ask());
}
const idsAt = (path: string) => receiver.at(path).map(({ headers }) => headers["webhook-id"]);

it("creates one delivery per event across several instances", async () => {
  const app = await hooked("/turned");
  await turnAll();
  await answered(app, 30);
  const other = await anOwner();
  const { app: actor } = await aTokenFor(other, app.clientId, ["approvals:write", "approvals:read"]);
  for (let at = 0; at < 20; at++) await answer(other, await ask(actor));
  await Promise.all([turnAll(), turnAll(), turnAll(), turnAll()]);
  const deliveries = await deliveriesOf(app.id);
  expect(deliveries).toHaveLength(50);
  expect(new Set(deliveries.map(({ event }) => event)).size).toBe(50);
});

it("creates missing deliveries after an interrupted run", async () => {
  const app = await hooked("/broken-off");
  await turnAll();
  await answered(app, 3);
  await pool().query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not now'; END $$;
    CREATE TRIGGER refuse BEFORE UPDATE ON webhook_cursor FOR EACH ROW EXECUTE FUNCTION refuse()`);
  await expect(turnAll()).rejects.toThrow("not now");
  expect(await deliveriesOf(app.id)).toEqual([]);
  await pool().query("DROP TRIGGER refuse ON webhook_cursor; DROP FUNCTION refuse()");
  await turnAll();
  expect(await deliveriesOf(app.id)).toHaveLength(3);
});

it("delivers an event whose transaction commits late", async () => {
  const app = await hooked("/late-commit");
  await turnAll();
  const client = await pool().connect();
  await client.query("BEGIN");
  await client.query("INSERT INTO throttle (key, failures, expires_at) VALUES ($1, 1, now())", [app.id]);
  await answered(app, 1);
  const looked = await fanOut();
  expect(looked).toMatchObject({ deliveries: 0, unsettled: true });
  await client.query("COMMIT");
  client.release();
  await turnAll();
  expect(await deliveriesOf(app.id)).toHaveLength(1);
});

it("checks an idle event log without writing to the cursor", async () => {
  await turnAll();
  const written = async () => (await pool().query("SELECT tx, event_id, xmin FROM webhook_cursor")).rows;
  const before = await written();
  await db.$executeRaw`INSERT INTO throttle (key, failures, expires_at) VALUES ('noise', 1, now()) ON CONFLICT DO NOTHING`;
  for (let look = 0; look < 5; look++) await fanOut();
  expect(await written()).toEqual(before);
});

it("advances the cursor while no endpoint exists and then delivers new events", async () => {
  await pool().query("UPDATE webhook_cursor SET tx = '3', event_id = 0");
  const stranger = await aHookedApp(`${receiver.origin}/nobody`);
  await answered(stranger, 2);
  await db.webhookEndpoint.deleteMany();
  // Rolls back 6,000 subtransactions, which uses up transaction IDs without recording an event.
  await pool().query(`DO $$ BEGIN FOR n IN 1..6000 LOOP BEGIN
    INSERT INTO throttle (key, failures, expires_at) VALUES ('behind', 1, now());
    RAISE 'again'; EXCEPTION WHEN OTHERS THEN END; END LOOP; END $$`);
  const behind = async () =>
    (await pool().query("SELECT (event_horizon()::text::numeric - tx::text::numeric)::int AS n FROM webhook_cursor"))
      .rows[0].n;
  // Open transactions of other tests on this server may hold the event horizon back.
  await expect.poll(behind).toBeGreaterThan(5000);
  await expect.poll(() => fanOut().then(behind)).toBeLessThan(5000);
  const app = await hooked("/newcomer");
  await answered(app, 1);
  await sendAll();
  expect(receiver.at("/newcomer")).toHaveLength(1);
  expect(receiver.at("/nobody")).toEqual([]);
});

it("makes no duplicate delivery attempts even with several senders", async () => {
  const apps = await Promise.all(["/once-a", "/once-b", "/once-c"].map(hooked));
  for (const path of ["/once-a", "/once-b", "/once-c"])
    receiver.on(path, async (res, req) => {
      await sleep(5);
      // The first attempt of each delivery fails.
      const id = req.headers["webhook-id"];
      const times = receiver.at(path).filter(({ headers }) => headers["webhook-id"] === id).length;
      res.writeHead(times === 1 ? 500 : 204).end();
    });
  for (const app of apps) await answered(app, 12);
  await turnAll();
  const copies = [1, 2, 3, 4].map(() => aSender());
  for (const copy of copies) copy.wake();
  await expect
    .poll(async () =>
      (await Promise.all(apps.map(({ id }) => deliveriesOf(id)))).flat().every(({ state }) => state === "delivered"),
    )
    .toBe(true);
  await Promise.all(copies.map((copy) => copy.stop()));
  for (const path of ["/once-a", "/once-b", "/once-c"]) {
    const counts = new Map<unknown, number>();
    for (const id of idsAt(path)) counts.set(id, (counts.get(id) ?? 0) + 1);
    expect([...counts.values()]).toEqual(Array(12).fill(2));
  }
});

it("sends a lost instance's deliveries soon after their leases expire", async () => {
  const app = await hooked("/lost");
  await answered(app, 1);
  await turnAll();
  expect(await leaseDue("a copy that is lost", { max: 10 })).toHaveLength(1);
  const [taken] = await db.webhookDelivery.findMany({ where: { endpointId: app.id } });
  const stop = aCopy();
  await expect.poll(() => receiver.at("/lost").length).toBe(1);
  expect(Date.now()).toBeGreaterThanOrEqual(Number(taken?.leaseUntil));
  await stop();
  expect(await deliveriesOf(app.id)).toMatchObject([{ state: "delivered", attempts: 1 }]);
});

it("renews a delivery's lease during a slow request", async () => {
  receiver.on("/renewed", (res) => setTimeout(() => res.writeHead(204).end(), 8000));
  const app = await hooked("/renewed");
  await answered(app, 1);
  const [one, other] = [aCopy(), aCopy()];
  await expect.poll(async () => (await deliveriesOf(app.id))[0]?.state).toBe("delivered");
  await Promise.all([one(), other()]);
  expect(receiver.at("/renewed")).toHaveLength(1);
});

it("renews delivery leases without waiting for locked rows", async () => {
  const app = await hooked("/renewing");
  await wait(app.id, 3);
  const taken = await leaseDue("one", { max: 256, windows: [{ place: app.id, size: 3, underWay: 0 }] });
  const client = await pool().connect();
  await client.query("BEGIN");
  await client.query("UPDATE webhook_delivery SET attempts = 1 WHERE id = $1", [taken[1]?.id]);
  expect(await renewLeases("one", taken)).toBe(2);
  expect(await renewLeases("another", taken)).toBe(0);
  await client.query("ROLLBACK");
  client.release();
});

it("adjusts an endpoint's window to the endpoint's responses", async () => {
  sendingTo([receiver.origin], "0,3600");
  const paths = ["/crowded", "/failing"] as const;
  const max = { "/crowded": 0, "/failing": 0 };
  const underWay = { "/crowded": 0, "/failing": 0 };
  const sockets = new Set<unknown>();
  for (const path of paths)
    receiver.on(path, async (res, req, nth) => {
      underWay[path]++;
      if (path === "/crowded") sockets.add(req.socket);
      if (path === "/crowded" || nth > 8) max[path] = Math.max(max[path], underWay[path]);
      await sleep(20);
      underWay[path]--;
      res.writeHead(path === "/failing" ? 500 : 204).end();
    });
  // The endpoint stops responding once its window is large.
  receiver.on("/never", async (res, _req, nth) => {
    await sleep(20);
    if (nth <= 60) res.writeHead(204).end();
  });
  const [crowded, failing, never] = [await hooked("/crowded"), await hooked("/failing"), await hooked("/never")];
  const counts = [
    [crowded, 200],
    [failing, 20],
    [never, 200],
  ] as const;
  for (const [{ id }, count] of counts) await wait(id, count);
  const sending = aSender();
  sending.wake();
  await expect.poll(() => receiver.at("/crowded").length).toBe(200);
  await expect.poll(() => receiver.at("/failing").length).toBe(20);
  // More than two requests are waiting for the silent endpoint's response.
  await expect.poll(() => receiver.at("/never").length).toBeGreaterThan(60 + 2);
  expect(await db.webhookDelivery.count({ where: { endpointId: never.id, attempts: 1 } })).toBe(60);
  expect(receiver.at("/never").length).toBeLessThanOrEqual(60 + 32);
  expect(max["/crowded"]).toBeGreaterThan(8);
  expect(max["/crowded"]).toBeLessThanOrEqual(32);
  expect(max["/failing"]).toBe(1);
  // Connections are reused.
  expect(sockets.size).toBeLessThanOrEqual(32);
  await db.webhookEndpoint.deleteMany({ where: { id: never.id } });
  await sending.stop();
});

/** Inserts deliveries that wait for the endpoint. */
const wait = (endpointId: string, count: number, since = "1 hour") =>
  db.$executeRaw`INSERT INTO webhook_delivery (id, endpoint_id, owner_id, event, type, body, due_at)
    SELECT gen_random_uuid()::text, id, owner_id, 'evt_' || n, 'webhook.test', '{}', now() - ${since}::interval
    FROM webhook_endpoint, generate_series(1, ${count}::int) AS n WHERE id = ${endpointId}`;
const countOf = (taken: { endpointId: string }[], ...ids: string[]) =>
  taken.filter(({ endpointId }) => ids.includes(endpointId)).length;

it("leases only as many deliveries as the window allows", async () => {
  const [app, other] = [await hooked("/window"), await hooked("/window-other")];
  for (const { id } of [app, other]) await wait(id, 40);
  const window = (place: string, size: number, underWay = 0) => ({ max: 256, windows: [{ place, size, underWay }] });
  const taken = await leaseDue("one", window(app.id, 8));
  await keepLeases();
  expect([countOf(taken, app.id), countOf(taken, other.id)]).toEqual([8, 2]);
  // A sender that reports no window gets none. A sender with a larger window gets the difference.
  expect(await leaseDue("another", { max: 256 })).toEqual([]);
  expect(await leaseDue("another", window(app.id, 12))).toHaveLength(4);
  await keepLeases();
  // Three of this sender's eight attempts are complete, and the other sender has four running.
  const more = await leaseDue("one", window(app.id, 11, 5));
  expect(countOf(more, app.id)).toBe(2);
  await db.webhookEndpoint.update({ where: { id: other.id }, data: { failures: 5 } });
  await db.$executeRaw`UPDATE webhook_delivery SET lease = NULL, lease_until = NULL`;
  const failing = await leaseDue("one", window(other.id, 32));
  expect(countOf(failing, other.id)).toBe(1);
});

it("limits one owner's concurrent delivery attempts", async () => {
  const owner = await anOwner();
  const { clientId } = await anApp(owner);
  const many = async (count: number, failures: number) => {
    for (let at = 0; at < count; at++) {
      const id = newId("whk");
      await db.webhookEndpoint.create({
        data: { id, ownerId: owner.ownerId, appId: clientId, url: receiver.origin, failures },
      });
      await wait(id, 2);
    }
  };
  await many(70, 0);
  await many(14, 5);
  const later = await hooked("/later");
  await answered(later, 1);
  await turnAll();
  const taken = await leaseDue("one", { max: 256 });
  await keepLeases();
  const ofOwner = taken.filter(({ endpointId }) => endpointId !== later.id);
  expect(taken.length - ofOwner.length).toBe(1);
  expect(ofOwner).toHaveLength(138);
  expect(await leaseDue("another", { max: 256 })).toEqual([]);
  const failing = await db.webhookEndpoint.findMany({ where: { failures: { gt: 0 } }, select: { id: true } });
  expect(countOf(ofOwner, ...failing.map(({ id }) => id))).toBe(10);
});

it("reserves capacity for other endpoints' first attempts", async () => {
  const large: string[] = [];
  const aLargeOne = async (owner: SessionOwner & { session: string }) => {
    const { clientId } = await anApp(owner);
    const { id } = await addEndpoint(owner, clientId, { url: receiver.origin });
    await wait(id, 40);
    return id;
  };
  const [one, two, three] = [await anOwner(), await anOwner(), await anOwner()];
  for (const owner of [one, one, one, one, two, two, two, two]) large.push(await aLargeOne(owner));
  const windows = large.map((place) => ({ place, size: 32, underWay: 0 }));
  const [beside, after] = [await aLargeOne(one), await aLargeOne(three)];
  const limits = { max: 256, windows };
  const taken = await leaseDue("one", limits);
  await keepLeases();
  // Each owner has room for 98 attempts in large windows, and for two attempts at each other
  // endpoint.
  expect(countOf(taken, ...large.slice(0, 4))).toBe(98 - 2);
  expect(countOf(taken, beside)).toBe(2);
  expect(countOf(taken, after)).toBe(2);
  expect(taken.length).toBeLessThanOrEqual(256 - 60 + 2 * 10);
  // Although none of these attempts gets a response, there is still room for new endpoints.
  const late = [await aLargeOne(one), await aLargeOne(await anOwner())];
  const next = await leaseDue("another", { ...limits, max: 256 - taken.length });
  expect(next.map(({ endpointId }) => endpointId).sort()).toEqual(late.flatMap((id) => [id, id]).sort());
});

it("delivers an instance's own events immediately", async () => {
  const stop = aCopy();
  const app = await hooked("/at-once");
  await answered(app, 1);
  await expect.poll(() => receiver.at("/at-once").length).toBe(1);
  await stop();
  await sendAll();
  expect(receiver.at("/at-once")).toHaveLength(1);
});
