import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { pythonName } from "./python-wheel";

/*
 * On PyPI, another project owns the name `countersign`. Our package has another name there, and only
 * its import name is `countersign`. Anyone who installs `countersign` from PyPI runs a stranger's
 * code, so no file may suggest the name, and none may require it.
 */

/**
 * Matches the other project's name, but no path, URL or longer name, like `countersign-client`, and
 * no import of our package.
 */
const foreign = String.raw`(?<![\w./:@-]|(?:import|from|npm \w+) )countersign(?![\w/:-]|\.\w)`;
const installers = String.raw`(?:pip[x3]?|uv|poetry|pdm|conda|mamba)\s(?:pip\s)?(?:tool\s)?`;
const installer = String.raw`\b(?:${installers}(?:install|add|download|inject|run)|uvx|--with)\b`;

/** The ways to name a package on PyPI, in any text. */
const everywhere = [
  // Up to the line's end, and also on the next line if the text wraps.
  new RegExp(String.raw`${installer}(?:[^\n]*|\s+)${foreign}(?!\()`),
  // Extras, like countersign[receipts], also in the source of a pattern.
  /(?<![\w./-])countersign\\?\[[a-z][a-z, -]*\\?\]/,
  /(?<![\w./-])countersign ?(?:[=~!]=|[<>]=?) ?\d/,
  /(?<![\w./-])countersign @ (?:https?|file):/,
  /pypi\.org\/(?:project|simple|pypi)\/countersign(?![\w-])|pkg:pypi\/countersign(?![\w-])/,
  /^(?:Name|Requires-Dist): countersign(?![\w-])/m,
  // The dependencies of a script (PEP 723).
  /^# +"countersign(?![\w-])|^# dependencies = .*"countersign(?![\w-])/m,
];
const inFile: readonly (readonly [files: RegExp, pattern: RegExp])[] = [
  [/^(?:requirements|constraints)[\w-]*\.(?:txt|in)$/, /^\s*countersign(?![\w-])/m],
  [/^(?:pyproject\.toml|Pipfile|setup\.(?:py|cfg)|uv\.lock)$/, /^countersign(?![\w-])|["']countersign(?![\w-])/m],
  [/^environment\.ya?ml$/, /^\s*- countersign(?![\w-])/m],
];

/** Returns the places at which a file names the other project's package. */
function placesOf(file: string, text: string): string[] {
  const joined = text.replaceAll(/\\\n\s*/g, " ");
  const named = inFile.flatMap(([files, pattern]) => (files.test(basename(file)) ? [pattern] : []));
  return [...everywhere, ...named].flatMap((pattern) =>
    [...joined.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(([found]) => `${file}: ${found.trim()}`),
  );
}

const found = (text: string, file = "a.md") => placesOf(file, text).length > 0;

test("recognizes the other project's package on PyPI", () => {
  const commands = [
    "pip install countersign",
    "pip3 install -U countersign",
    "python3 -m pip install \\\n  countersign",
  ];
  const tools = [
    "uv add countersign",
    "uv pip install x countersign",
    "poetry add countersign",
    "pipx run countersign",
  ];
  const wrapped = [
    "Run `pip install\ncountersign`.",
    "Run pip install countersign.",
    'pip install "countersign[receipts] @ https://a.example/a.whl"',
  ];
  const requirements = [
    "countersign==0.1.0",
    "Needs `countersign[receipts]`.",
    "countersign >= 0.1",
    "pip install 'countersign'",
  ];
  const others = [
    String.raw`countersign\[receipts\]`,
    "https://pypi.org/project/countersign/",
    "Requires-Dist: countersign",
  ];
  for (const text of [...commands, ...tools, ...wrapped, ...requirements, ...others])
    expect([text, found(text)]).toEqual([text, true]);
  expect(["countersign", "countersign[claude]~=0.1"].map((text) => found(text, "a/requirements.txt"))).toEqual([
    true,
    true,
  ]);
  expect(['name = "countersign"', '[a]\ncountersign = "^0.1"'].map((text) => found(text, "a/pyproject.toml"))).toEqual([
    true,
    true,
  ]);
});

test("accepts our package, its import name and the npm package", () => {
  const ours = [
    "pip install countersign-client",
    "pip install 'countersign-client[receipts]'",
    "pip install ./clients/python",
  ];
  const hosted = ["pip install https://a.example/client/countersign_client-0.1.0-py3-none-any.whl"];
  const others = [
    "npm install countersign",
    "pip install -r requirements.txt && python -c 'import countersign'",
    "from countersign.gate import Gate",
    '"countersign": "^0.1.0"',
  ];
  expect([...ours, ...hosted, ...others].filter((text) => found(text))).toEqual([]);
  expect(found("countersign-client[claude]~=0.1", "requirements.txt")).toBe(false);
  expect(found('name = "countersign-client"\npackages = ["src/countersign"]', "pyproject.toml")).toBe(false);
});

/** Returns a file's text. Archives of packages contain their files uncompressed after `gunzip`. */
function textOf(file: string): string {
  const bytes = readFileSync(file);
  return (/\.(?:tgz|tar\.gz)$/.test(file) ? gunzipSync(bytes) : bytes).toString("latin1");
}

test("names no package of another project on PyPI in any file", () => {
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
  })
    .split("\0")
    .filter(
      (file) => file && file !== "lib/testing/python-package-name.test.ts" && !/\.(?:png|ico|woff2?|bin)$/.test(file),
    );
  expect(files.length).toBeGreaterThan(1000);
  expect(files.flatMap((file) => placesOf(file, textOf(file)))).toEqual([]);
});

test("gives our package on PyPI a name of its own", () => {
  expect(readFileSync("clients/python/pyproject.toml", "utf8")).toContain(`\nname = "${pythonName}"\n`);
});
