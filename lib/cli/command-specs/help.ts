import { type CommandSpec, commonStatuses, type OptionSpec } from "./command-spec";

/** Returns an option in its command-line form: `--scope <scope>`. */
export const termOf = (name: string, { value }: OptionSpec): string => (value ? `--${name} <${value}>` : `--${name}`);

/** Returns the description of an option or word, with its accepted values. */
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

/** Formats a list: "low, normal or high". */
export const listOf = (choices: readonly string[]): string => choices.join(", ").replace(/, ([^,]*)$/, " or $1");

/** Returns the usage text that follows a command's name. */
export function usageOf({ words = {}, options = {} }: CommandSpec): string {
  const needed = Object.entries(options).filter(([, { needed }]) => needed);
  return [
    ...Object.keys(words).map((word) => `<${word}>`),
    ...needed.map(([name, option]) => `${termOf(name, option)}${option.many ? "…" : ""}`),
    "[options]",
  ].join(" ");
}

/** Returns the meaning of each exit status, in order. */
export const statusesOf = ({ statuses }: CommandSpec): [string, string][] =>
  Object.entries({ ...commonStatuses, ...statuses });

/**
 * Returns the part of a command's help that Commander doesn't write: exit statuses and an example.
 */
export function footer(offered: CommandSpec, program: string): string {
  const statuses = statusesOf(offered).map(([status, about]) => `  ${status}  ${about}`);
  return ["Exit status:", ...statuses, "", "Example:", `  ${program} ${offered.example}`].join("\n");
}
