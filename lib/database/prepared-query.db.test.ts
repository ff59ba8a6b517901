import type { PoolClient } from "pg";
import { expect, test } from "vitest";
import { inTransaction, pool } from "./db";
import { sql } from "./sql";

/** Runs `work` on a connection, and counts the descriptions of columns that arrive meanwhile. */
const countingDescriptions = (work: (client: PoolClient, count: () => number) => Promise<void>) =>
  inTransaction(async (client) => {
    let descriptions = 0;
    const count = () => descriptions++;
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
    connection.on("rowDescription", count);
    await work(client, () => descriptions).finally(() => connection.off("rowDescription", count));
  });

test("asks for the columns of a statement once per connection", async () => {
  const at = new Date("2026-11-27T12:00:00Z");
  const read = (n: number) => sql`SELECT ${n}::int AS n, ${at}::timestamptz AS at, NULL AS none, ${"é"}::text AS "é"`;
  for (const _ of [1, 2])
    await countingDescriptions(async (client, count) => {
      const before = count();
      for (const n of [1, 2, 3]) expect(await read(n).rows(client)).toEqual([{ n, at, none: null, é: "é" }]);
      expect(count() - before).toBeLessThanOrEqual(1);
    });
  const rows = await Promise.all([4, 5, 6].map((n) => read(n).row()));
  expect(rows).toEqual([4, 5, 6].map((n) => ({ n, at, none: null, é: "é" })));
});

test("returns no row, many rows or only a count as before", async () => {
  const many = (count: number) => sql`SELECT n FROM generate_series(1, ${count}::int) n`;
  const touch = (key: string) => sql`UPDATE throttle SET failures = failures WHERE key = ${key}`;
  await countingDescriptions(async (client) => {
    for (const count of [2, 0, 3, 0]) expect(await many(count).rows(client)).toHaveLength(count);
    for (const key of ["none", "none"]) {
      expect(await touch(key).rows(client)).toEqual([]);
      expect(await touch(key).run(client)).toBe(0);
    }
  });
});

test("keeps the connection usable after an error", async () => {
  const client = await pool().connect();
  try {
    const divide = (by: number) => sql`SELECT ${6}::int / ${by}::int AS result`;
    for (const _ of [1, 2]) {
      expect(await divide(2).row(client)).toEqual({ result: 3 });
      await expect(divide(0).row(client)).rejects.toMatchObject({ code: "22012" });
      await expect(divide("x" as never).row(client)).rejects.toMatchObject({ code: "22P02" });
    }
    const error = await divide(0)
      .row(client)
      .catch((it) => it);
    expect(error.stack).toContain("sql.ts");
  } finally {
    client.release();
  }
});

test("rejects a statement whose columns changed instead of misreading them", async () => {
  const client = await pool().connect();
  try {
    await client.query("CREATE TEMP TABLE changing (a int)");
    const read = (n: number) => sql`SELECT * FROM changing WHERE ${n}::int > 0`;
    await client.query("INSERT INTO changing VALUES (1)");
    for (const n of [1, 2]) expect(await read(n).rows(client)).toEqual([{ a: 1 }]);
    await client.query("ALTER TABLE changing ADD b text DEFAULT 'b'");
    await expect(read(3).rows(client)).rejects.toMatchObject({ code: "0A000" });
  } finally {
    client.release(true);
  }
});
