import { Argument, Command as CommanderCommand, InvalidArgumentError, Option } from "commander";
import packageJson from "@/package.json" with { type: "json" };
import type { CommandOptions } from "../command";
import { sections } from "./command-list";
import { type CommandSpec, type OptionSpec, verbsOf } from "./command-spec";
import { aboutOf, footer, listOf, termOf, usageOf } from "./help";

/** A command line, the functions that print its output, and the function that runs its command. */
export type CommandLine = {
  args: readonly string[];
  /** The program's name, as in "Usage: countersign". */
  program: string;
  /** Prints the help or the version if requested. `writeErr` prints usage errors. */
  writeOut(text: string): void;
  writeErr(text: string): void;
  run(offered: CommandSpec, given: CommandOptions, words: string[]): Promise<void>;
};

const json = new Option("--json", "print the result as one line of JSON");

/**
 * Returns the commands as a Commander tree, which parses arguments, reports usage errors and
 * formats the help. Its `parseAsync` throws a CommanderError after printing an error, help or the
 * version.
 */
export function programOf(line: CommandLine): CommanderCommand {
  const { args, program, writeOut, writeErr } = line;
  const { version } = packageJson;
  // Subcommands inherit most settings of the root command.
  const root = new CommanderCommand(program)
    .usage("<command> [options]")
    .addOption(json)
    .description(
      "Commands that need the database use the service's settings, from the environment or .env. Set DATA_DIR or DATABASE_URL as for the service. If the service has SECRET, SECRET_PREVIOUS or INTEGRATION_KEYS, set these too.",
    )
    .version(args.includes("--json") ? JSON.stringify({ version }) : version, "--version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand(false)
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError("Add --help to see the command's options.")
    .configureHelp({ subcommandTerm: (it) => it.name(), optionDescription: (it) => it.description })
    .configureOutput({ writeOut, writeErr })
    .addHelpText("after", `\nSee "${program} <command> --help" for a command's options and an example.`);
  for (const section of sections) {
    root.commandsGroup(`${section.title}:`);
    const parents = new Map(
      Object.entries(section.nouns).map(([noun, about]) => [
        noun,
        root
          .command(noun)
          .usage("<command> [options]")
          .addOption(json)
          .description(`${about}: ${verbsOf(section, noun).join(", ")}.`),
      ]),
    );
    for (const [name, offered] of Object.entries(section.commands)) {
      const [noun = "", verb] = name.split(" ");
      finish(verb ? parents.get(noun)!.command(verb) : root.command(noun), offered, line);
    }
  }
  return root;
}

function finish(command: CommanderCommand, offered: CommandSpec, line: CommandLine) {
  const { about, more, words = {}, options = {} } = offered;
  command
    .usage(usageOf(offered))
    .summary(about)
    .description(more ? `${about}\n\n${more}` : about)
    .addHelpText("after", `\n${footer(offered, line.program)}`);
  for (const [word, it] of Object.entries(words)) command.addArgument(new Argument(word, it.about));
  for (const [name, it] of Object.entries(options)) {
    const option = new Option(termOf(name, it), aboutOf(it)).helpGroup(it.needed ? "Required:" : "Options:");
    if (it.value) option.argParser(taking(name, it, line.args));
    command.addOption(option.default(it.default).makeOptionMandatory(it.needed ?? false));
  }
  command.addOption(json).action(async () => {
    const values = new Map(
      command.options.map((option) => [option.name(), command.getOptionValue(option.attributeName())]),
    );
    values.set("json", command.optsWithGlobals().json);
    const all = (name: string) => [values.get(name) ?? []].flat().filter((value) => typeof value === "string");
    const has = (name: string) => values.get(name) !== undefined;
    await line.run(offered, { one: (name) => all(name).at(-1), all, has }, command.args);
  });
}

/**
 * Returns a function that parses an option's value. For a repeatable option, it collects all
 * values.
 */
const taking =
  (name: string, option: OptionSpec, args: readonly string[]) =>
  (value: string, before: string | string[] | undefined) => {
    // Without this check, the next option would be taken for a value that the caller forgot or left
    // empty.
    if (/^-./s.test(value) && !args.includes(`--${name}=${value}`))
      throw new InvalidArgumentError(`Write a value that begins with a dash as --${name}=${value}.`);
    if (option.choices?.includes(value) === false)
      throw new InvalidArgumentError(`Allowed choices are ${listOf(option.choices)}.`);
    return option.many ? [...(before ?? []), value] : value;
  };
