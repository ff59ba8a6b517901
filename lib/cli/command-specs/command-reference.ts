import { sections } from "./command-list";
import type { CommandSpec } from "./command-spec";
import { aboutOf, statusesOf, termOf, usageOf } from "./help";

const before = `# Commands

In a checkout, every command begins with \`npm run -s countersign --\`, as in \`npm run -s countersign -- owner list\`. To run
\`countersign\` from any folder, put the program on your PATH:

\`\`\`
ln -s "$PWD/lib/cli/countersign.mjs" ~/.local/bin/countersign
\`\`\`

\`--help\` prints a command's options. \`--json\` prints the result as one line of JSON. \`--version\` prints the
version. Commands write results to stdout and everything else to stderr. The exit status is 0 for success, 1 for a
failure and 2 for incorrect usage. The sections below list other exit statuses. If a value begins with a dash, write an
equals sign before the value, as in \`--recommend=-1\`.
`;

/**
 * Returns the documentation page that describes all commands. It has the same source as the
 * commands' help.
 */
export function reference(): string {
  const parts = sections.map(({ title, commands }) =>
    [`## ${title}`, ...Object.entries(commands).map(([name, it]) => described(name, it))].join("\n\n"),
  );
  const environment = `## Environment

Commands that need the database use the service's settings. Set the same \`DATA_DIR\` as for the service, or the same
\`DATABASE_URL\`, \`SECRET\`, \`SECRET_PREVIOUS\` and \`INTEGRATION_KEYS\`. The commands also read the \`.env\` file in the checkout.
[Configuration](configuration.md) lists every setting.`;
  return `${[before.trimEnd(), ...parts, environment].join("\n\n")}\n`;
}

function described(name: string, command: CommandSpec): string {
  const { about, more, words = {}, options = {}, statuses, example } = command;
  const rows = [
    ...Object.entries(words).map(([word, it]) => [`\`<${word}>\``, it.about]),
    ...Object.entries(options).map(([option, it]) => [`\`${termOf(option, it)}\``, aboutOf(it)]),
  ];
  return [
    `### ${name}`,
    [about, ...(more && !more.includes("\n") ? [more] : [])].join(" "),
    ["```", `${name} ${usageOf(command)}`, "```"].join("\n"),
    ...(rows.length > 0 ? [table(rows)] : []),
    ...(statuses ? [`Exit status:\n\n${table(statusesOf(command))}`] : []),
    `Example: \`${example}\``,
  ].join("\n\n");
}

const table = (rows: readonly (readonly string[])[]) =>
  [
    "| | |",
    "|---|---|",
    ...rows.map((row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`),
  ].join("\n");
