import { afterEach, expect, test } from "vitest";
import { covers } from "@/components/live/compare-page-versions";
import { pool } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { anOwner } from "@/lib/testing/factories";
import { hasEventSince, snapshot } from "./database-snapshot";

const now = async () => (await sql<{ it: string }>`SELECT ${snapshot} AS it`.row())!.it;
const since = async (ownerId: string, it: string) =>
  (await sql<{ is: boolean }>`SELECT ${hasEventSince(ownerId, it)} AS is`.row())!.is;

const open = new Set<() => Promise<unknown>>();
afterEach(() => Promise.all([...open].map((end) => end())));

/** Opens a transaction that has recorded an event for the owner. */
async function recording(ownerId: string) {
  const client = await pool().connect();
  await client.query("BEGIN");
  const { rows } = await client.query(
    "INSERT INTO event (owner_id, type, subject) VALUES ($1, 'grant.changed', $1) RETURNING id::int",
    [ownerId],
  );
  const end = async (how = "ROLLBACK") => {
    if (!open.delete(end)) return;
    await client.query(how);
    client.release();
  };
  open.add(end);
  return { id: rows[0].id as number, commit: () => end("COMMIT") };
}

test("treats an event committed after the snapshot as new despite its smaller number", async () => {
  const { ownerId } = await anOwner();
  const [slow, quick] = [await recording(ownerId), await recording(ownerId)];
  expect(slow.id).toBeLessThan(quick.id);
  await quick.commit();
  const between = await now();
  expect(await since(ownerId, between)).toBe(false);
  await slow.commit();
  const after = await now();
  expect(await since(ownerId, between)).toBe(true);
  expect([covers(between, after), covers(after, between)]).toEqual([false, true]);
  expect(await since(ownerId, after)).toBe(false);
});

test("treats an event as new to every snapshot taken before its commit", async () => {
  const { ownerId } = await anOwner();
  const [before, slow] = [await now(), await recording(ownerId)];
  const during = await now();
  for (let at = 0; at < 30; at++) await (await recording(ownerId)).commit();
  const late = await now();
  expect(await Promise.all([before, during, late].map((it) => since(ownerId, it)))).toEqual([true, true, false]);
  await slow.commit();
  expect(await since(ownerId, late)).toBe(true);
});

test("ignores events of other owners", async () => {
  const [{ ownerId }, other] = [await anOwner(), await anOwner()];
  const before = await now();
  await (await recording(other.ownerId)).commit();
  expect(await Promise.all([ownerId, other.ownerId].map((id) => since(id, before)))).toEqual([false, true]);
});

test("treats every event as new if the snapshot is unknown", async () => {
  const { ownerId } = await anOwner();
  const it = await now();
  const elsewhere = it.replace(/^\d+/, "1");
  for (const other of [elsewhere, "", "0", "1-2", "x".repeat(100), `${it}'`, `1-${"9".repeat(30)}-`]) {
    expect([other, await since(ownerId, other)]).toEqual([other, true]);
    if (!other.startsWith(it)) expect([covers(it, other), covers(other, it)]).toEqual([false, false]);
  }
  expect(covers(it, it)).toBe(true);
});
