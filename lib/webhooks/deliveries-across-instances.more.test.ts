import { afterAll, beforeAll, expect, test } from "vitest";
import { obeyed } from "@/lib/testing/operator-command";
import type { Service } from "@/lib/testing/service-process";
import { about, pause, webhookCopies } from "@/lib/testing/two-instances-with-webhooks";
import { type Received, verified } from "@/lib/testing/webhook-receiver";

// Several instances share a database, and some of them are killed while they send. Each test
// continues from the state of the previous one.
let all: Awaited<ReturnType<typeof webhookCopies>>;
let [here, there]: [Service, Service] = [] as never;

beforeAll(async () => {
  all = await webhookCopies();
  here = all.first;
});

afterAll(async () => {
  await Promise.all([here?.stop(), there?.stop()]);
  await all?.end();
});

test("makes no duplicate delivery attempts across two instances", async () => {
  const { add, answered, arrived, receiver, run, start } = all;
  there = await start(1);
  const { id: endpoint } = await add("/both");
  receiver.on("/both", (res) => {
    const newest = receiver.at("/both").at(-1) as Received;
    res.writeHead(arrived("/both", about(newest)).length < 3 ? 500 : 204).end();
  });
  const asked: string[] = [];
  for (let at = 0; at < 20; at++) asked.push(await answered(at % 2 === 0 ? here : there));
  await expect.poll(() => asked.every((id) => arrived("/both", id).length === 3)).toBe(true);
  await pause(3000);
  expect(asked.map((id) => arrived("/both", id).length)).toEqual(asked.map(() => 3));
  await run(["webhook", "remove", endpoint]);
});

test("sends a killed instance's deliveries from another instance", async () => {
  const { add, answered, arrived, email, kill, receiver, run } = all;
  const { id: endpoint } = await add("/taken-over");
  receiver.on("/taken-over", (res, _req, nth) => void (nth > 1 && res.writeHead(204).end()));
  const id = await answered(there);
  await expect.poll(() => arrived("/taken-over", id).length).toBe(1);
  const { webhooks } = await run(["webhook", "list", "--owner", email]);
  expect(webhooks).toMatchObject([{ id: endpoint, state: "on", owner: email }]);
  await kill(there);
  await expect.poll(() => arrived("/taken-over", id).length).toBe(2);
  expect(new Set(arrived("/taken-over", id).map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  await run(["webhook", "remove", endpoint]);
});

test("stops an instance within the grace period despite a hanging receiver", async () => {
  const { add, answered, arrived, receiver, run, start } = all;
  const { id: endpoint } = await add("/hangs");
  receiver.on("/hangs", (res, _req, nth) => void (nth > 1 && res.writeHead(204).end()));
  const id = await answered(here);
  await expect.poll(() => arrived("/hangs", id).length).toBe(1);
  here.child.kill("SIGTERM");
  expect(await here.ended).toBe(0);
  expect(here.output()).toMatch(/Stopped\n$/);
  here = await start(0);
  await expect.poll(() => arrived("/hangs", id).length).toBe(2);
  await run(["webhook", "remove", endpoint]);
});

test("manages webhooks from the command line while the service is stopped", async () => {
  const { add, clientId, email, given, receiver, run } = all;
  const { id, secret } = await add("/operator");
  expect(await run(["webhook", "test", id])).toMatchObject({ status: 204, event: expect.stringMatching(/^tst_/) });
  const [message] = receiver.at("/operator");
  expect(verified(secret, message as Received).type).toBe("webhook.test");
  const { secret: second } = (await run(["webhook", "rotate", id])) as { secret: string };
  await here.stop();
  await run(["webhook", "test", id]);
  const latest = receiver.at("/operator").at(-1) as Received;
  for (const each of [secret, second]) expect(verified(each, latest).type).toBe("webhook.test");
  receiver.on("/operator", (res) => res.writeHead(500).end());
  const failed = await obeyed(given, ["webhook", "test", id]);
  expect([failed.status, failed.err]).toEqual([
    1,
    "Could not deliver the test event. The server responded with 500.\n",
  ]);
  const refused = await obeyed(given, [
    ...["webhook", "add", "--owner", email, "--app", clientId, "--url", "http://127.0.0.1/"],
  ]);
  expect([refused.status, refused.err]).toEqual([
    1,
    expect.stringMatching(/^url: Must be an https address\. .*ALLOW_PRIVATE_FETCH/),
  ]);
  for (const words of [
    ["webhook", "test", "whk_none"],
    ["webhook", "remove", "whk_none"],
    ["webhook", "rotate", "whk_none"],
  ])
    expect(await obeyed(given, words)).toMatchObject({
      status: 1,
      err: 'No webhook has this ID. Find the ID with "webhook list".\n',
    });
  const listed = JSON.stringify(await run(["webhook", "list"]));
  expect(listed).toContain(id);
  for (const each of [secret, second]) expect(listed + here.output()).not.toContain(each.slice(6));
  await run(["webhook", "remove", id]);
});
