import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tools, toolsFor } from "@/lib/api/mcp-tools";
import { intervalChores, onDueChores } from "@/lib/cli/background-chores";
import { readSettings } from "@/lib/config/env";
import { settingTexts } from "@/lib/config/setting-descriptions";
import { scopeNames, usualScopes } from "@/lib/scopes";
import { gauges } from "@/lib/serving/gauges";
import { declared } from "@/lib/telemetry/declare-metrics";
import { fileHash, lensPath } from "./build-lens";
// These modules are imported because they declare metrics. A test compares the page with the
// metrics of a running service.
import "@/lib/alerts/alert-loop";
import "@/lib/archive/apply-retention";
import "@/lib/error-reporting";
import "@/lib/http/request-instrumentation";
import "@/lib/webhooks/dispatcher";

/*
 * Some tables in the documentation are derived from declarations in the code. `npm run derive`
 * rewrites each table between `<!-- derived: name -->` and `<!-- /derived -->`.
 */

type Row = readonly string[];
const row = (cells: Row) => `|${cells.map((cell) => (cell ? ` ${cell.replaceAll("|", "\\|")} ` : " ")).join("|")}|`;
const table = (heads: Row, rows: readonly Row[]) =>
  [row(heads), `|${"---|".repeat(heads.length)}`, ...rows.map(row)].join("\n");
const code = (text: string) => `\`${text}\``;

/** Returns each setting's default as an operator would write it, or "" if it has none. */
function defaults(): Record<string, string> {
  const values = readSettings({ NODE_ENV: "test" });
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value ?? "")]));
}

const settings = () => {
  const given = defaults();
  const rows = Object.entries(settingTexts).map(([name, text]) => [
    code(name),
    given[name] ? code(given[name].replaceAll(",", ", ")) : "",
    text,
  ]);
  return table(["setting", "default", ""], rows);
};

const sections: Record<string, RegExp> = {
  requests: /^countersign_(?:http|held)_/,
  database: /^countersign_(?:batch|database|db|feed|notify|shard)_/,
  deliveries: /^countersign_(?:alert|mails|webhook)_/,
  instances: /^countersign_(?:build|chore|retired|swept)_/,
};

function metrics(section: string): string {
  // Other tests in this process may have declared additional metrics.
  const ours = [...declared()].filter(({ name }) => !name.startsWith("test_"));
  const all = [...ours, ...gauges].sort((one, other) => one.name.localeCompare(other.name));
  const lost = all.filter(({ name }) => Object.values(sections).filter((pattern) => pattern.test(name)).length !== 1);
  if (lost.length > 0) throw new Error(`in no section, or in several: ${lost.map(({ name }) => name).join(", ")}`);
  const rows = all
    .filter(({ name }) => sections[section]?.test(name))
    .map((it) => [code(it.name), it.labels.join(", "), "buckets" in it ? `Histogram. ${it.help}` : it.help]);
  return table(["metric", "labels", "meaning"], rows);
}

/** Returns the MCP tools that are listed by default, starting with those for the usual scopes. */
const usualTools = () =>
  [usualScopes, scopeNames].flatMap((scopes) => toolsFor(scopes, new Set()).map(({ name }) => name));

/** Returns the tools that are listed only on request. */
function otherTools(): string[] {
  const listed = new Set(usualTools());
  return tools().flatMap(({ name }) => (listed.has(name) ? [] : [name]));
}

function toolTable(names: readonly string[]): string {
  const rows = [...new Set(names)].map((name) => {
    const { op, description, needs } = tools().find((tool) => tool.name === name)!;
    const wait = needs.waitSeconds ? `; to wait, ${code(needs.waitSeconds)}` : "";
    const scope = op.scope === null ? "any" : code(op.scope);
    return [code(name), /^.*?[.](?= |$)/.exec(description)?.[0] ?? description, `${scope}${wait}`];
  });
  return table(["tool", "", "scope"], rows);
}

const units: readonly [number, string][] = [
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1000, "second"],
];
function interval(milliseconds: number): string {
  const [size, unit] = units.find(([each]) => milliseconds % each === 0)!;
  return milliseconds === size ? `every ${unit}` : `every ${milliseconds / size} ${unit}s`;
}

const chores = () =>
  table(
    ["chore", "interval"],
    [
      ...onDueChores.map(({ name }) => [name, "every second, when due"]),
      ...[...intervalChores]
        .sort((one, other) => one.intervalMs - other.intervalMs)
        .map(({ name, intervalMs: everyMs }) => [name, interval(everyMs)]),
    ],
  );

const lensHash = () => code(fileHash(readFileSync(join(import.meta.dirname, "../..", lensPath), "utf8")));

const pages: Record<string, Record<string, () => string>> = {
  "docs/configuration.md": { settings },
  "docs/monitoring.md": Object.fromEntries(Object.keys(sections).map((name) => [name, () => metrics(name)])),
  "docs/mcp.md": {
    tools: () => toolTable(usualTools()),
    "tools on request": () => toolTable(otherTools()),
  },
  "docs/operations.md": { chores },
  "docs/lens.md": { "lens hash": lensHash },
};

/**
 * Returns a page's text with its derived regions regenerated.
 * @throws if a region is missing
 */
function pageText(file: string, regions: Record<string, () => string>): string {
  let text = readFileSync(join(import.meta.dirname, "../..", file), "utf8");
  for (const [name, make] of Object.entries(regions)) {
    const region = new RegExp(`(<!-- derived: ${name} -->\n)[\\s\\S]*?(<!-- /derived -->)`);
    if (!region.test(text)) throw new Error(`${file} has no region "${name}"`);
    text = text.replace(region, (_, start: string, end: string) => `${start}\n${make()}\n\n${end}`);
  }
  return text;
}

const width = 120;

/** Returns every setting and its default, as comments of an example file. */
function envExample(): string {
  const given = defaults();
  const head =
    "This file lists every setting with its default. Copy this file to .env, or set the variables in the environment. Variables in the environment take precedence over .env. If a setting is invalid, the service names the setting and does not start.";
  const parts = Object.entries(settingTexts).map(
    ([name, text]) => `${comment(plain(text))}\n# ${name}=${given[name] ?? ""}`,
  );
  return `${[comment(head), ...parts].join("\n\n")}\n`;
}

/**
 * Removes Markdown. A "(see …)" link becomes the file's name, other links keep only their text, and
 * code with spaces is put in quotes.
 */
const plain = (text: string) =>
  text
    .replaceAll(/\(see \[[^\]]+\]\(([\w/.-]+)(?:#[\w-]+)?\)\)/g, "(see docs/$1)")
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll(/`([^`]*)`/g, (_, it: string) => (it.includes(" ") ? `"${it}"` : it));

function comment(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1)!;
    if (line !== "" && line.length + word.length + 3 > width) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.map((line) => `# ${line}`).join("\n");
}

/** Returns the text of every derived documentation file, by path. */
export const derivedDocs = (): Record<string, string> => ({
  ".env.example": envExample(),
  ...Object.fromEntries(Object.entries(pages).map(([file, regions]) => [file, pageText(file, regions)])),
});
