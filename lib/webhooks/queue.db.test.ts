import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeEach, expect, it } from "vitest";
import { db, pool } from "@/lib/db";
import { anOwner, aTokenFor } from "@/lib/testing/factories";
import { aReceiver } from "@/lib/testing/receiver";
import { aHookedApp, answer, ask, deliveriesOf, sendAll, sendingTo, turnAll } from "@/lib/testing/webhooks";
import { startSending } from "./deliver";
import { fanOut } from "./fan-out";
import { takeDue } from "./take";
import { startWebhooks } from "./watch";

const receiver = await aReceiver();
beforeEach(async () => {
  sendingTo([receiver.origin]);
  await db.webhookEndpoint.deleteMany();
});
afterAll(() => receiver.close());

const hooked = (path: string) => aHookedApp(receiver.origin + path, { types: ["approval.resolved"] });
async function answered(app: Awaited<ReturnType<typeof hooked>>, count: number) {
  for (let at = 0; at < count; at++) await app.answer(await app.ask());
}
const idsAt = (path: string) => receiver.at(path).map(({ headers }) => headers["webhook-id"]);

it("many events, turned by several copies at once: each becomes one delivery", async () => {
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

it("a turn that breaks off leaves nothing, and the next one turns the same", async () => {
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

it("an event whose transaction commits late is not passed over", async () => {
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

it("a quiet log is looked at without writing anything", async () => {
  await turnAll();
  const written = async () => (await pool().query("SELECT tx, event_id, xmin FROM webhook_cursor")).rows;
  const before = await written();
  await db.$executeRaw`INSERT INTO throttle (key, failures, expires_at) VALUES ('noise', 1, now()) ON CONFLICT DO NOTHING`;
  for (let look = 0; look < 5; look++) await fanOut();
  expect(await written()).toEqual(before);
});

it("what nobody wants is left behind at once, and whoever comes then is told from then on", async () => {
  await pool().query("UPDATE webhook_cursor SET tx = '3', event_id = 0");
  const stranger = await aHookedApp(`${receiver.origin}/nobody`);
  await answered(stranger, 2);
  await db.webhookEndpoint.deleteMany();
  // Each part of it is a transaction of its own to the log.
  await pool().query(`DO $$ BEGIN FOR n IN 1..6000 LOOP BEGIN
    INSERT INTO throttle (key, failures, expires_at) VALUES ('behind', 1, now());
    RAISE 'again'; EXCEPTION WHEN OTHERS THEN END; END LOOP; END $$`);
  const behind = async () =>
    (await pool().query("SELECT (event_horizon()::text::numeric - tx::text::numeric)::int AS n FROM webhook_cursor"))
      .rows[0].n;
  // Transactions of other tests on this server count too: while one is open, nothing after it is.
  await expect.poll(behind).toBeGreaterThan(5000);
  await expect.poll(() => fanOut().then(behind)).toBeLessThan(5000);
  const app = await hooked("/newcomer");
  await answered(app, 1);
  await sendAll();
  expect(receiver.at("/newcomer")).toHaveLength(1);
  expect(receiver.at("/nobody")).toEqual([]);
});

it("several copies that send make each attempt once", async () => {
  const apps = await Promise.all(["/once-a", "/once-b", "/once-c"].map(hooked));
  for (const path of ["/once-a", "/once-b", "/once-c"])
    receiver.on(path, async (res, req) => {
      await sleep(5);
      // Fails the first time.
      const id = req.headers["webhook-id"];
      const times = receiver.at(path).filter(({ headers }) => headers["webhook-id"] === id).length;
      res.writeHead(times === 1 ? 500 : 204).end();
    });
  for (const app of apps) await answered(app, 12);
  await turnAll();
  const copies = [1, 2, 3, 4].map(() => startSending());
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

it("what a lost copy had taken is sent by another within seconds", async () => {
  const app = await hooked("/lost");
  await answered(app, 1);
  await turnAll();
  expect(await takeDue("a copy that is lost", 10)).toHaveLength(1);
  expect(await takeDue("another", 10)).toEqual([]);
  const began = Date.now();
  const stop = startWebhooks();
  await expect.poll(() => receiver.at("/lost").length).toBe(1);
  expect(Date.now() - began).toBeGreaterThan(3000);
  await stop();
  expect(await deliveriesOf(app.id)).toMatchObject([{ state: "delivered", attempts: 1 }]);
});

it("a lease that is renewed is nobody else's, however long the receiver takes", async () => {
  receiver.on("/renewed", (res) => setTimeout(() => res.writeHead(204).end(), 8000));
  const app = await hooked("/renewed");
  await answered(app, 1);
  const [one, other] = [startWebhooks(), startWebhooks()];
  await expect.poll(async () => (await deliveriesOf(app.id))[0]?.state).toBe("delivered");
  await Promise.all([one(), other()]);
  expect(receiver.at("/renewed")).toHaveLength(1);
});

// F10
it("of one endpoint two at a time, one once it fails; one that hangs keeps no other waiting", async () => {
  sendingTo([receiver.origin], "0,3600");
  const most = { "/crowded": 0, "/failing": 0 };
  const underWay = { "/crowded": 0, "/failing": 0 };
  for (const path of ["/crowded", "/failing"] as const)
    receiver.on(path, async (res, _req, nth) => {
      underWay[path]++;
      if (path === "/crowded" || nth > 8) most[path] = Math.max(most[path], underWay[path]);
      await sleep(20);
      underWay[path]--;
      res.writeHead(path === "/failing" ? 500 : 204).end();
    });
  receiver.on("/never", () => {});
  const [crowded, failing, never] = [await hooked("/crowded"), await hooked("/failing"), await hooked("/never")];
  for (const app of [never, crowded, failing]) await answered(app, 20);
  await turnAll();
  const sending = startSending();
  sending.wake();
  await expect.poll(() => receiver.at("/crowded").length).toBe(20);
  await expect.poll(() => receiver.at("/failing").length).toBe(20);
  // All that while the first two there are still hanging.
  expect((await deliveriesOf(never.id)).every(({ attempts }) => attempts === 0)).toBe(true);
  expect(most).toEqual({ "/crowded": 2, "/failing": 1 });
  expect(receiver.at("/never")).toHaveLength(2);
  await db.webhookEndpoint.deleteMany({ where: { id: never.id } });
  await sending.stop();
});

it("of one owner only so many, fewer of those that fail, so that there is room for others", async () => {
  const owner = await anOwner();
  const many = async (count: number, failures: number) => {
    for (let at = 0; at < count; at++) {
      const { id } = await aHookedApp(`${receiver.origin}/many`);
      await db.webhookEndpoint.update({ where: { id }, data: { ownerId: owner.ownerId, failures } });
      await db.$executeRaw`INSERT INTO webhook_delivery (id, endpoint_id, owner_id, event, type, body, due_at)
        SELECT gen_random_uuid()::text, id, owner_id, 'evt_' || n, 'test', '{}', now() - interval '1 hour'
        FROM webhook_endpoint, generate_series(1, 2) AS n WHERE id = ${id}`;
    }
  };
  await many(18, 0);
  await many(14, 5);
  const later = await hooked("/later");
  await answered(later, 1);
  await turnAll();
  const taken = await takeDue("one", 60);
  const ofOwner = taken.filter(({ endpointId }) => endpointId !== later.id);
  expect(taken.length - ofOwner.length).toBe(1);
  expect(ofOwner).toHaveLength(40);
  expect(await takeDue("another", 60)).toEqual([]);
  const failing = await db.webhookEndpoint.findMany({ where: { failures: { gt: 0 } }, select: { id: true } });
  expect(ofOwner.filter(({ endpointId }) => failing.some(({ id }) => id === endpointId))).toHaveLength(10);
});

it("a running copy sends at once what begins on it", async () => {
  const stop = startWebhooks();
  const app = await hooked("/at-once");
  await answered(app, 1);
  await expect.poll(() => receiver.at("/at-once").length).toBe(1);
  await stop();
  await sendAll();
  expect(receiver.at("/at-once")).toHaveLength(1);
});
