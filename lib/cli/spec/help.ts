import { type CommandSpec, commonStatuses, type OptionSpec } from "./command-spec";
import { variables } from "./variables";

/** An option as written on the command line: `--scope <scope>`. */
export const termOf = (name: string, { value }: OptionSpec): string => (value ? `--${name} <${value}>` : `--${name}`);

/** The description of an option or word, with the values that it accepts. */
export function aboutOf({
  about,
  choices,
  default: given,
  otherwise = given,
  many,
}: Omit<OptionSpec, "value">): string {
  const facts = [
    ...(choices ? [listOf(choices)] : []),
    ...(otherwise === undefined ? [] : [`default: ${otherwise}`]),
    ...(many ? ["repeatable"] : []),
  ];
  return facts.length > 0 ? `${about} (${facts.join("; ")})` : about;
}

/** "low, normal or high" */
export const listOf = (choices: readonly string[]): string => choices.join(", ").replace(/, ([^,]*)$/, " or $1");

/** The usage after a command's name. */
export function usageOf({ words = {}, options = {} }: CommandSpec): string {
  const needed = Object.entries(options).filter(([, { needed }]) => needed);
  return [
    ...Object.keys(words).map((word) => `<${word}>`),
    ...needed.map(([name, option]) => `${termOf(name, option)}${option.many ? "…" : ""}`),
    "[options]",
  ].join(" ");
}

/** The meaning of each exit status, in order. */
export const statusesOf = ({ statuses }: CommandSpec): [string, string][] =>
  Object.entries({ ...commonStatuses, ...statuses });

/** The help below Commander's own: environment, exit statuses and an example. */
export function footer(offered: CommandSpec, program: string): string {
  const { reads = [], example } = offered;
  const part = (title: string, rows: (readonly [string, string])[]) => {
    const width = Math.max(...rows.map(([term]) => term.length));
    return [title, ...rows.map(([term, about]) => `  ${term.padEnd(width)}  ${about}`), ""];
  };
  return [
    ...(reads.length > 0
      ? part(
          "Environment:",
          reads.map((name) => [name, variables[name]]),
        )
      : []),
    ...part("Exit status:", statusesOf(offered)),
    "Example:",
    `  ${program} ${example}`,
  ].join("\n");
}
