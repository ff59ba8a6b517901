import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as theirs from "next/dist/lib/constants";
import { expect, test } from "vitest";
import * as ours from "./constants";

const client = join(dirname(fileURLToPath(import.meta.resolve("next/dist/lib/constants.js"))), "../client/components");

test("defines each constant that Next's client reads, with Next's value", () => {
  const files = readdirSync(client, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js"));
  const scripts = files.map((name) => readFileSync(join(client, name), "utf8"));
  const readers = scripts.filter((script) => /require\("(\.\.\/){3,4}lib\/constants"\)/.test(script));
  const names = readers.flatMap((script) => [...script.matchAll(/_constants\.(\w+)/g)].map(([, name]) => name));
  expect(new Set(names)).toEqual(new Set(Object.keys(ours)));
  expect(theirs).toMatchObject(ours);
});
