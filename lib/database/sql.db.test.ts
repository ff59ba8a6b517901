import { expect, test } from "vitest";
import { db, pool } from "./db";
import { and, sql } from "./sql";

const key = () => `sql ${crypto.randomUUID()}`;
const add = (it: string) => sql`INSERT INTO throttle (key, failures, expires_at) VALUES (${it}, ${1}, now())`;
const read = (it: string) => sql`SELECT failures, key FROM throttle WHERE key = ${it}`;

test("returns all rows, the first row or the row count", async () => {
  const it = key();
  expect(await add(it).run()).toBe(1);
  expect(await read(it).rows()).toEqual([{ failures: 1, key: it }]);
  expect(await read(it).row()).toEqual({ failures: 1, key: it });
  expect(await read(key()).row()).toBeUndefined();
});

test("runs statements in a Prisma transaction and in a connection's transaction", async () => {
  const it = key();
  const told = db.$transaction(async (tx) => {
    expect(await add(it).run(tx)).toBe(1);
    expect(await read(it).row(tx)).toEqual({ failures: 1, key: it });
    throw new Error("no");
  });
  await expect(told).rejects.toThrow("no");
  const client = await pool().connect();
  await client.query("BEGIN");
  expect(await add(it).run(client)).toBe(1);
  expect(await read(it).row(client)).toEqual({ failures: 1, key: it });
  await client.query("ROLLBACK");
  client.release();
  expect(await read(it).rows()).toEqual([]);
  expect(await read(it).rows(db)).toEqual([]);
});

test("passes SQL values of every type unchanged", async () => {
  const at = new Date("2026-11-22T17:00:00.123Z");
  const values = sql`SELECT ${"it's $1"}::text AS text, ${7}::int AS int, ${1.5}::float8 AS float, ${true}::boolean AS yes,
    ${null}::text AS none, ${["a", null]}::text[] AS list, ${[]}::text[] AS nothing, ${at}::timestamptz AS at,
    encode(${Buffer.from("bytes")}::bytea, 'escape') AS bytes, (${2n ** 60n}::bigint)::text AS large`;
  const expected = {
    text: "it's $1",
    int: 7,
    float: 1.5,
    yes: true,
    none: null,
    list: ["a", null],
    nothing: [],
    at,
    bytes: "bytes",
    large: String(2n ** 60n),
  };
  expect(await values.row()).toEqual(expected);
  expect(await db.$transaction((tx) => values.row(tx))).toEqual(expected);
});

test("prepares statements of Prisma's transactions, except those with many variants", async () => {
  const prepared = await db.$transaction(async (tx) => {
    await sql`SELECT ${1}::int AS shared`.row(tx);
    await sql`SELECT ${1}::int AS various WHERE ${and([sql`true`])}`.row(tx);
    const statements = "SELECT statement FROM pg_prepared_statements";
    return tx.$queryRawUnsafe<{ statement: string }[]>(`${statements} WHERE statement ~ 'AS (shared|various)'`);
  });
  expect(prepared).toEqual([{ statement: "SELECT $1::int AS shared" }]);
});

test("prepares a statement only once per connection", async () => {
  const client = await pool().connect();
  try {
    const ask = (id: number, some: boolean) =>
      sql`SELECT ${id}::int WHERE ${some ? and([sql`${id} > 0`]) : sql`${id} > 0`}`;
    for (const id of [1, 2, 3]) for (const some of [true, false]) await ask(id, some).rows(client);
    const { rows: prepared } = await client.query(
      "SELECT FROM pg_prepared_statements WHERE statement LIKE '%::int WHERE %'",
    );
    expect(prepared).toHaveLength(1);
  } finally {
    client.release();
  }
});
