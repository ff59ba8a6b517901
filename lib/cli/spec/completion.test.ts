import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { appEventTypes } from "@/lib/event-feed/type-names";
import { scopeNames } from "@/lib/scopes";
import { runCommand } from "../commands";
import { commandSpecs, sections } from "./command-list";

// completion.more.test.ts covers terminals, zsh and fish.
const { out: script } = await runCommand(["completion", "bash"]);

/** Bash's input when someone presses Tab after each of these. */
function completed(lines: readonly string[]): string[][] {
  const asked = lines.map((line) => `tell ${quoted(line)}`);
  const tell = `tell() { COMP_LINE=$1 COMP_POINT=\${#1}; _countersign; (IFS="|"; echo "\${COMPREPLY[*]}"); }`;
  const out = execFileSync("bash", ["--norc", "-c", [script, tell, ...asked].join("\n")], { encoding: "utf8" });
  return out
    .split("\n")
    .slice(0, -1)
    .map((line) => (line ? line.split("|") : []));
}
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

test("completes every command and every option in bash", () => {
  const names = [...commandSpecs.keys()];
  const nouns = sections.flatMap((section) => Object.keys(section.nouns));
  const [first = [], ...verbs] = completed(["countersign ", ...nouns.map((noun) => `countersign ${noun} `)]);
  expect(first).toEqual([...new Set(names.map((name) => name.split(" ")[0])), "--help", "--version"]);
  expect(nouns.flatMap((noun, at) => verbs[at]!.slice(0, -1).map((verb) => `${noun} ${verb}`)).sort()).toEqual(
    names.filter((name) => name.includes(" ")).sort(),
  );
  const options = completed(names.map((name) => `countersign ${name} --`));
  for (const [at, name] of names.entries())
    expect(options[at]).toEqual(
      [...Object.keys(commandSpecs.get(name)?.options ?? {}), "json", "help"].map((option) => `--${option}`),
    );
});

test("completes values of options and words in bash", () => {
  const cases: [string, readonly string[]][] = [
    ["countersign ow", ["owner"]],
    ["countersign owner create", ["create"]],
    ["countersign token create --scope ", scopeNames],
    // Bash splits words at colons and equals signs, and expects only the rest.
    ["countersign token create --owner a@example.com --scope approvals:re", ["read", "resolve"]],
    ["countersign token create --scope=approvals:w", ["write"]],
    ["countersign app create --for=", ["api", "mcp"]],
    ["countersign webhook add --type ", appEventTypes],
    ['countersign ask "Ship it?" --option owner --risk ', ["low", "normal", "high"]],
    ["countersign ask --context package.j", ["package.json"]],
    ["countersign completion ", ["bash", "zsh", "fish"]],
    ["countersign owner create --email ", []],
    ["countersign frobnicate ", []],
  ];
  expect(completed(cases.map(([line]) => line))).toEqual(cases.map(([, expected]) => expected));
});
