import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { pool } from "@/lib/database/db";
import { settled } from "@/lib/testing/await-event-horizon";
import { anOwner } from "@/lib/testing/factories";
import { inDatabase } from "@/lib/testing/temporary-postgres";
import { findBlockingTransaction, logBlockingTransaction } from "./blocking-transaction";
import { change } from "./change-transaction";
import { record } from "./record-events";

const opened: pg.Client[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(opened.splice(0).map((client) => client.end()));
});

/** Opens a write transaction that does not end, in another database on the same server. */
async function aForgottenTransaction() {
  const connectionString = inDatabase(process.env.DATABASE_URL as string, "postgres");
  const client = new pg.Client({ connectionString, application_name: "nightly report" });
  await client.connect();
  opened.push(client);
  await client.query("BEGIN");
  const { rows } = await client.query("SELECT pg_backend_pid() AS pid, pg_current_xact_id(), 'their secret'");
  // Waits until earlier transactions from other test files have ended.
  await expect.poll(async () => (await findBlockingTransaction())?.pid).toBe(rows[0].pid);
  return { pid: rows[0].pid as number, end: () => client.query("ROLLBACK") };
}

async function somethingHappens() {
  const { ownerId } = await anOwner();
  await change(null, (tx) => record(tx, { ownerId, type: "grant.changed", subject: ownerId }));
}

test("logs a blocking transaction at most once a minute", async () => {
  await settled();
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const lines = () => said.mock.calls.map(([line]) => JSON.parse(String(line)));
  const forgotten = await aForgottenTransaction();
  await logBlockingTransaction(0);
  expect(lines()).toEqual([]);
  await somethingHappens();
  await logBlockingTransaction(3600);
  expect(lines()).toEqual([]);
  await logBlockingTransaction(0);
  const named = {
    ...{ level: "warn", message: "an open transaction delays events, streams and webhooks", pid: forgotten.pid },
    ...{ prepared: null, database: "postgres", application: "nightly report", state: "idle in transaction" },
    ...{ user: new URL(process.env.DATABASE_URL as string).username, events: expect.any(Number) },
  };
  expect(lines()).toEqual([expect.objectContaining(named)]);
  expect(lines()[0].events).toBeGreaterThan(0);
  expect(lines()[0].seconds).toBeGreaterThan(0);
  expect(JSON.stringify(lines())).not.toContain("secret");

  await logBlockingTransaction(0);
  expect(lines()).toHaveLength(1);
  const minutes = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 61_000);
  await logBlockingTransaction(0);
  expect(lines()).toEqual([expect.objectContaining(named), expect.objectContaining(named)]);
  minutes.mockRestore();

  await forgotten.end();
  await settled();
  await logBlockingTransaction(3600);
  await logBlockingTransaction(3600);
  expect(lines().slice(2)).toEqual([
    expect.objectContaining({ level: "info", message: "events, streams and webhooks are no longer delayed" }),
  ]);
});

test("finds a blocking transaction even without special database privileges", async () => {
  const { pid } = await aForgottenTransaction();
  await somethingHappens();
  const role = `role_${randomUUID().replaceAll("-", "")}`;
  const client = await pool().connect();
  try {
    await client.query("BEGIN");
    await client.query(
      `CREATE ROLE ${role}; GRANT SELECT ON event, skipped_transaction TO ${role}; SET LOCAL ROLE ${role}`,
    );
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 90_000);
    const holder = await findBlockingTransaction(client);
    expect(holder).toMatchObject({ pid, database: "postgres", application: "nightly report", state: null });
    expect(holder?.events).toBeGreaterThan(0);
    expect(holder?.seconds).toBeGreaterThan(80);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
});
