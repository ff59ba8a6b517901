import { afterAll, beforeAll, expect, test } from "vitest";
import { withClient } from "@/lib/postgres/with-client";
import type { Service } from "@/lib/testing/service-process";
import { pause, webhookCopies } from "@/lib/testing/two-instances-with-webhooks";
import { verified } from "@/lib/testing/webhook-receiver";

// This test is separate from the other tests of two instances, because it takes as long as all of
// them together.
let all: Awaited<ReturnType<typeof webhookCopies>>;
let here: Service;

beforeAll(async () => {
  all = await webhookCopies();
  here = all.first;
});

afterAll(async () => {
  await here?.stop();
  await all?.end();
});

test("delivers every event despite ten crashes", async () => {
  const { add, answered, arrived, given, kill, receiver, run, start } = all;
  const inDatabase = (sql: string) => withClient(given.DATABASE_URL, (client) => client.query(sql));
  const { id: endpoint, secret } = await add("/crash");
  // The receiver responds only after a second. An instance that is killed 200 ms into a request
  // never learns that the request was accepted.
  receiver.on("/crash", (res) => setTimeout(() => res.writeHead(204).end(), 1000));
  const asked: string[] = [];
  for (let round = 0; round < 10; round++) {
    asked.push(await answered(here));
    // The instance crashes before a send, during it, or between two sends.
    await pause(round % 2 === 0 ? 200 : round);
    const id = asked.at(-1) as string;
    const before = arrived("/crash", id).length;
    await kill(here);
    // Ends the killed instance's five-second leases early.
    await inDatabase("UPDATE webhook_delivery SET lease_until = lease_until - interval '5 seconds'");
    here = await start(0);
    await expect.poll(() => arrived("/crash", id).length).toBeGreaterThan(before === 0 ? 0 : 1);
  }
  const pending = async () => (await inDatabase("SELECT FROM webhook_delivery WHERE state = 'pending'")).rowCount;
  await expect.poll(pending).toBe(0);
  const lost = asked.filter((id) => arrived("/crash", id).length === 0);
  expect(lost).toEqual([]);
  for (const id of asked) {
    const messages = arrived("/crash", id);
    expect(new Set(messages.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(messages.map(({ body }) => body)).size).toBe(1);
    for (const message of messages) expect(verified(secret, message).data.id).toBe(id);
  }
  // The pause is longer than the time until any further attempt.
  const total = receiver.at("/crash").length;
  await pause(2000);
  expect(receiver.at("/crash")).toHaveLength(total);
  expect(await run(["webhook", "remove", endpoint])).toEqual({ removed: true });
});
