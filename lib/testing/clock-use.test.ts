import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/**
 * Files to which the rule does not apply: tests, the client and the lens (programs of their own),
 * and code that runs in a browser.
 */
const apart = /\.test\.tsx?$|^lib\/(client|generated|testing|lens\/page)\/|^lib\/clock\.ts$/;
const sources = ["lib", "app"]
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)))
  .filter((file) => /\.tsx?$/.test(file) && !apart.test(file));
const ownAccess =
  /(?<![\w.`])(?:Date\.now\(|new Date\(\)|performance\.now\(|(?:setTimeout|setInterval)\(|Math\.random\()|"node:timers/;

test("reads time, timers and chance only through lib/clock.ts", () => {
  expect(sources.length).toBeGreaterThan(500);
  const found = sources.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    if (text.startsWith('"use client"')) return [];
    return text.split("\n").flatMap((line, index) => (ownAccess.test(line) ? [`${file}:${index + 1}`] : []));
  });
  expect(found).toEqual([]);
});
