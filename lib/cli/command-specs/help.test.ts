import { expect, test } from "vitest";
import { unset } from "@/lib/testing/change-settings";
import packageJson from "@/package.json" with { type: "json" };
import { runCommand } from "../run-command-line";
import { commandSpecs, sections } from "./command-list";
import { verbsOf } from "./command-spec";

/** Returns a command's help on one line, because the tests ignore line breaks. */
const help = async (args: string[]) => {
  const { out, err, status } = await runCommand([...args, "--help"]);
  expect([err, status]).toEqual(["", 0]);
  return out.replaceAll(/\s+/g, " ");
};

test("lists the commands in groups with descriptions", async () => {
  const out = await help([]);
  expect(out).toContain("Usage: npm run -s countersign -- <command> [options]");
  for (const section of sections) {
    const { title, nouns, commands } = section;
    expect(out).toContain(`${title}:`);
    for (const [noun, about] of Object.entries(nouns))
      expect(out).toContain(`${noun} ${about}: ${verbsOf(section, noun).join(", ")}.`);
    for (const [name, { about }] of Object.entries(commands))
      if (!name.includes(" ")) expect(out).toContain(`${name} ${about}`);
  }
});

test("lists only the commands of a given noun", async () => {
  const out = await help(["owner"]);
  for (const verb of ["create Create an owner's account.", "list List the owners' accounts.", "reset Print a link"])
    expect(out).toContain(verb);
  expect(out).not.toContain("webhook");
  expect(await help(["help", "owner"])).toBe(out);
});

test.each([...commandSpecs])("documents all options and exit statuses of %s", async (name, command) => {
  const { about, words = {}, options = {}, statuses = {}, example } = command;
  const out = await help(name.split(" "));
  expect(out).toContain(`Usage: npm run -s countersign -- ${name} `);
  expect(out).toContain(about);
  for (const [word, it] of Object.entries(words)) expect(out).toContain(`${word} ${it.about}`);
  for (const [option, it] of Object.entries(options)) {
    expect(out).toContain(`--${option}${it.value ? ` <${it.value}>` : ""} ${it.about}`);
    for (const choice of it.choices ?? []) expect(out).toContain(choice);
    if (it.default ?? it.otherwise) expect(out).toContain(`default: ${it.otherwise ?? it.default}`);
  }
  expect(out).toContain("--json print the result as one line of JSON");
  for (const status of [0, 1, 2, ...Object.keys(statuses)]) expect(out).toMatch(new RegExp(` ${status} \\w`));
  for (const says of Object.values(statuses)) expect(out).toContain(says);
  expect(out).toContain(`Example: npm run -s countersign -- ${example}`);
});

test("uses only known options in every example", async () => {
  for (const [name, { example, words = {}, options = {} }] of commandSpecs) {
    const given = example.split(/ [<>] /)[0]!.match(/"[^"]*"|\S+/g)!;
    expect(given.join(" ")).toMatch(new RegExp(`^${name}\\b`));
    for (const [, option = ""] of example.matchAll(/ --([a-z-]+)/g))
      expect([...Object.keys(options), "json"]).toContain(option);
    for (const [option, { needed }] of Object.entries(options)) if (needed) expect(given).toContain(`--${option}`);
    if (Object.keys(options).length === 0)
      expect(given.filter((it) => !it.startsWith("--"))).toHaveLength(
        name.split(" ").length + Object.keys(words).length,
      );
  }
});

test("prints the version as text or JSON", async () => {
  const { version } = packageJson;
  expect(await runCommand(["--version"])).toEqual({ out: `${version}\n`, err: "", status: 0 });
  expect(JSON.parse((await runCommand(["--version", "--json"])).out)).toEqual({ version });
});

test.each([
  [["ownr", "list"], "error: unknown command 'ownr'\n(Did you mean owner?)"],
  [["frobnicate"], "error: unknown command 'frobnicate'"],
  [["owner", "craete"], "error: unknown command 'craete'\n(Did you mean create?)"],
  [["owner", "list", "--jsn"], "error: unknown option '--jsn'\n(Did you mean --json?)"],
  [["--jsn", "owner", "list"], "error: unknown option '--jsn'\n(Did you mean --json?)"],
  [["ask", "X?", "--option", "a", "--version"], "error: unknown option '--version'"],
  [["app", "create", "--owner"], "error: option '--owner <email>' argument missing"],
  [
    ["app", "create", "--for", "both"],
    "error: option '--for <resource>' argument 'both' is invalid. Allowed choices are api or mcp.",
  ],
  [["token", "revoke"], "error: missing required argument 'token-or-id'"],
  [["owner", "list", "x"], "error: too many arguments for 'list'. Expected 0 arguments but got 1."],
  [["owner", "create", "--email", "x@example.com"], "error: required option '--name <name>' not specified"],
  // If the key's variable is empty, a script passes `--wait` as the key. Without this error, it
  // would ask without waiting.
  [
    ["ask", "X?", "--option", "a", "--key", "--wait"],
    "error: option '--key <key>' argument '--wait' is invalid. Write a value that begins with a dash as --key=--wait.",
  ],
])("rejects %j with status 2 and a pointer to --help", async (args, says) => {
  const { out, err, status } = await runCommand(args);
  expect([out, status]).toEqual(["", 2]);
  expect(err).toBe(`${says}\nAdd --help to see the command's options.\n`);
});

test.each([[[]], [["owner"]], [["owner", "--json"]]])("prints help for the incomplete command %j", async (args) => {
  const { out, err, status } = await runCommand(args);
  expect([out, status]).toEqual(["", 2]);
  expect(err).toBe((await runCommand([...args, "--help"])).out);
});

test("requires an equals sign before an option value that starts with a dash", async () => {
  unset(["COUNTERSIGN_TOKEN"]);
  for (const words of [
    ["--option", "a", "--", "--why?"],
    ["--option=-a", "X?"],
  ])
    expect((await runCommand(["ask", ...words])).err).toContain("COUNTERSIGN_TOKEN is missing");
  expect((await runCommand(["ask", "X?", "--option", "-a"])).err).toContain("--option=-a");
});

test("accepts --json in any position", async () => {
  const runs = [
    ["--json", "keys", "new"],
    ["keys", "--json", "new"],
    ["keys", "new", "--json"],
  ];
  for (const args of runs) {
    const { name, entry } = JSON.parse((await runCommand(args)).out);
    expect(entry).toMatch(new RegExp(`^${name}:`));
  }
});
