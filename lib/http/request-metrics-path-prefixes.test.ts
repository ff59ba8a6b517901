import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { knownPathPrefixes } from "./request-instrumentation";

test("lists the first path segment of every page and file", () => {
  const folders = ["app", "app/(owner)", "public"].flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true }).filter((it) => it.isDirectory()),
  );
  const named = folders.map(({ name }) => name).filter((name) => !name.startsWith("("));
  // Next's own paths and POST /receipts/use have no folder in `app`.
  const others = ["_next", ".well-known", "receipts"];
  expect([...knownPathPrefixes].sort()).toEqual([...new Set([...named, ...others])].sort());
});
