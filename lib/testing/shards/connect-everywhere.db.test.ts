import { expect, test } from "vitest";
import { pool } from "@/lib/database/db";
import { anOwner } from "../factories";

test("sends a test's statement to all databases, also from a function that Vitest polls", async () => {
  for (let nth = 0; nth < 4; nth++) await anOwner();
  const text = "SELECT count(*)::int AS count FROM owner";
  expect((await pool().query(text)).rows).toEqual([{ count: 4 }]);
  const polled: unknown[] = [];
  await expect.poll(async () => polled.push(...(await pool().query(text)).rows)).toBe(1);
  expect(polled).toEqual([{ count: 4 }]);
});
