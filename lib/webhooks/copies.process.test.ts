import { afterAll, beforeAll, expect, test } from "vitest";
import { command } from "@/lib/testing/command";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { aReceiver, type Received, verified } from "@/lib/testing/receiver";
import { type Service, startService } from "@/lib/testing/service";
import { type Throwaway, throwawayPostgres } from "@/lib/testing/throwaway";

// Copies of the service that are killed while they send, on one database: the tests follow one another.
let postgres: Throwaway;
let [here, there]: [Service, Service] = [] as never;
let receiver: Awaited<ReturnType<typeof aReceiver>>;
let environment: Record<string, string>;
let [token, clientId] = ["", ""];
const [email, folders] = ["olive@example.com", [newDataDir(0o700), newDataDir(0o700)] as const];
const start = (at: 0 | 1) => startService({ ...environment, DATA_DIR: folders[at] });
const run = async (args: string[], input = "") =>
  (await command({ ...environment, DATA_DIR: folders[0] }, args, input)).json();
const add = (path: string) =>
  run([
    ...["webhook", "add", "--owner", email, "--app", clientId, "--url", receiver.origin + path],
    ...["--type", "approval.resolved"],
  ]) as Promise<{ id: string; secret: string }>;

beforeAll(async () => {
  [postgres, receiver] = await Promise.all([throwawayPostgres(), aReceiver()]);
  environment = {
    DATABASE_URL: postgres.url,
    SECRET: "one-for-both-copies-0123456789abcdef0123456789ab",
    ALLOW_PRIVATE_FETCH: receiver.origin,
    WEBHOOK_SCHEDULE: "0,1,1,1,1",
  };
  here = await start(0);
  await run(["owner", "create", "--email", email, "--name", "Olive", "--password-stdin"], "a password of some length");
  clientId = String((await run(["app", "create", "--owner", email, "--name", "Courier"])).clientId);
  const scopes = ["write", "read", "resolve"].flatMap((name) => ["--scope", `approvals:${name}`]);
  token = String((await run(["token", "create", "--owner", email, "--app", clientId, ...scopes])).token);
}, 240_000);

afterAll(async () => {
  await Promise.all([here?.stop(), there?.stop()]);
  receiver?.close();
  await postgres?.end();
  for (const folder of folders) removeDataDir(folder);
});

async function call(copy: Service, path: string, body: object) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const reply = await fetch(`${copy.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  expect(reply.ok).toBe(true);
  return (await reply.json()) as { id: string };
}
const question = { question: "Ship it?", options: [{ id: "yes", label: "Yes" }] };
async function answered(copy: Service): Promise<string> {
  const { id } = await call(copy, "/api/approvals", question);
  await call(copy, `/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" });
  return id;
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const about = (message: Received) => JSON.parse(message.body).data.id as string;
const arrived = (path: string, id: string) => receiver.at(path).filter((message) => about(message) === id);
async function kill(copy: Service) {
  copy.child.kill("SIGKILL");
  await copy.ended;
}

// F9
test("ten crashes between an answer and its delivery: nothing is lost, and what comes twice has the same id", async () => {
  const { id: endpoint, secret } = await add("/crash");
  // Answers after a second: whoever was told 200 ms before it was killed never hears that it was taken.
  receiver.on("/crash", (res) => setTimeout(() => res.writeHead(204).end(), 1000));
  const asked: string[] = [];
  for (let round = 0; round < 10; round++) {
    asked.push(await answered(here));
    // Before it is sent, while it is sent, and in between.
    await pause(round % 2 === 0 ? 200 : round);
    const id = asked.at(-1) as string;
    const before = arrived("/crash", id).length;
    await kill(here);
    here = await start(0);
    await expect.poll(() => arrived("/crash", id).length, { timeout: 10_000 }).toBeGreaterThan(before === 0 ? 0 : 1);
  }
  const lost = asked.filter((id) => arrived("/crash", id).length === 0);
  expect(lost).toEqual([]);
  for (const id of asked) {
    const messages = arrived("/crash", id);
    expect(new Set(messages.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(messages.map(({ body }) => body)).size).toBe(1);
    for (const message of messages) expect(verified(secret, message).data.id).toBe(id);
  }
  // The lease of whoever was killed last ends after five seconds, and then its delivery is sent again.
  await pause(7000);
  const total = receiver.at("/crash").length;
  await pause(6000);
  expect(receiver.at("/crash")).toHaveLength(total);
  expect(await run(["webhook", "remove", endpoint])).toEqual({ removed: true });
}, 240_000);

// F11
test("two copies make each attempt once between them", async () => {
  there = await start(1);
  const { id: endpoint } = await add("/both");
  receiver.on("/both", (res) => {
    const newest = receiver.at("/both").at(-1) as Received;
    res.writeHead(arrived("/both", about(newest)).length < 3 ? 500 : 204).end();
  });
  const asked: string[] = [];
  for (let at = 0; at < 20; at++) asked.push(await answered(at % 2 === 0 ? here : there));
  await expect.poll(() => asked.every((id) => arrived("/both", id).length === 3), { timeout: 60_000 }).toBe(true);
  await pause(3000);
  expect(asked.map((id) => arrived("/both", id).length)).toEqual(asked.map(() => 3));
  await run(["webhook", "remove", endpoint]);
}, 120_000);

// F12
test("what a copy was sending when it was killed, the other one sends", async () => {
  const { id: endpoint } = await add("/taken-over");
  receiver.on("/taken-over", (res, _req, nth) => void (nth > 1 && res.writeHead(204).end()));
  const id = await answered(there);
  await expect.poll(() => arrived("/taken-over", id).length).toBe(1);
  // Whichever copy it was, the one that is left is not it.
  const { webhooks } = await run(["webhook", "list", "--owner", email]);
  expect(webhooks).toMatchObject([{ id: endpoint, state: "on", owner: email }]);
  await kill(there);
  await expect.poll(() => arrived("/taken-over", id).length, { timeout: 20_000 }).toBe(2);
  expect(new Set(arrived("/taken-over", id).map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  await run(["webhook", "remove", endpoint]);
}, 60_000);

test("SIGTERM while a receiver hangs ends in time, and gives the delivery back", async () => {
  const { id: endpoint } = await add("/hangs");
  receiver.on("/hangs", (res, _req, nth) => void (nth > 1 && res.writeHead(204).end()));
  const id = await answered(here);
  await expect.poll(() => arrived("/hangs", id).length).toBe(1);
  here.child.kill("SIGTERM");
  expect(await here.ended).toBe(0);
  expect(here.said()).toMatch(/Stopped\n$/);
  here = await start(0);
  await expect.poll(() => arrived("/hangs", id).length).toBe(2);
  await run(["webhook", "remove", endpoint]);
}, 60_000);

test("the operator adds, tests, rotates and removes webhooks, with the service or without it", async () => {
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
  const given = { ...environment, DATA_DIR: folders[0] };
  const failed = await command(given, ["webhook", "test", id]);
  expect([failed.status, failed.err]).toEqual([1, "The test was not accepted. It answered 500.\n"]);
  const refused = await command(given, [
    ...["webhook", "add", "--owner", email, "--app", clientId, "--url", "http://127.0.0.1/"],
  ]);
  expect([refused.status, refused.err]).toEqual([1, "url: Must be https.\n"]);
  for (const words of [
    ["webhook", "test", "whk_none"],
    ["webhook", "remove", "whk_none"],
    ["webhook", "rotate", "whk_none"],
  ])
    expect(await command(given, words)).toMatchObject({ status: 1, err: "There is no such webhook.\n" });
  const listed = JSON.stringify(await run(["webhook", "list"]));
  expect(listed).toContain(id);
  for (const each of [secret, second]) expect(listed + here.said()).not.toContain(each.slice(6));
  await run(["webhook", "remove", id]);
}, 180_000);
