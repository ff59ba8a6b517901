import { afterAll, beforeEach, expect, it } from "vitest";
import { readActivity } from "@/lib/activity/activity";
import { registerApp } from "@/lib/apps/apps";
import { sweep } from "@/lib/cli/delete-expired-rows";
import { db } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { deleteOwner } from "@/lib/owner-data/account-deletion";
import { aHookedApp, sendingTo } from "@/lib/testing/app-with-webhook";
import { anApp, anOwner } from "@/lib/testing/factories";
import { deliveriesOf, sendAll, turnAll } from "@/lib/testing/send-due-webhooks";
import { atEveryShard } from "@/lib/testing/shards/at-every-shard";
import { aReceiver, verified } from "@/lib/testing/webhook-receiver";
import { awaitAttempt, getDelivery, listDeliveries, resend, sendTest } from "./deliveries";
import {
  addEndpoint,
  changeEndpoint,
  getEndpoint,
  listEndpoints,
  managerOf,
  maxEndpoints,
  removeEndpoint,
  rotateEndpointSecret,
  switchEndpoint,
} from "./endpoints";

const receiver = await aReceiver();
beforeEach(() => sendingTo([receiver.origin]));
afterAll(() => receiver.close());

const url = "https://app.example/hooks?key=a%20secret";
const hooked = (path: string) => aHookedApp(receiver.origin + path, { types: ["approval.resolved"] });

it("creates, reads, updates and deletes a webhook", async () => {
  const { owner, clientId } = await anApp();
  const { id, secret } = await addEndpoint(owner, clientId, {
    url,
    description: "Production",
    types: ["grant.changed"],
  });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const made = { id, clientId, url, description: "Production", types: ["grant.changed"], state: "on" };
  expect(await listEndpoints(owner, clientId)).toEqual([{ ...made, createdAt: expect.any(Number) }]);
  expect(JSON.stringify(await getEndpoint(owner, id))).not.toContain(secret.slice(6));
  expect(await managerOf(id)).toMatchObject({ ownerId: owner.ownerId });
  await changeEndpoint(owner, id, { url: "https://other.example/" });
  expect(await getEndpoint(owner, id)).toMatchObject({ url: "https://other.example/", description: "", types: [] });
  await switchEndpoint(owner, id, false);
  expect(await getEndpoint(owner, id)).toMatchObject({ state: "off" });
  await rotateEndpointSecret(owner, id);
  expect(await getEndpoint(owner, id)).toMatchObject({ oldSecretUntil: expect.any(Number) });
  await removeEndpoint(owner, id);
  expect(await listEndpoints(owner)).toEqual([]);
  const { items } = await readActivity(owner, { subject: id });
  expect(items.map(({ sentence, href }) => [sentence, href])).toEqual(
    [
      "You removed a webhook for {app} at other.example",
      "You created a new secret for a webhook for {app} at other.example",
      "You turned off a webhook for {app} at other.example",
      "You changed a webhook for {app} at app.example",
      "You added a webhook for {app} at app.example",
    ].map((sentence) => [sentence, `/developer/${clientId}`]),
  );
  expect(JSON.stringify(items)).not.toMatch(/secret=|key=/);
});

it("rejects an invalid webhook or a webhook over the limit", async () => {
  const { owner, clientId } = await anApp();
  const add = (input: object) => addEndpoint(owner, clientId, { url, ...input });
  await expect(add({ url: "http://app.example/" })).rejects.toMatchObject({
    status: 400,
    details: [{ path: "url", message: "Must be an https address" }],
  });
  await expect(add({ types: ["approval.unheard_of"] })).rejects.toMatchObject({ status: 400 });
  await expect(add({ description: "x".repeat(201) })).rejects.toMatchObject({ status: 400 });
  await expect(add({ secret: "whsec_mine" })).rejects.toMatchObject({ status: 400 });
  const many = await Promise.allSettled(Array.from({ length: maxEndpoints + 3 }, () => add({})));
  expect(many.filter(({ status }) => status === "fulfilled")).toHaveLength(maxEndpoints);
  expect(many.find(({ status }) => status === "rejected")).toMatchObject({ reason: { status: 409 } });
});

it("hides a webhook from another owner", async () => {
  const app = await hooked("/mine");
  await app.answer(await app.ask());
  await sendAll();
  const [delivery] = await deliveriesOf(app.id);
  const other = await anOwner();
  await registerApp(other, { name: "Elsewhere" });
  for (const attempt of [
    () => addEndpoint(other, app.clientId, { url }),
    () => getEndpoint(other, app.id),
    () => changeEndpoint(other, app.id, { url }),
    () => switchEndpoint(other, app.id, false),
    () => rotateEndpointSecret(other, app.id),
    () => removeEndpoint(other, app.id),
    () => listDeliveries(other, app.id),
    () => getDelivery(other, delivery!.id),
    () => resend(other, delivery!.id),
    () => sendTest(other, app.id),
    () => getEndpoint(app.registrar, newId("whk")),
    () => getEndpoint(app.registrar, "whk_x"),
  ])
    await expect(attempt()).rejects.toMatchObject({ status: 404 });
  expect(await listEndpoints(other)).toEqual([]);
  expect(await getEndpoint(app.registrar, app.id)).toMatchObject({ state: "on" });
});

it("shows the result of a test event's delivery", async () => {
  const app = await hooked("/test");
  const { id } = await sendTest(app.registrar, app.id);
  const [sent] = await Promise.all([awaitAttempt(app.registrar, id), sendAll()]);
  expect(sent).toMatchObject({ type: "webhook.test", state: "delivered", latest: { number: 1, status: 204 } });
  const event = verified(app.secret, receiver.at("/test")[0]!);
  expect(event).toMatchObject({
    id: sent.event,
    type: "webhook.test",
    sub: app.registrar.ownerId,
    data: { endpoint: app.id },
  });
  expect(sent.body).toBe(receiver.at("/test")[0]?.body);
  await switchEndpoint(app.registrar, app.id, false);
  await expect(sendTest(app.registrar, app.id)).rejects.toMatchObject({ status: 409 });
});

it("resends a failed delivery with the same ID", async () => {
  receiver.on("/again", (res, _req, nth) => res.writeHead(nth <= 6 ? 500 : 204).end());
  const app = await hooked("/again");
  await app.answer(await app.ask());
  await sendAll();
  const { items } = await listDeliveries(app.registrar, app.id, { state: "failed" });
  expect(items).toMatchObject([
    { state: "failed", attempts: 4, latest: { number: 4, status: 500, problem: "The server responded with 500" } },
  ]);
  const [{ id }] = items as [(typeof items)[number]];
  await resend(app.registrar, id);
  await expect(resend(app.registrar, id)).rejects.toMatchObject({ status: 409 });
  await sendAll();
  const { tries, state } = await getDelivery(app.registrar, id);
  expect([state, tries.map(({ number }) => number)]).toEqual(["delivered", [7, 6, 5, 4, 3, 2, 1]]);
  expect(new Set(receiver.at("/again").map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect((await listDeliveries(app.registrar, app.id, { state: "failed" })).items).toEqual([]);
  await resend(app.registrar, id);
  await sendAll();
  expect(receiver.at("/again")).toHaveLength(8);
});

it("rejects a resend of an event that a disabled webhook dropped", async () => {
  const app = await hooked("/withdrawn");
  await app.answer(await app.ask());
  await turnAll();
  await switchEndpoint(app.registrar, app.id, false);
  await switchEndpoint(app.registrar, app.id, true);
  const [delivery] = await deliveriesOf(app.id);
  await expect(resend(app.registrar, delivery!.id)).rejects.toMatchObject({ status: 409 });
});

it("pages through deliveries without duplicates", async () => {
  const app = await hooked("/paged");
  await db.webhookDelivery.createMany({
    data: Array.from({ length: 65 }, (_, at) => ({
      id: newId("whd"),
      endpointId: app.id,
      ownerId: app.registrar.ownerId,
      event: `evt_${at}`,
      type: "grant.changed",
      body: "{}",
      state: "delivered",
      endedAt: new Date(),
    })),
  });
  const seen: string[] = [];
  let before: string | undefined;
  do {
    const page = await listDeliveries(app.registrar, app.id, { before });
    seen.push(...page.items.map(({ event }) => event));
    before = page.next;
  } while (before);
  expect(seen).toEqual(Array.from({ length: 65 }, (_, at) => `evt_${64 - at}`));
});

it("deletes ended deliveries after seven days", async () => {
  const app = await hooked("/swept");
  const rows = [
    { event: "evt_old", state: "delivered", days: 8 },
    { event: "evt_new", state: "delivered", days: 6 },
    { event: "evt_waits", state: "pending", days: 9 },
  ];
  for (const { event, state, days } of rows)
    await db.$executeRaw`
      INSERT INTO webhook_delivery (id, endpoint_id, owner_id, event, type, body, state, created_at, ended_at)
      VALUES (${newId("whd")}, ${app.id}, ${app.registrar.ownerId}, ${event}, 'grant.changed', '{}', ${state}, now() - make_interval(days => ${days}::int),
        CASE WHEN ${state} <> 'pending' THEN now() - make_interval(days => ${days}::int) END)`;
  await atEveryShard(sweep);
  expect((await deliveriesOf(app.id)).map(({ event }) => event)).toEqual(["evt_new", "evt_waits"]);
});

it("deletes a webhook when the owner deletes their account", async () => {
  const guest = await anOwner();
  const app = await aHookedApp(`${receiver.origin}/leaving`, { owner: guest });
  await app.answer(await app.ask());
  await sendAll();
  expect((await deliveriesOf(app.id)).length).toBeGreaterThan(1);
  await deleteOwner(guest, { email: guest.email });
  expect(await deliveriesOf(app.id)).toEqual([]);
  const { email } = await db.owner.findUniqueOrThrow({ where: { id: app.registrar.ownerId } });
  await deleteOwner(app.registrar, { email });
  expect(await db.webhookEndpoint.findUnique({ where: { id: app.id } })).toBeNull();
  expect(await db.webhookSecret.count({ where: { endpointId: app.id } })).toBe(0);
});
