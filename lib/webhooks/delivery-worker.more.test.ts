import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeEach, expect, it } from "vitest";
import { db } from "@/lib/database/db";
import { fetchDependencies } from "@/lib/net/guarded-fetch";
import { aHookedApp, sendingTo } from "@/lib/testing/app-with-webhook";
import { anExpiredCertificate } from "@/lib/testing/self-signed-certificate";
import { deliveriesOf, sendAll, turnAll } from "@/lib/testing/send-due-webhooks";
import { aReceiver, verified } from "@/lib/testing/webhook-receiver";
import { startDeliveryWorker } from "./delivery-worker";
import { switchEndpoint } from "./endpoints";

const tls = anExpiredCertificate("127.0.0.1");
const receiver = await aReceiver();
const expired = await aReceiver({ tls });
const canary = await aReceiver();
const down = "http://127.0.0.1:1";
const origins = [receiver.origin, expired.origin, down];
beforeEach(() => sendingTo(origins));
afterAll(() => {
  for (const each of [receiver, expired, canary]) each.close();
});

/** Creates an app with a webhook at a path of the receiver, and answers one of its questions. */
async function told(path: string, origin = receiver.origin) {
  const app = await aHookedApp(origin + path, { types: ["approval.resolved"] });
  const approval = await app.ask();
  await app.answer(approval);
  return { ...app, approval };
}
const outcome = async (endpointId: string) => {
  const [delivery] = await deliveriesOf(endpointId);
  return {
    state: delivery?.state,
    tries: delivery?.attemptRows.map(({ status, problem }) => problem ?? status),
  };
};

it("sends an answer as a signed webhook exactly once", async () => {
  const { id, secret, approval, owner } = await told("/fine");
  await sendAll();
  await sendAll();
  const [message, ...others] = receiver.at("/fine");
  expect(others).toEqual([]);
  const event = verified(secret, message!);
  expect(event).toEqual({
    id: message?.headers["webhook-id"],
    type: "approval.resolved",
    createdAt: expect.any(Number),
    timestamp: new Date(event.createdAt).toISOString(),
    sub: owner.ownerId,
    data: expect.objectContaining({
      id: approval,
      resolution: { kind: "option", optionId: "yes", resolvedBy: "owner", resolvedAt: expect.any(Number) },
    }),
  });
  expect(message).toMatchObject({ method: "POST", headers: { "content-type": "application/json" } });
  for (const own of ["cookie", "authorization", "referer"]) expect(message?.headers).not.toHaveProperty(own);
  expect(await outcome(id)).toEqual({ state: "delivered", tries: [204] });
});

it("retries a delivery with the same ID and body", async () => {
  receiver.on("/later", async (res, _req, nth) => {
    await sleep(nth === 1 ? 1100 : 0);
    res.writeHead(nth < 3 ? 500 : 200).end();
  });
  const { id, secret } = await told("/later");
  await sendAll();
  const messages = receiver.at("/later");
  expect(messages).toHaveLength(3);
  expect(new Set(messages.map(({ body }) => body)).size).toBe(1);
  expect(new Set(messages.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  for (const message of messages) expect(verified(secret, message).id).toBe(message.headers["webhook-id"]);
  const [first, , third] = messages.map(({ headers }) => headers);
  expect(Number(third?.["webhook-timestamp"])).toBeGreaterThan(Number(first?.["webhook-timestamp"]));
  expect(third?.["webhook-signature"]).not.toBe(first?.["webhook-signature"]);
  expect(await outcome(id)).toEqual({
    state: "delivered",
    tries: ["The server responded with 500", "The server responded with 500", 200],
  });
  expect(await db.webhookEndpoint.findUnique({ where: { id } })).toMatchObject({ failures: 0, failingSince: null });
});

it.each([
  ["500", (status: number) => `The server responded with ${status}`],
  ...["300", "301", "302", "303", "304", "307", "308"].map(
    (code) =>
      [
        code,
        (status: number) => `The server responded with ${status}, a redirect that Countersign does not follow`,
      ] as const,
  ),
  ["400", (status: number) => `The server responded with ${status}`],
  ["404", (status: number) => `The server responded with ${status}`],
] as const)("treats a webhook response with the status %s as a failure", async (code, problem) => {
  receiver.on(`/${code}`, (res) => res.writeHead(Number(code), { location: `${canary.origin}/caught` }).end());
  const { id } = await told(`/${code}`);
  await sendAll();
  expect(receiver.at(`/${code}`)).toHaveLength(4);
  expect(await outcome(id)).toEqual({ state: "failed", tries: Array(4).fill(problem(Number(code))) });
  expect(canary.got).toEqual([]);
});

it("reports the cause for each type of delivery failure", async () => {
  receiver.on("/cut", (_res, req) => req.socket.destroy());
  const babbler = createServer((socket) => socket.once("data", () => socket.end("hello\r\n\r\n")));
  await once(babbler.listen(0, "127.0.0.1"), "listening");
  const babbling = `http://127.0.0.1:${(babbler.address() as { port: number }).port}`;
  const switching = createServer((socket) =>
    socket.once("data", () => socket.write("HTTP/1.1 101 x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")),
  );
  await once(switching.listen(0, "127.0.0.1"), "listening");
  const switched = `http://127.0.0.1:${(switching.address() as { port: number }).port}`;
  sendingTo([...origins, babbling, switched], "0");
  fetchDependencies.ca = tls.cert;
  const ids = [
    (await told("/", down)).id,
    (await told("/cut")).id,
    (await told("/", babbling)).id,
    (await told("/", expired.origin)).id,
    (await told("/", switched)).id,
  ];
  await sendAll();
  delete fetchDependencies.ca;
  babbler.close();
  switching.close();
  expect(await Promise.all(ids.map(outcome))).toEqual(
    [
      "The server refused the connection",
      "The server closed the connection without responding",
      "The server did not send an HTTP response",
      "The TLS certificate has expired",
      "The server responded with 101",
    ].map((problem) => ({ state: "failed", tries: [problem] })),
  );
});

it("limits a delivery attempt to 15 seconds", async () => {
  sendingTo(origins, "0");
  let poured = 0;
  receiver.on("/endless", (res, req) => {
    const flood = () => {
      while (!req.socket.destroyed && res.write("x".repeat(10_000))) poured += 10_000;
    };
    res.on("drain", flood);
    flood();
  });
  receiver.on("/slow", (res) => setTimeout(() => res.writeHead(204).end(), 10_000));
  receiver.on("/hanging", () => {});
  receiver.on("/dripping", (res) => {
    const drip = setInterval(() => res.write("x"), 1000);
    res.on("close", () => clearInterval(drip));
  });
  const [endless, slow, hanging, dripping] = [
    await told("/endless"),
    await told("/slow"),
    await told("/hanging"),
    await told("/dripping"),
  ];
  await sendAll();
  expect(await outcome(endless.id)).toEqual({ state: "delivered", tries: [200] });
  expect(poured).toBeLessThan(20_000_000);
  expect(await outcome(slow.id)).toEqual({ state: "delivered", tries: [204] });
  for (const { id } of [hanging, dripping])
    expect(await outcome(id)).toEqual({ state: "failed", tries: ["The request timed out"] });
});

it("disables a webhook after a 410 response", async () => {
  receiver.on("/gone", (res) => res.writeHead(410).end());
  const app = await told("/gone");
  // Creates more deliveries than can run while the endpoint is being disabled.
  for (let at = 0; at < 8; at++) await app.answer(await app.ask());
  await sendAll();
  const states = (await deliveriesOf(app.id)).map(({ state }) => state);
  expect(receiver.at("/gone").length).toBeLessThan(states.length);
  expect(states).toEqual(expect.arrayContaining(["failed", "dropped"]));
  expect(states).not.toContain("pending");
  expect(await db.webhookEndpoint.findUnique({ where: { id: app.id } })).toMatchObject({
    state: "disabled",
    disabledReason: "gone",
  });
  const notes = await db.notification.findMany({ where: { ownerId: app.registrar.ownerId } });
  expect(notes).toMatchObject([{ type: "webhook", title: `A webhook for ${app.name} was turned off` }]);
  expect(await db.event.count({ where: { type: "webhook.disabled", subject: app.id } })).toBe(1);

  const sofar = receiver.at("/gone").length;
  await app.answer(await app.ask());
  await sendAll();
  expect(receiver.at("/gone")).toHaveLength(sofar);
  receiver.on("/gone", (res) => res.writeHead(204).end());
  await switchEndpoint(app.registrar, app.id, true);
  await app.answer(await app.ask());
  await sendAll();
  expect(receiver.at("/gone")).toHaveLength(sofar + 1);
});

it.each(["429", "503"])("applies the Retry-After of a response with status %s for up to a day", async (code) => {
  receiver.on(`/wait-${code}`, (res, _req, nth) =>
    res.writeHead(Number(code), { "retry-after": nth === 1 ? "120" : "99999999" }).end(),
  );
  const { id } = await told(`/wait-${code}`);
  const due = async () => {
    const [row] = await db.$queryRaw<{ seconds: number }[]>`
      SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM webhook_delivery WHERE endpoint_id = ${id}`;
    return row?.seconds;
  };
  await sendAll();
  expect(receiver.at(`/wait-${code}`)).toHaveLength(1);
  expect(await due()).toBeGreaterThan(100);
  expect(await due()).toBeLessThanOrEqual(120);
  await db.$executeRaw`UPDATE webhook_delivery SET due_at = now() - interval '1 millisecond' WHERE endpoint_id = ${id}`;
  await sendAll();
  expect(await due()).toBeGreaterThan(86_000);
  expect(await due()).toBeLessThanOrEqual(86_400);
});

it("disables a webhook after three days of failures", async () => {
  receiver.on("/broken", (res) => res.writeHead(500).end());
  const app = await told("/broken");
  await sendAll();
  const endpoint = () => db.webhookEndpoint.findUniqueOrThrow({ where: { id: app.id } });
  expect(await endpoint()).toMatchObject({ state: "on", failures: 4, failingSince: expect.any(Date) });
  await db.$executeRaw`UPDATE webhook_endpoint SET failing_since = now() - interval '73 hours' WHERE id = ${app.id}`;
  await app.answer(await app.ask());
  await sendAll();
  expect(await endpoint()).toMatchObject({ state: "disabled", disabledReason: "failing" });
  expect(await db.notification.count({ where: { ownerId: app.registrar.ownerId } })).toBe(1);
});

it("releases a hanging delivery attempt to another instance on shutdown", async () => {
  receiver.on("/stopping", (res, _req, nth) => void (nth > 1 && res.writeHead(204).end()));
  const { id } = await told("/stopping");
  await turnAll();
  const sending = startDeliveryWorker();
  sending.wake();
  await expect.poll(() => receiver.at("/stopping").length).toBe(1);
  await sending.stop();
  const [delivery] = await deliveriesOf(id);
  expect(delivery).toMatchObject({ state: "pending", attempts: 0, lease: null });
  await sendAll();
  expect(await outcome(id)).toEqual({ state: "delivered", tries: [204] });
  expect(new Set(receiver.at("/stopping").map(({ headers }) => headers["webhook-id"])).size).toBe(1);
});
