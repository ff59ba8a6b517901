import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Names that still stand in several modules. This list only gets shorter. */
const repeated = ["Triage"];

/** The client is a program of its own, and the types of its wire are generated. */
const apart = /\.test\.tsx?$|^lib\/(client|generated|testing)\//;
const sources = ["lib", "components", "app"]
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)))
  .filter((file) => /\.tsx?$/.test(file) && !apart.test(file));

const exported = /^export (?:declare )?(?:type|interface|(?:abstract )?class|enum) (\w+)/gm;

test("a name that a module exports for a type is found in that module alone", () => {
  const modules = new Map<string, string[]>();
  for (const file of sources) {
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(exported)) {
      modules.set(name, [...(modules.get(name) ?? []), file]);
    }
  }
  expect(modules.size).toBeGreaterThan(300);
  const several = [...modules].filter(([, files]) => files.length > 1);
  const unexpected = several.filter(([name]) => !repeated.includes(name));
  expect(unexpected.map(([name, files]) => `${name}: ${files.join(", ")}`)).toEqual([]);
  const settled = repeated.filter((name) => !several.some(([it]) => it === name));
  expect(settled, "take them off the list").toEqual([]);
});
