import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { syncClientFile, syncClientText } from "./python-sync-client";

test("derives the blocking Python client (to update: npm run derive)", () => {
  expect(readFileSync(syncClientFile, "utf8")).toBe(syncClientText());
});

test("finds no asynchronous code in the blocking Python client", () => {
  const [, ...lines] = syncClientText().split("\n");
  expect(lines.filter((line) => /async|await|aenter|aexit|aclose/i.test(line))).toEqual([]);
});
