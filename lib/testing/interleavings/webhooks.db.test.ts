import { afterAll, expect } from "vitest";
import { pool } from "@/lib/database/db";
import { aHookedApp, sendingTo } from "@/lib/testing/app-with-webhook";
import { aReceiver } from "@/lib/testing/webhook-receiver";
import { deliverNow } from "@/lib/webhooks/delivery-worker";
import { fanOut } from "@/lib/webhooks/fan-out";
import { explore } from "./explore";
import { Crashed } from "./scheduler";

/* Every event reaches the app's webhook. */

const receiver = await aReceiver();
afterAll(() => receiver.close());
sendingTo([receiver.origin]);
const hooked = await aHookedApp(`${receiver.origin}/hook`, { types: ["approval.resolved"] });

/** Does what an instance's loops do for webhooks. */
const instance = () => fanOut().then(sendPending);
async function sendPending() {
  const { rows } = await pool().query("SELECT id FROM webhook_delivery WHERE state = 'pending' ORDER BY id");
  for (const { id } of rows) await deliverNow(id);
}

explore({
  title: "delivers each event once while two instances send webhooks, and again only after a crash",
  passing: ["batch answered, not delivered"],
  alone: true,
  async prepare() {
    receiver.got.length = 0;
    const [before, meanwhile] = [await hooked.ask(), await hooked.ask()];
    await hooked.answer(before);
    return { before, meanwhile };
  },
  actors: ({ meanwhile }) => ({
    crashing: instance,
    instance,
    owner: () => hooked.answer(meanwhile),
  }),
  crashing: ["crashing"],
  async check({ before, meanwhile }, { crashing, instance, owner }) {
    for (const it of [instance, owner]) if (it.status === "rejected") throw it.reason;
    if (crashing.status === "rejected") expect(crashing.reason).toBeInstanceOf(Crashed);
    // The leases of an instance that has crashed expire.
    await pool().query("UPDATE webhook_delivery SET lease_until = now() WHERE lease IS NOT NULL");
    // Another test's open transaction delays events.
    while ((await fanOut()).unsettled) await new Promise((resolve) => setTimeout(resolve, 5));
    await sendPending();
    const subjects = receiver.got.map(({ body }) => JSON.parse(body).data.id as string);
    const isSentAgain =
      crashing.status === "rejected" && crashing.reason.message.endsWith("delivery sent, not recorded");
    expect([...new Set(subjects)].sort()).toEqual([before, meanwhile].sort());
    expect(subjects).toHaveLength(isSentAgain ? 3 : 2);
    expect(new Set(receiver.got.map(({ headers }) => headers["webhook-id"])).size).toBe(2);
  },
});
