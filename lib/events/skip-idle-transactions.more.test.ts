import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { pool } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { anOwner } from "@/lib/testing/factories";
import { inDatabase } from "@/lib/testing/temporary-postgres";
import { findBlockingTransaction } from "./blocking-transaction";
import { change } from "./change-transaction";
import { nextEvents } from "./event-sql-for-other-domains";
import { record } from "./record-events";
import { skipIdleTransactions } from "./skip-idle-transactions";

const url = process.env.DATABASE_URL as string;
const opened: pg.Client[] = [];
afterEach(() => Promise.all(opened.splice(0).map((client) => client.end())));

/**
 * Opens a transaction that has a transaction ID, as if it had written something, and stays open.
 * @param isolation its isolation level
 */
async function anOpenTransaction(connectionString = url, isolation = "READ COMMITTED") {
  const client = new pg.Client({ connectionString });
  await client.connect();
  opened.push(client);
  await client.query(`BEGIN ISOLATION LEVEL ${isolation}`);
  const { rows } = await client.query("SELECT pg_current_xact_id()::text AS xid");
  const note = (ownerId: string) =>
    client.query("INSERT INTO event (owner_id, type, subject) VALUES ($1, 'grant.changed', 'late')", [ownerId]);
  return { client, xid: rows[0].xid as string, note };
}

const happens = (ownerId: string) =>
  change(null, (tx) => record(tx, { ownerId, type: "grant.changed", subject: "told" }));
/** Returns the subjects of an owner's readable events, in log order. */
const told = (ownerId: string) =>
  sql<{
    subject: string;
  }>`SELECT e.subject FROM (${nextEvents(sql`e.owner_id = ${ownerId}`, { tx: sql`'0'::xid8`, id: sql`0` }, sql`100`)}) AS e
    ORDER BY e.tx, e.id`.rows();
const atOnce = sql`interval '0'`;
/** Waits until the owner's events are readable. Transactions of other test files may delay them. */
const isTold = async (ownerId: string, times = 1) => {
  await expect
    .poll(async () => {
      await skipIdleTransactions(atOnce);
      return told(ownerId);
    })
    .toEqual(Array(times).fill({ subject: "told" }));
};

test.each([
  ["this database", url],
  ["another database of the server", inDatabase(url, "postgres")],
])("skips an idle transaction in %s", async (_, where) => {
  const { ownerId } = await anOwner();
  const { client, xid } = await anOpenTransaction(where);
  await happens(ownerId);
  expect(await told(ownerId)).toEqual([]);
  await isTold(ownerId);
  await happens(ownerId);
  await isTold(ownerId, 2);
  const { rows } = await pool().query("SELECT FROM skipped_transaction WHERE xid = $1", [xid]);
  expect(rows).toHaveLength(1);
  await client.query("COMMIT");
  await expect
    .poll(async () => {
      await skipIdleTransactions(atOnce);
      return (await pool().query("SELECT FROM skipped_transaction WHERE xid = $1", [xid])).rowCount;
    })
    .toBe(0);
});

test.each(["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"])(
  "rejects an event from a skipped %s transaction",
  async (isolation) => {
    const { ownerId } = await anOwner();
    const { client, note } = await anOpenTransaction(url, isolation);
    await client.query("SELECT count(*) FROM event");
    await happens(ownerId);
    await isTold(ownerId);
    await expect(note(ownerId)).rejects.toMatchObject({ code: "40001" });
    await client.query("ROLLBACK");
    await client.query("BEGIN");
    await note(ownerId);
    await client.query("COMMIT");
    await expect.poll(() => told(ownerId)).toEqual([{ subject: "told" }, { subject: "late" }]);
  },
);

test("waits for an open transaction that recorded an event", async () => {
  const { ownerId } = await anOwner();
  const { client, note } = await anOpenTransaction();
  await note(ownerId);
  await happens(ownerId);
  for (let turn = 0; turn < 3; turn++) await skipIdleTransactions(atOnce);
  expect(await told(ownerId)).toEqual([]);
  await note(ownerId);
  const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
  await expect.poll(async () => (await findBlockingTransaction())?.pid).toBe(rows[0].pid);
  await client.query("COMMIT");
  await expect.poll(async () => (await told(ownerId)).map(({ subject }) => subject)).toEqual(["late", "late", "told"]);
});

test("ignores records of skipped transactions restored from another server's dump", async () => {
  const { ownerId } = await anOwner();
  const { client, xid, note } = await anOpenTransaction();
  await pool().query("INSERT INTO skipped_transaction (xid, server_since) VALUES ($1, 1)", [xid]);
  await pool().query("SELECT setval('event_fence', 1000000000000)");
  await happens(ownerId);
  expect(await told(ownerId)).toEqual([]);
  await note(ownerId);
  await client.query("COMMIT");
  await expect.poll(() => told(ownerId)).toEqual([{ subject: "late" }, { subject: "told" }]);
});

test("retries a change whose transaction was skipped", async () => {
  const { ownerId } = await anOwner();
  let times = 0;
  await change(null, async (tx) => {
    await sql`UPDATE owner SET name = 'Slow' WHERE id = ${ownerId}`.run(tx);
    if (++times === 1) {
      const other = await anOwner();
      await happens(other.ownerId);
      await isTold(other.ownerId);
    }
    await record(tx, { ownerId, type: "grant.changed", subject: "told" });
  });
  expect(times).toBe(2);
  await isTold(ownerId);
});

test("delivers every event exactly once and in order to each reader", async () => {
  const { ownerId } = await anOwner();
  const recorded = new Set<string>();
  let [left, refused, reading] = [600, 0, true];
  /**
   * Records events in transactions of different durations, and rolls some back.
   * @param slow the maximum pause within a transaction, in hundredths of a second
   */
  const writer = async (slow: number) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    opened.push(client);
    const rest = () => client.query("SELECT pg_sleep($1)", [slow * Math.random() * 0.01]);
    while (left > 0) {
      await client.query("BEGIN");
      await client.query("SELECT pg_current_xact_id()");
      if (slow > 0) await rest();
      const subjects = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, () => `event ${left--}`);
      try {
        for (const subject of subjects) {
          await client.query("INSERT INTO event (owner_id, type, subject) VALUES ($1, 'grant.changed', $2)", [
            ownerId,
            subject,
          ]);
          if (slow > 0) await rest();
        }
        const commits = Math.random() < 0.9;
        await client.query(commits ? "COMMIT" : "ROLLBACK");
        if (commits) for (const subject of subjects) recorded.add(subject);
      } catch (error) {
        expect(error).toMatchObject({ code: "40001" });
        refused++;
        await client.query("ROLLBACK");
      }
    }
  };
  const passer = async () => {
    while (reading) await skipIdleTransactions(sql`interval '2 milliseconds'`);
  };
  /** Reads continuously, each time after the last event read. */
  const reader = async () => {
    const heard: string[] = [];
    let at = { tx: "0", id: "0" };
    while (reading || heard.length < recorded.size) {
      const place = { tx: sql`${at.tx}::xid8`, id: sql`${at.id}::bigint` };
      const found = await sql<{ tx: string; id: string; subject: string }>`SELECT e.tx::text, e.id::text, e.subject
        FROM (${nextEvents(sql`e.owner_id = ${ownerId}`, place, sql`20`)}) AS e ORDER BY e.tx, e.id`.rows();
      heard.push(...found.map(({ subject }) => subject));
      at = found.at(-1) ?? at;
    }
    return heard;
  };
  const others = Promise.all([reader(), reader(), passer()]);
  await Promise.all([0, 0, 1, 1, 2, 5].map(writer));
  reading = false;
  const [one, other] = await others;
  expect([...one].sort()).toEqual([...recorded].sort());
  expect(other).toEqual(one);
  expect(refused).toBeGreaterThan(0);
});
