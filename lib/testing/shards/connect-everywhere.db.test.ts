import { expect, test } from "vitest";
import { pool } from "@/lib/database/db";
import { hasSeveralShards } from "@/lib/database/shards/shard-map";
import { anOwner } from "../factories";
import { anOwnerWithHome } from "../two-shards";

test("sends a test's statement to all databases, also from a function that Vitest polls", async () => {
  for (let nth = 0; nth < 4; nth++) await anOwner();
  const text = "SELECT count(*)::int AS count FROM owner";
  expect((await pool().query(text)).rows).toEqual([{ count: 4 }]);
  const polled: unknown[] = [];
  await expect.poll(async () => polled.push(...(await pool().query(text)).rows)).toBe(1);
  expect(polled).toEqual([{ count: 4 }]);
});

test.runIf(hasSeveralShards())(
  "rejects a test's statement with a LIMIT that selects rows of several shards",
  async () => {
    const owner = await anOwnerWithHome(0);
    await anOwnerWithHome(1023);
    const ofOwner = await pool().query("SELECT id FROM owner WHERE id = $1 LIMIT 1", [owner.ownerId]);
    expect(ofOwner.rows).toEqual([{ id: owner.ownerId }]);
    await expect(pool().query("SELECT id FROM owner ORDER BY id LIMIT 1")).rejects.toThrow(
      "Several shards return rows",
    );
  },
);
