import { afterEach, expect, test } from "vitest";
import { PreparedQuery } from "../prepared-query";
import { routerComment, withComment } from "./router-comment";
import { setShards, shards } from "./shard-map";

afterEach(() => setShards());

test("names the shard for SPQR, and adds nothing without a router", () => {
  expect(routerComment({ name: "sh2", router: "spqr" })).toBe("/* __spqr__execute_on: sh2 */ ");
  expect(shards().map(routerComment)).toEqual([""]);
});

test("adds a comment to each form of a query", () => {
  const values = [1];
  const row = ["text", 1];
  expect(withComment("/* c */ ", "SELECT 1")).toBe("/* c */ SELECT 1");
  expect(withComment("/* c */ ", { text: "SELECT $1", values })).toEqual({ text: "/* c */ SELECT $1", values });
  expect(withComment("/* c */ ", row)).toBe(row);
  const prepared = new PreparedQuery("name", "SELECT $1", values);
  expect(withComment("/* c */ ", prepared)).toBe(prepared);
  expect(prepared).toMatchObject({ text: "/* c */ SELECT $1", name: "name" });
});

test("rejects a shard's name that could end the comment", () => {
  expect(() => setShards([{ name: "a */ DROP", homes: [0, 1023], router: "spqr" }])).toThrow(/letters/);
});
