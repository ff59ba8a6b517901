import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { knownPathPrefixes } from "./request-metrics";

test("the first parts of addresses are those of the pages and files that there are", () => {
  const folders = ["app", "app/(owner)", "public"].flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true }).filter((it) => it.isDirectory()),
  );
  const named = folders.map(({ name }) => name).filter((name) => !name.startsWith("("));
  // Next's own files, which no folder holds.
  expect([...knownPathPrefixes].sort()).toEqual([...new Set([...named, "_next", ".well-known"])].sort());
});
