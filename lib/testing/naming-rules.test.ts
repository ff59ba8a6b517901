import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Names that several modules still export. This list only gets shorter. */
const repeated = ["Triage"];

/**
 * Files to which these rules do not apply: tests, the client (an independent program), and
 * generated types.
 */
const apart = /\.test\.tsx?$|^lib\/(client|generated|testing)\//;
const sources = ["lib", "components", "app"]
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)))
  .filter((file) => /\.tsx?$/.test(file) && !apart.test(file));

const exported = /^export (?:declare )?(?:type|interface|(?:abstract )?class|enum) (\w+)/gm;

test("exports no two types with the same name", () => {
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

/** Adds a file to a name's list. */
const addTo = (lists: Map<string, string[]>, name: string, file: string) =>
  lists.set(name, [...new Set([...(lists.get(name) ?? []), file])]);

/** A file's name should be a noun. Participles and prepositions mean nothing without a sentence. */
const bannedStems =
  /(?:^|\/)(?:told|asked|said|kept|spent|leaving|waiting|taken|seen|held|hold|together|alone|later|words)\.[^/]*$/;
/** Files that still have such a name. This list only gets shorter. */
const badlyNamed: readonly string[] = [];

test("uses no participles or prepositions in file names", () => {
  const all = ["lib", "components", "app", "bench", "e2e"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  expect(all.filter((file) => /\.(?:tsx?|mjs|cjs)$/.test(file) && bannedStems.test(file)).sort()).toEqual([
    ...badlyNamed,
  ]);
});

/** Functions whose names several modules of lib still export. This list only gets shorter. */
const repeatedFunctions: readonly string[] = [
  "reference",
  "markSeen",
  "ownerNamed",
  "preflight",
  "readSettings",
  "disconnect",
  "list",
  "send",
  "optionalParam",
  "endSession",
];

test("exports no two functions with the same name from lib", () => {
  const modules = new Map<string, string[]>();
  const functions = /^export (?:async )?function\*? (\w+)|^export const (\w+) = (?:async )?(?:<|\()/gm;
  for (const file of sources.filter((it) => it.startsWith("lib/"))) {
    for (const [, declared, assigned] of readFileSync(file, "utf8").matchAll(functions))
      addTo(modules, declared ?? assigned ?? "", file);
  }
  expect(modules.size).toBeGreaterThan(500);
  const several = [...modules].filter(([, files]) => files.length > 1);
  const unexpected = several.filter(([name]) => !repeatedFunctions.includes(name));
  expect(unexpected.map(([name, files]) => `${name}: ${files.join(", ")}`)).toEqual([]);
  const settled = repeatedFunctions.filter((name) => !several.some(([it]) => it === name));
  expect(settled, "take them off the list").toEqual([]);
});

/** Local types that more than three files still declare. This list only gets shorter. */
const repeatedLocals: readonly string[] = [
  // Every page of Next.js has these exports.
  "Props",
];

test("declares each local type name in at most three files", () => {
  const files = new Map<string, string[]>();
  for (const file of sources) {
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/^(?:type|interface) (\w+)/gm))
      addTo(files, name, file);
  }
  const many = [...files].filter(([, those]) => those.length > 3);
  const unexpected = many.filter(([name]) => !repeatedLocals.includes(name));
  expect(unexpected.map(([name, those]) => `${name}: ${those.join(", ")}`)).toEqual([]);
  const settled = repeatedLocals.filter((name) => !many.some(([it]) => it === name));
  expect(settled, "take them off the list").toEqual([]);
});

/**
 * Participles and adjectives do not say what a type is. For example, write `ApprovalRow`, not
 * `Found`.
 */
const vagueTypes =
  /^ *(?:export )?(?:type|interface|(?:abstract )?class) (Asked|Asking|Done|Found|Given|Held|Kept|Known|Made|Place|Said|Seen|Shown|Taken|Told|Waiting|Wires)\b/gm;
/**
 * Names of limits start with `max`. Names of timeouts end with `TimeoutMs`. Delays are called
 * `debounceMs`, `retryMs` or `backoffMs`.
 */
const vagueLimits =
  /\b(?:(?:most|longest)[A-Z]\w*|[a-z]\w*Patience|patience\w*|(?:again|every|gather|soon)Ms)\b|\b(?:const|let) (?:most|longest)\b|\b(?:most|longest)\??: (?:number|Sql|Record)\b/g;
/** Files that still have such names, each with the name. This list only gets shorter. */
const vaguelyNamed: readonly string[] = [];

/** Returns the text without comments, because comments may quote anything. */
const code = (file: string) => readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\/|^ *\/\/.*$/gm, "");

test("names types and limits with standard terms", () => {
  const found = sources.flatMap((file) => [
    ...[...code(file).matchAll(vagueTypes)].map(([, name]) => `${file}: ${name}`),
    ...[...code(file).matchAll(vagueLimits)].map(([name]) => `${file}: ${name}`),
  ]);
  expect([...new Set(found)].sort()).toEqual([...vaguelyNamed].sort());
});
