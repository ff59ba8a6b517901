import { afterEach, expect, test, vi } from "vitest";
import { pool } from "@/lib/database/db";
import { publish } from "@/lib/events/pubsub";
import { aHookedApp, ask, sendingTo } from "@/lib/testing/app-with-webhook";
import { anAppWith } from "@/lib/testing/factories";
import { notePlans } from "@/lib/testing/query-plans";
import { aReceiver } from "@/lib/testing/webhook-receiver";
import { startWebhooks } from "./dispatcher";
import { fanOut } from "./fan-out";

const plans = await notePlans(process.env.DATABASE_URL ?? "");
const looks = () => plans.filter(({ statement }) => statement.includes("webhook_cursor c"));
afterEach(() => void vi.useRealTimers());

test("reads the event log only if an endpoint is registered", async () => {
  const { app } = await anAppWith("approvals:write");
  await ask(app);
  plans.length = 0;
  await fanOut();
  const read = () => looks().flatMap(({ scans }) => scans.map(({ table }) => table));
  expect(read()).toEqual(expect.arrayContaining(["webhook_cursor", "webhook_endpoint"]));
  expect(read()).not.toContain("event");
  const receiver = await aReceiver();
  sendingTo([receiver.origin]);
  await aHookedApp(receiver.origin);
  await fanOut();
  expect(read()).toContain("event");
  await receiver.close();
});

test("limits the rate of event checks during a burst of notifications", async () => {
  const { owner } = await anAppWith("approvals:write");
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  plans.length = 0;
  const stop = startWebhooks();
  // Each wait is long enough for a check, but the fake clock stands still.
  for (let news = 0; news < 20; news++) {
    publish(owner.ownerId);
    for (let wait = 0; wait < 10; wait++) await pool().query("SELECT");
  }
  expect(looks()).toHaveLength(1);
  // Now advances the fake clock, while the check waits.
  const passing = setInterval(() => vi.advanceTimersByTime(20), 5);
  await expect.poll(() => looks().length).toBeGreaterThan(1);
  await stop();
  clearInterval(passing);
});
