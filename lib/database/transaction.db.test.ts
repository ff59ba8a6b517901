import type pg from "pg";
import { expect, test } from "vitest";
import { databaseTimeouts } from "./database-timeouts";
import { inTransaction, pool } from "./db";
import { sql } from "./sql";

const processOf = async (client: pg.ClientBase) =>
  (await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]?.pid;
const add = (key: string) => sql`INSERT INTO throttle (key, failures, expires_at) VALUES (${key}, 1, now())`;
const kept = async (key: string) => (await pool().query("SELECT FROM throttle WHERE key = $1", [key])).rowCount === 1;

test("commits a successful transaction and rolls back a failed transaction", async () => {
  const pids = [];
  pids.push(
    await inTransaction(async (client) => {
      await add("kept").run(client);
      return processOf(client);
    }),
  );
  const failing = inTransaction(async (client) => {
    pids.push(await processOf(client));
    await add("undone").run(client);
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  pids.push(await inTransaction(processOf));
  expect([await kept("kept"), await kept("undone")]).toEqual([true, false]);
  expect(new Set(pids).size).toBe(1);
});

test("leaves no open transaction after a failed statement", async () => {
  await expect(inTransaction((client) => client.query("SELECT 1 / 0"))).rejects.toThrow("division by zero");
  const open = async () =>
    (
      await pool().query(
        "SELECT count(*)::int AS open FROM pg_stat_activity WHERE state LIKE 'idle in transaction%' AND datname LIKE current_database() || '%'",
      )
    ).rows;
  // Polls, because statements of earlier tests may still be ending. A forgotten transaction would
  // never end.
  await expect.poll(open).toEqual([{ open: 0 }]);
});

test("survives a connection that ends after checkout", async () => {
  const client = await pool().connect();
  const ended = new Promise((resolve) => client.once("end", resolve));
  await pool().query("SELECT pg_terminate_backend($1)", [await processOf(client)]);
  await ended;
  await expect(client.query("SELECT 1")).rejects.toThrow();
  client.release(true);
});

test("discards a connection that breaks between two statements", async () => {
  let broken: number | undefined;
  const breaking = inTransaction(async (client) => {
    broken = await processOf(client);
    await add("lost").run(client);
    await pool().query("SELECT pg_terminate_backend($1)", [broken]);
    return add("after").run(client);
  });
  await expect(breaking).rejects.toThrow(/connection/);
  expect(await inTransaction(processOf)).not.toBe(broken);
  expect([await kept("lost"), await kept("after")]).toEqual([false, false]);
});

test("runs the given BEGIN statement at the start of a transaction", async () => {
  const read = async (client: pg.ClientBase) => (await client.query("SHOW statement_timeout")).rows;
  expect(await inTransaction(read, "BEGIN; SET LOCAL statement_timeout = 30000")).toEqual([
    { statement_timeout: "30s" },
  ]);
  expect(await inTransaction(read)).toEqual([{ statement_timeout: `${databaseTimeouts().statement / 1000}s` }]);
});
