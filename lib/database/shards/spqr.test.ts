import { expect, test, vi } from "vitest";
import { PreparedQuery } from "../prepared-query";
import { setShards } from "./shard-map";
import { forSpqr, queriesForSpqr, retryOnOtherShard, selectShard, sqlStateFromSpqr } from "./spqr";

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
  ["BEGIN", "BEGIN", "SELECT"],
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

test("sends a statement again if SPQR prepared it on another shard that is away", async () => {
  const away = Object.assign(new Error("away"), { code: "08S01" });
  const send = vi.fn().mockRejectedValueOnce(away).mockRejectedValueOnce(away).mockResolvedValue("sent");
  expect(await retryOnOtherShard(send)).toBe("sent");
  const lost = vi.fn().mockRejectedValue(Object.assign(new Error("lost"), { code: "08006" }));
  await expect(retryOnOtherShard(lost)).rejects.toThrow("lost");
  expect(lost).toHaveBeenCalledTimes(1);
  const never = vi.fn().mockRejectedValue(away);
  await expect(retryOnOtherShard(never)).rejects.toThrow("away");
});

test.each([
  ["SPQRU", 'error describing slice portal: "invalid byte sequence for encoding "UTF8": 0x00"', "22021"],
  ["SPQRD", "shard two: failed to find primary within ", "08006"],
  ["SPQRD", "shard main: failed to find primary within ", "08S01"],
  ["SPQRU", "an unknown problem", undefined],
  ["23505", "duplicate key value", undefined],
])("reads the SQLSTATE of %s %j", (code, message, expected) => {
  expect(sqlStateFromSpqr({ code, message }, "two")).toBe(expected);
});
