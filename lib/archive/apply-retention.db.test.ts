import { beforeEach, expect, test } from "vitest";
import { getApproval, submitApproval } from "@/lib/approvals/approvals";
import type { Approval } from "@/lib/approvals/schema";
import { addToApproval } from "@/lib/approvals/thread/additions";
import { env } from "@/lib/config/env";
import { db, inTransaction, pool } from "@/lib/database/db";
import { inHomeOf } from "@/lib/database/shards/marks";
import { createPartition } from "@/lib/events/partition-bounds";
import { setRetention } from "@/lib/events/retention-policy";
import { deleteOwner } from "@/lib/owner-data/account-deletion";
import { publicKeys } from "@/lib/receipts/receipt-keys";
import { issueReceipt } from "@/lib/receipts/receipts";
import { startFront } from "@/lib/testing/api-server";
import { aHookedApp, answer, ask as askAs, sendingTo } from "@/lib/testing/app-with-webhook";
import { settled } from "@/lib/testing/await-event-horizon";
import { applyRetention } from "@/lib/testing/chores";
import { anAppWith } from "@/lib/testing/factories";
import { inClient } from "@/lib/testing/receipt-verifiers";
import { turnAll } from "@/lib/testing/send-due-webhooks";
import { poolOf } from "@/lib/testing/shards/database-of-owner";
import { downloadArchive, readArchive } from "./archive";

const { ask } = await startFront();
const keep = (events: number | null, answered: number | null) =>
  inTransaction((client) => setRetention(client, { events, answered }));
beforeEach(() => keep(null, null));

/** Makes all rows this many days older. */
const age = (days: number) =>
  inTransaction(async (client) => {
    await client.query("SET LOCAL session_replication_role = replica");
    await client.query("UPDATE event SET created_at = created_at - make_interval(days => $1)", [days]);
    // Other shards than the directory's compare an event's time with its webhook's.
    await client.query(
      "UPDATE webhook_endpoint SET since_time = since_time - make_interval(days => $1), created_at = created_at - make_interval(days => $1)",
      [days],
    );
    await client.query(
      "UPDATE approval SET created_at = created_at - make_interval(days => $1), resolved_at = resolved_at - make_interval(days => $1)",
      [days],
    );
  });

const aParty = async () => {
  const made = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  const asked = async (answered: boolean) => {
    const id = await askAs(made.app);
    if (answered) await answer(made.owner, id);
    return id;
  };
  const events = async (after?: string) => {
    const { status, body } = await ask("GET", `/api/events${after ? `?after=${after}` : ""}`, { token: made.token });
    const { data = [], nextCursor = "" } = body as { data?: { data: { id: string } }[]; nextCursor?: string };
    return { status, about: data.map(({ data }) => data.id), nextCursor, body };
  };
  const archived = async () => {
    let text = "";
    for await (const piece of downloadArchive(made.owner)) text += piece;
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  const kept = async () =>
    (await db.event.findMany({ where: { ownerId: made.owner.ownerId }, orderBy: { id: "asc" } }))
      .map(({ subject }) => subject)
      // Omits the event that records the archiving itself.
      .filter((subject) => subject.startsWith("apr_"));
  return { ...made, asked, events, archived, kept };
};

test("deletes no data by default", async () => {
  const { asked, kept, archived } = await aParty();
  const id = await asked(true);
  await age(4000);
  expect(await applyRetention()).toBe(0);
  expect(await kept()).toContain(id);
  expect(await archived()).toEqual([]);
  await expect(pool().query("DELETE FROM event")).rejects.toThrow(/append-only/);
  await keep(3999, null);
  await askAs((await aParty()).app);
  await expect(pool().query("DELETE FROM event")).rejects.toThrow(/append-only/);
  await expect(pool().query("DELETE FROM event_first WHERE created_at > now() - interval '1 day'")).rejects.toThrow(
    /append-only/,
  );
  await expect(keep(6, null)).rejects.toThrow(/check constraint/);
});

test("archives old answers with their threads", async () => {
  const { owner, app, token, asked, archived, clientId } = await aParty();
  const [old, waiting] = [await asked(false), await asked(false)];
  await addToApproval(app, old, { text: "The soak test passed" });
  await answer(owner, old);
  const { contentHash } = JSON.parse((await getApproval(app, old)).text) as Approval;
  const receipt = await issueReceipt(app, old);
  await age(31);
  const lately = await asked(true);
  await keep(null, 30);
  expect(await applyRetention()).toBeGreaterThan(0);

  const get = async (id: string) => (await ask("GET", `/api/approvals/${id}`, { token })).status;
  expect([await get(old), await get(waiting), await get(lately)]).toEqual([404, 200, 200]);
  expect((await ask("GET", `/api/approvals/${old}/receipt`, { token })).status).toBe(404);
  const list = (await ask("GET", "/api/approvals", { token })).text;
  expect([old, waiting, lately].map((id) => list.includes(id))).toEqual([false, true, true]);
  const wanted = { issuer: env().publicUrl, clientId, owner: owner.ownerId, approvalId: old, contentHash };
  expect(await inClient([{ receipt, keys: await publicKeys(), wanted }])).toMatchObject([{ ok: { optionId: "yes" } }]);

  expect(await archived()).toEqual([
    {
      approval: expect.objectContaining({ id: old, contentHash, status: "resolved" }),
      additions: [expect.objectContaining({ text: "The soak test passed" })],
      questions: [],
      outcomes: [],
      uses: [],
    },
  ]);
  expect(await readArchive(owner)).toMatchObject({ answers: 1, activity: 0 });
  const told = { where: { ownerId: owner.ownerId, type: "owner.archived" } };
  expect(await db.event.count(told)).toBe(1);
  expect(await applyRetention()).toBe(0);
  // The activity mentions the archiving only once a month.
  await age(31);
  await applyRetention();
  expect(await db.event.count(told)).toBe(1);
  expect(await readArchive(owner)).toMatchObject({ answers: 2 });

  await deleteOwner(owner, { email: (await db.owner.findUniqueOrThrow({ where: { id: owner.ownerId } })).email });
  expect(await db.archivePart.count({ where: { ownerId: owner.ownerId } })).toBe(0);
});

test("archives old events except events of pending approvals", async () => {
  const party = await aParty();
  const { asked, events, kept, archived } = party;
  const [first, waiting] = [await asked(true), await asked(false)];
  await settled();
  const early = await events("");
  const { body } = await ask("GET", "/api/events?limit=1", { token: party.token });
  const behind = (body as { nextCursor: string }).nextCursor;
  expect((await events(behind)).status).toBe(200);
  await age(31);
  await keep(30, null);
  // Two concurrent instances archive each event once.
  await Promise.all([applyRetention(), applyRetention()]);

  expect(new Set(await kept())).toEqual(new Set([waiting]));
  const lines = (await archived()).map(({ activity }) => activity);
  expect(lines.filter(({ subject }) => subject === first).map(({ type }) => type)).toEqual([
    "approval.submitted",
    "approval.resolved",
  ]);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
  expect((await events(early.nextCursor)).status).toBe(200);
  expect(await events(behind)).toMatchObject({ status: 410, body: { error: expect.stringContaining("expired") } });
  expect((await events(`evt_${"0".repeat(26)}`)).status).toBe(400);
  expect((await ask("GET", "/api/events", { token: (await aParty()).token })).status).toBe(200);

  // A reader that had received everything, including removed events, receives only new events.
  await answer(party.owner, waiting);
  await settled();
  const { nextCursor: end } = await events(early.nextCursor);
  await age(31);
  await applyRetention();
  expect(await kept()).toEqual([]);
  expect(await events(end)).toMatchObject({ status: 200, about: [] });
  const next = await asked(true);
  await settled();
  expect(await events(end)).toMatchObject({ status: 200, about: [next, next] });
  expect((await events(early.nextCursor)).status).toBe(410);
  expect((await events()).about).toEqual([next, next]);
});

test("keeps an answer and its events until the webhook deliveries are created", async () => {
  sendingTo(["http://127.0.0.1:9"]);
  const { app, ask: askOwner, owner } = await aHookedApp("http://127.0.0.1:9");
  const id = await askOwner();
  await answer(owner, id);
  await age(31);
  await keep(30, 30);
  const events = () => db.event.count({ where: { ownerId: owner.ownerId } });
  const recorded = await events();
  // Another shard without unsent webhooks removes its events.
  await applyRetention();
  expect(await events()).toBe(recorded);
  expect((await getApproval(app, id)).text).toContain(id);
  await settled();
  await turnAll();
  expect(await applyRetention()).toBeGreaterThan(0);
  await expect(getApproval(app, id)).rejects.toMatchObject({ status: 404 });
  // A delivery in progress keeps its payload, even after the event is removed.
  expect(await db.webhookDelivery.count({ where: { ownerId: owner.ownerId, body: { contains: id } } })).toBe(2);
});

test("drops a partition without retained rows", async () => {
  const { owner, asked, kept, events } = await aParty();
  const [gone, waiting] = [await asked(true), await asked(false)];
  await age(62);
  expect(await inHomeOf(owner.ownerId, () => createPartition(1))).toBe(true);
  const later = await asked(true);
  await settled();
  await turnAll();
  const partitions = async () =>
    (await poolOf(owner).query("SELECT name::text FROM event_partition ORDER BY ends")).rows.length;
  expect(await partitions()).toBe(2);
  await keep(30, null);
  await applyRetention();
  expect(await kept()).not.toContain(gone);
  expect(await kept()).toEqual(expect.arrayContaining([waiting, later]));
  expect(await partitions()).toBe(2);
  await db.$executeRaw`UPDATE approval SET status = 'resolved', resolved_at = now(),
    resolution = '{"kind":"option","optionId":"yes","resolvedBy":"owner"}' WHERE status = 'pending'`;
  await applyRetention();
  expect(await partitions()).toBe(1);
  expect(await kept()).toContain(later);
  expect((await events()).about).toEqual([later, later]);
  await submitApproval((await aParty()).app, {
    question: "Still?",
    options: [{ id: "yes", label: "Yes" }],
  });
});
