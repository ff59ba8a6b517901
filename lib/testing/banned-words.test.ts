import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/*
 * Rejects phrases that make a text read like a translation, in screens, messages, documentation and
 * the published clients. WRITING.md lists better words.
 */

const refused: readonly [RegExp, string][] = [
  [/\banew\b/i, "again"],
  [/\bat once\b/i, "immediately, or concurrently"],
  [/\bmay do\b/i, "can do"],
  [/\bwhoever\b/i, "anyone who"],
  [/\bunless told\b/i, "by default"],
  [/\bso many\b/i, "a number, or too many"],
  [/\btold of\b/i, "notified about"],
  [/\bhears? of\b/i, "receives, or learns about"],
  [/\bis the matter\b/i, "is wrong"],
  [/\bby (?:itself|themselves)\b/i, "automatically"],
  [/\bfor good\b(?! (?:measure|reason|cause))/i, "permanently"],
  [/\bany more\b(?! than)/i, "no longer"],
  [/\bit stands in\b/i, "it is in"],
  [/\be-mail/i, "email"],
];

/** How many rejected phrases each folder may still contain. These numbers may only decrease. */
const allowed: Record<string, number> = {};

const filesIn = (folder: string, kind: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => kind.test(file));
const code = ["app", "components", "lib"]
  .flatMap((folder) => filesIn(folder, /\.(?:tsx?|mjs)$/))
  .filter((file) => !/\.test\.|^lib\/(?:testing|generated)\//.test(file));
const prose = [
  ...["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", "RELEASING.md"],
  // Licenses keep their authors' text.
  ...filesIn("docs", /\.md$/).filter((file) => file !== "docs/licenses.md"),
];

/** The published clients, whose comments are documentation too. */
const clients = [
  ...filesIn("lib/client", /\.ts$/),
  ...filesIn("clients/go", /\.(?:go|md)$/),
  ...filesIn("clients/python", /\.(?:py|md)$/),
  ...filesIn("clients/typescript", /\.md$/),
];

/** Returns the text without comments, with the same line numbers. */
const withoutComments = (text: string) =>
  text
    .replace(/(?<![\w"'`*/])\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ""))
    .replace(/(^|[\s;{}(,])\/\/.*$/gm, "$1");

/** Returns each rejected phrase, as `file:line: phrase (write …)`. */
const findIn = (file: string, text: string) =>
  text.split("\n").flatMap((line, index) =>
    refused.flatMap(([pattern, better]) =>
      // The words in a URL are not ours.
      [pattern.exec(line.replaceAll(/https?:\/\/\S+/g, ""))].flatMap((found) =>
        found ? [`${file}:${index + 1}: "${found[0]}" (write: ${better})`] : [],
      ),
    ),
  );

/** Returns the places that exceed the number allowed for their folder. */
function beyond(places: readonly string[]): readonly string[] {
  const folderOf = (place: string) => /^(?:lib\/)?[^/:]+/.exec(place)?.[0] ?? "";
  const countIn = (folder: string) => places.filter((place) => folderOf(place) === folder).length;
  return places.filter((place) => countIn(folderOf(place)) > (allowed[folderOf(place)] ?? 0));
}

test("detects rejected phrases in texts but not in comments", () => {
  const text = 'const a = "written anew"; // anew\n/* whoever\n */ const b = "https://a.example/anew whoever";';
  expect(findIn("a.ts", withoutComments(text)).map((place) => place.split(" (")[0])).toEqual([
    'a.ts:1: "anew"',
    'a.ts:3: "whoever"',
  ]);
});

test("uses no rejected words on screens and in messages", () => {
  expect(code.length).toBeGreaterThan(700);
  const places = code.flatMap((file) => findIn(file, withoutComments(readFileSync(file, "utf8"))));
  expect(beyond(places)).toEqual([]);
});

test("uses no banned words in the clients and their comments", () => {
  expect(clients.length).toBeGreaterThan(100);
  expect(beyond(clients.flatMap((file) => findIn(file, readFileSync(file, "utf8"))))).toEqual([]);
});

test("uses no banned words in the documentation", () => {
  expect(beyond(prose.flatMap((file) => findIn(file, readFileSync(file, "utf8"))))).toEqual([]);
});
