import { expect, test } from "vitest";
import { PreparedQuery } from "../prepared-query";
import { setShards } from "./shard-map";
import { forSpqr, queriesForSpqr, selectShard } from "./spqr";

test("names the shard once for each connection", () => {
  expect(selectShard({ name: "two" })).toBe("SET __spqr__execute_on TO 'two'");
});

test("rejects a shard's name that could end a statement", () => {
  expect(() => setShards([{ name: "a'; DROP", homes: [0, 1023] }])).toThrow(/letters/);
});

test.each<[string, ...string[]]>([
  ["SET LOCAL statement_timeout = 30", "SELECT set_config('statement_timeout', '30', true)"],
  ["BEGIN; SET LOCAL statement_timeout = 30", "BEGIN", "SELECT set_config('statement_timeout', '30', true)"],
  ["\n INSERT INTO t VALUES (1)", "WITH written AS (\n INSERT INTO t VALUES (1) RETURNING 1) SELECT * FROM written"],
  [
    "INSERT INTO t VALUES ($1) RETURNING id",
    "WITH written AS (INSERT INTO t VALUES ($1) RETURNING id) SELECT * FROM written",
  ],
  ["INSERT INTO t SELECT 1", "INSERT INTO t SELECT 1"],
  ["BEGIN", "BEGIN"],
  ["SELECT 1", "SELECT 1"],
])("changes %j", (text, ...expected) => expect(forSpqr(text)).toEqual(expected));

test("changes each form of a query", () => {
  const values = [1];
  const text = "INSERT INTO t VALUES ($1) RETURNING id";
  const [changed] = forSpqr(text);
  expect(queriesForSpqr(text)).toEqual([changed]);
  expect(queriesForSpqr({ text, values })).toEqual([{ text: changed, values }]);
  const row = ["text", 1];
  expect(queriesForSpqr(row)).toEqual([row]);
  const prepared = new PreparedQuery("name", text, values);
  expect(queriesForSpqr(prepared)).toEqual([prepared]);
  expect(prepared).toMatchObject({ text: changed, name: "name" });
});
