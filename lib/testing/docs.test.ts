import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { operations } from "@/lib/api/operation-registry";
import { commandSpecs } from "@/lib/cli/command-specs/command-list";
import { reference } from "@/lib/cli/command-specs/command-reference";
import { settingNames } from "@/lib/config/env";

const folders = ["docs", "docs/frameworks", "docs/operations", "docs/decisions", "docs/contributing"];
const contributors = ["CONTRIBUTING.md", "ARCHITECTURE.md", "WRITING.md"];
const pages = [
  "README.md",
  ...contributors,
  "SECURITY.md",
  "CHANGELOG.md",
  "RELEASING.md",
  ...folders.flatMap(inFolder),
]
  .filter((path) => path.endsWith(".md"))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));
function inFolder(folder: string) {
  return readdirSync(folder).map((name) => join(folder, name));
}
const textOf = (path: string) => pages.find((page) => page.path === path)?.text ?? "";
const proseOf = (text: string) => text.replace(/^ *```[\s\S]*?^ *```$/gm, "");

/** Returns the anchors that GitHub generates for a page's headings. */
const anchors = (text: string) =>
  [...proseOf(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );

test("links only to existing files and headings", () => {
  const dead = pages.flatMap(({ path, text }) =>
    [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [file, anchor] = target.split("#") as [string, string | undefined];
        const to = file ? normalize(join(dirname(path), file)) : path;
        return !existsSync(to) || (anchor !== undefined && !anchors(textOf(to)).includes(anchor));
      })
      .map((target) => `${path} → ${target}`),
  );
  expect(dead).toEqual([]);
});

test("links to every documentation page from the README and the overviews", () => {
  const [readme, operations] = [textOf("README.md"), textOf("docs/operations.md")];
  const gate = textOf("docs/frameworks/gate.md");
  const [contributing, decisions] = [textOf("CONTRIBUTING.md"), textOf("docs/decisions/README.md")];
  const led = (path: string) =>
    contributing.includes(`](${path})`) ||
    decisions.includes(`](${path.replace("docs/decisions/", "")})`) ||
    (path.startsWith("docs/operations/")
      ? operations.includes(`](${path.slice("docs/".length)})`)
      : readme.includes(`](${path})`) || gate.includes(`](${path.slice("docs/frameworks/".length)})`));
  expect(pages.map(({ path }) => path).filter((path) => path !== "README.md" && !led(path))).toEqual([]);
});

test("lists each example's dependencies in its page's install command", () => {
  for (const { path, text } of pages.filter(({ path }) => path.startsWith("docs/frameworks/"))) {
    for (const [, example = ""] of text.matchAll(/\]\(\.\.\/\.\.\/examples\/([\w-]+)\/(?:main|hook)\.\w+\)/g)) {
      const read = (name: string) => readFileSync(join("examples", example, name), "utf8");
      if (!example.startsWith("python-")) {
        const { countersign: _, ...others } = JSON.parse(read("package.json")).dependencies as Record<string, string>;
        for (const [name, version] of Object.entries(others))
          expect(text, path).toMatch(new RegExp(`npm install .*[ ]${name}(@${version.split(".")[0]})?( .*)?$`, "m"));
        continue;
      }
      const [ours = "", ...others] = read("requirements.txt").trim().split("\n");
      expect(text, path).toContain(`pip install "${ours.split("~")[0]} @ `);
      for (const other of others) expect(text, path).toContain(` "${other}"`);
    }
  }
});

test("documents only existing commands", () => {
  const names = new Set(commandSpecs.keys());
  const named = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/countersign -- ([a-z]+(?: [a-z]+)?)|entrypoint ([a-z]+)/g)].map(([, one, other]) => ({
      path,
      name: one ?? other ?? "",
    })),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ name }) => !names.has(name) && !names.has(name.split(" ")[0] ?? ""))).toEqual([]);
});

test("keeps the commands page identical to the help text (to update: npm run derive)", () => {
  expect(textOf("docs/commands.md")).toBe(reference());
});

test("mentions only existing files on the contributors' pages", () => {
  const own = pages.filter(
    ({ path }) => contributors.includes(path) || /^docs\/(?:decisions|contributing)\//.test(path),
  );
  const named = own.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:lib|app|components|e2e|bench|prisma|clients|\.ci)\/[\w./()[\]-]+)`/g)].map(
      ([, file = ""]) => ({ path, file }),
    ),
  );
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter(({ file }) => !file.includes("…") && !existsSync(file))).toEqual([]);
});

test("limits the length of the contributors' pages", () => {
  const wordsOf = (path: string) => textOf(path).split(/\s+/).filter(Boolean).length;
  for (const path of ["CONTRIBUTING.md", "ARCHITECTURE.md"])
    expect([path, wordsOf(path) <= 1400]).toEqual([path, true]);
  expect(wordsOf("docs/contributing/recipes.md")).toBeLessThanOrEqual(1100);
  const long = pages.filter(({ path }) => path.startsWith("docs/decisions/") && wordsOf(path) > 250);
  expect(long.map(({ path }) => path)).toEqual([]);
});

test("lists exactly the known settings on the configuration page", () => {
  const configuration = textOf("docs/configuration.md") + textOf("docs/integrations.md");
  const named = new Set(
    [...configuration.matchAll(/`([A-Z]+(?:_[A-Z]+)+|PORT|HOST|SECRET|SHARDS|SIGNUPS|MIGRATE)`/g)].map(([, it]) => it),
  );
  expect([...named].sort()).toEqual([...settingNames].sort());
});

test("documents only API paths of operations", () => {
  const paths = new Set(operations.map(({ method, path }) => `${method} ${path}`));
  const named = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/`(GET|POST) (\/api\/[\w/{}]+)/g)].map(([, method, address]) => ({
      path,
      op: `${method} ${address}`,
    })),
  );
  expect(named.length).toBeGreaterThan(1);
  expect(named.filter(({ op }) => !paths.has(op))).toEqual([]);
});

test("names the same license in package.json and the LICENSE file", () => {
  const { license } = JSON.parse(readFileSync("package.json", "utf8")) as { license: string };
  expect(readFileSync("LICENSE", "utf8")).toMatch(new RegExp(`^${license} License\n`));
});
