import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { env } from "@/lib/config/env";
import { db, pool } from "@/lib/database/db";
import { listEvents } from "@/lib/event-feed/event-feed";
import { readLiveCounts } from "@/lib/live-counts/live-counts";
import { answer, ask } from "@/lib/testing/app-with-webhook";
import { settled } from "@/lib/testing/await-event-horizon";
import { anAppWith } from "@/lib/testing/factories";
import { notePlans, type Planned } from "@/lib/testing/query-plans";
import { query } from "@/lib/testing/temporary-postgres";
import { fanOut } from "@/lib/webhooks/fan-out";
import { createPartition, readPartitions } from "./partition-bounds";
import { watch } from "./watch-app-events";

const url = env().databaseUrl;
let plans: Planned[];
beforeAll(async () => {
  plans = await notePlans(url);
});

const partitions = async () =>
  (
    await pool().query<{ name: string; ends: string | null }>(
      "SELECT name::text, ends FROM event_partition ORDER BY ends",
    )
  ).rows;
const nextIds = async () => BigInt((await pool().query("SELECT nextval('event_id_seq') AS id")).rows[0].id);
/** Moves all events into a past month. */
const lastMonth = () =>
  query(url, "SET session_replication_role = replica; UPDATE event SET created_at = created_at - interval '40 days'");

test("creates a monthly partition if the last partition has enough events", async () => {
  const { owner, app } = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  const before = await ask(app);
  expect(await createPartition(1)).toBe(false);
  await lastMonth();
  expect(await createPartition()).toBe(false);
  expect(await partitions()).toHaveLength(1);

  // While a writer's transaction is open, creating a partition fails at the lock timeout.
  const writer = new pg.Client({ connectionString: url });
  await writer.connect();
  await writer.query("BEGIN");
  await writer.query("INSERT INTO event (owner_id, type, subject) VALUES ($1, 'owner.signed_in', $1)", [owner.ownerId]);
  await expect(createPartition(1)).rejects.toThrow(/lock timeout/);
  await writer.query("COMMIT");
  // The first step was undone, so no constraint limits new IDs.
  const held = await pool().query("SELECT FROM pg_constraint WHERE conname = 'event_ends'");
  expect(held.rowCount).toBe(0);
  const copies = await Promise.allSettled([createPartition(1), createPartition(1)]);
  expect(copies.some((it) => it.status === "fulfilled" && it.value)).toBe(true);
  const [first, second] = await partitions();
  expect(first).toEqual({ name: "event_first", ends: expect.stringMatching(/^\d+$/) });
  expect(second).toMatchObject({ ends: null });
  expect(await nextIds()).toBeGreaterThanOrEqual(BigInt(first?.ends ?? ""));
  expect(await createPartition(1)).toBe(false);

  await answer(owner, before);
  const after = await ask(app);
  await settled();
  const { text } = await listEvents(app, {}, () => new AbortController().signal);
  const told = JSON.parse(text).data.map(({ data, type }: { data: { id: string }; type: string }) => [data.id, type]);
  expect(told.slice(-3)).toEqual([
    [before, "approval.submitted"],
    [before, "approval.resolved"],
    [after, "approval.submitted"],
  ]);
  expect((await db.event.findMany({ where: { subject: after } })).length).toBe(1);
  for (const refused of ["TRUNCATE event", `TRUNCATE ${second?.name}`, `DELETE FROM ${second?.name}`])
    await expect(pool().query(refused)).rejects.toThrow(/append-only/);
  await writer.end();
});

test("reads only the latest partitions in frequent statements", async () => {
  const { owner, app, clientId } = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  while ((await partitions()).length < 24) {
    await query(url, `INSERT INTO event (owner_id, type, subject) VALUES ('own_0', 'owner.signed_in', 'own_0')`);
    await lastMonth();
    expect(await createPartition(1)).toBe(true);
    // Leaves a gap of a million IDs between two partitions.
    await nextIds();
  }
  await ask(app);
  await settled();
  const listen = (after?: string) => listEvents(app, { after }, () => new AbortController().signal);
  const { nextCursor } = JSON.parse((await listen()).text);
  await ask(app);
  await settled();
  await readPartitions();
  plans.length = 0;
  expect(JSON.parse((await listen(nextCursor)).text).data).toHaveLength(1);
  await readLiveCounts({ ...owner, quiet: undefined });
  await new Promise<void>((onReady) => watch(owner.ownerId, clientId, { ordered: false, onEvent: () => {}, onReady }));
  await fanOut();
  await expect.poll(() => plans.some(({ statement }) => statement.includes("AS w(owner_id"))).toBe(true);
  const looked = plans.filter(({ statement }) => statement.includes("event e"));
  const wide = looked
    .map(({ statement, scans }) => [statement, new Set(scans.flatMap(({ part }) => part ?? []))] as const)
    .filter(([, tables]) => tables.size > 3)
    .map(([statement]) => statement);
  expect(looked.length).toBeGreaterThan(3);
  expect(wide).toEqual([]);
});
