import pg from "pg";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { db, disconnect, inTransaction } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { configure } from "@/lib/testing/change-settings";
import { inService } from "./marks";

/** The statements that PostgreSQL received. PostgreSQL itself does not know SPQR's settings. */
const sent: unknown[] = [];
const original = pg.Client.prototype.query;

beforeEach(async () => {
  await disconnect();
  sent.length = 0;
  configure({
    SHARD_ROUTER: "spqr",
    SHARDS: `two=${process.env.DATABASE_URL}`,
    DATABASE_DIRECT_URL: "postgresql://nobody@127.0.0.1:1/main",
  });
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const text = typeof args[0] === "string" ? args[0] : (args[0] as { text: string }).text;
    sent.push(text);
    if (text.includes("__spqr__")) args[0] = "SELECT";
    return Reflect.apply(original, this, args);
  });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await disconnect();
  configure({ SHARD_ROUTER: undefined, SHARDS: undefined, DATABASE_DIRECT_URL: undefined });
});

test("names the shard first on each connection, even before the placement is known", async () => {
  await inService(() => sql`SELECT 1 FROM app`.row());
  await inService(() => db.app.count());
  expect(sent[0]).toBe("SET __spqr__execute_on TO 'main'");
  expect(sent.filter((text) => String(text).includes("__spqr__"))).toHaveLength(1);
});

test("inserts rows and returns their columns and number", async () => {
  const key = "one-row-behind-spqr";
  const insert = sql`INSERT INTO throttle (key, failures, expires_at) VALUES (${key}, 1, now())`;
  expect(await inService(() => insert.run())).toBe(1);
  const created = await inService(() =>
    db.throttle.create({ data: { key: `${key}-2`, failures: 3, expiresAt: new Date(0) } }),
  );
  expect(created).toMatchObject({ key: `${key}-2`, failures: 3 });
  expect(await inService(() => db.throttle.deleteMany({ where: { key: { startsWith: key } } }))).toEqual({ count: 2 });
  const inserts = sent.filter((text) => /\bINSERT\b/.test(String(text)));
  expect(inserts).toHaveLength(2);
  for (const text of inserts) expect(text).toMatch(/^WITH written AS \(/);
});

test("limits the time of a transaction's statements", async () => {
  const timeout = sql<{ timeout: string }>`SELECT current_setting('statement_timeout') AS timeout`;
  const begin = "BEGIN; SET LOCAL statement_timeout = 30000";
  const found = await inService(() => inTransaction((client) => timeout.row(client), begin));
  expect(found?.timeout).toBe("30s");
});
