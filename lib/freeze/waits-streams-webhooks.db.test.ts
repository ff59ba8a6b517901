import http from "node:http";
import { text as read } from "node:stream/consumers";
import { afterAll, beforeEach, expect, test } from "vitest";
import { watchers } from "@/lib/events/watch-app-events";
import { startFront } from "@/lib/testing/api-server";
import { aHookedApp, sendingTo } from "@/lib/testing/app-with-webhook";
import { settled } from "@/lib/testing/await-event-horizon";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { sendAll, sendOnEveryShard, turnAll } from "@/lib/testing/send-due-webhooks";
import { aReceiver } from "@/lib/testing/webhook-receiver";
import { everyApp, freeze, unfreeze } from "./freeze";

const { ask: call, port } = await startFront();
const receiver = await aReceiver();
beforeEach(() => sendingTo([receiver.origin]));
afterAll(() => receiver.close());
const all = { appId: everyApp, by: "owner" } as const;
const refusal = { error: "Forbidden", details: [{ path: "", message: expect.any(String), reason: "frozen" }] };

test("ends long polls and streams with the reason", async () => {
  const { owner, token } = await anAppWith("approvals:write", "approvals:read");
  const { id } = (await call("POST", "/api/approvals", { token, body: aQuestion })).body as { id: string };
  await settled();
  const end = ((await call("GET", "/api/events", { token })).body as { nextCursor: string }).nextCursor;
  const waits = [
    call("GET", `/api/approvals/${id}?wait=60`, { token }),
    call("GET", `/api/events?wait=60&after=${end}`, { token }),
  ];
  const stream = new Promise<string>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
    http.get({ port, path: "/api/events", headers }, (reply) => read(reply).then(resolve, reject)).on("error", reject);
  });
  await expect.poll(watchers).toBe(3);
  await freeze(owner, all);
  for (const reply of await Promise.all(waits)) expect([reply.status, reply.body]).toEqual([403, refusal]);
  const closed = /event: closed\ndata: (.*)\n\n$/.exec(await stream)?.[1] ?? "";
  expect(JSON.parse(closed)).toEqual(refusal);
});

const types = (path: string) => receiver.at(path).map(({ body }) => JSON.parse(body).type as string);

test("sends only the freeze and its end to webhooks, and the other events afterwards", async () => {
  const [app, other] = [await aHookedApp(`${receiver.origin}/frozen`), await aHookedApp(`${receiver.origin}/free`)];
  const id = await app.ask();
  await sendAll();
  expect(types("/frozen")).toEqual(["approval.submitted"]);
  const waiting = await app.ask();
  await turnAll();
  await freeze(app.owner, all);
  await other.ask();
  const send = async () => {
    await turnAll();
    const sending = sendOnEveryShard();
    for (let turn = 0; turn < 3; turn++) await sending.round();
    await sending.stop();
  };
  await send();
  await expect.poll(() => types("/free")).toEqual(["approval.submitted"]);
  await expect.poll(() => types("/frozen")).toEqual(["approval.submitted", "owner.frozen"]);
  const told = receiver.at("/frozen").map(({ body }) => JSON.parse(body));
  expect(told[1]).toMatchObject({ type: "owner.frozen", sub: app.owner.ownerId, data: { by: "owner" } });
  await unfreeze(app.owner, everyApp);
  await app.answer(id);
  await sendAll();
  expect(types("/frozen").sort()).toEqual(
    ["approval.resolved", "approval.submitted", "approval.submitted", "owner.frozen", "owner.unfrozen"].sort(),
  );
  expect(receiver.at("/frozen").map(({ body }) => JSON.parse(body).data.id)).toContain(waiting);
  const listed = (await call("GET", "/api/events", app)).body as { data: { type: string; data: object }[] };
  expect(listed.data.filter(({ type }) => type.startsWith("owner."))).toMatchObject([
    { type: "owner.frozen", data: { by: "owner" } },
    { type: "owner.unfrozen", data: { frozenMs: expect.any(Number) } },
  ]);
});
