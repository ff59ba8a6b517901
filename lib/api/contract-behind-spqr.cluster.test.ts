import { afterAll, expect, test } from "vitest";
import { type ShardsBehindSpqr, shardsBehindSpqr } from "@/lib/testing/cluster/shards-behind-spqr";
import { findSpqr, noSpqr } from "@/lib/testing/cluster/spqr-router";

/*
 * Runs the tests of every API operation through SPQR's router, with owners on two shards. The router
 * has the configuration of docs/operations.
 */

const program = findSpqr();
let behind: ShardsBehindSpqr | undefined;
if (program) {
  behind = await shardsBehindSpqr(program);
  await import("./contract.db.test");
}
afterAll(() => behind?.end());

test("has owners on both shards", async ({ skip }) => {
  skip(!behind, noSpqr);
  for (const count of await behind!.countOwners()) expect(count).toBeGreaterThan(10);
});
