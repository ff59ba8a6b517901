import { Argument, Command as CommanderCommand, Option } from "commander";
import packageJson from "@/package.json" with { type: "json" };
import { type CommandOptions, UsageError } from "../command";
import { sections } from "./command-list";
import { type CommandSpec, type OptionSpec, type SectionSpec, verbsOf } from "./command-spec";
import { aboutOf, footer, helpWith, listOf, termOf, usageOf } from "./help";
import { refusal } from "./usage-errors";

/** The options for reading a command line. */
export type CommandLine = {
  args: readonly string[];
  /** The program's name, as in "Usage: countersign". */
  program: string;
  /** The outputs for requested help, and for help shown because of a mistake. */
  writeOut(text: string): void;
  writeErr(text: string): void;
  run(offered: CommandSpec, given: CommandOptions, words: string[]): Promise<void>;
};

const json = new Option("--json", "print the result as one line of JSON");

/**
 * The commands as a Commander tree, which parses, suggests similar names and formats the help.
 * @throws by `parseAsync` {UsageError} for an incorrect call; {CommanderError} after printing help
 * or the version
 */
export function programOf(line: CommandLine): CommanderCommand {
  const { args, program, writeOut, writeErr } = line;
  const { version } = packageJson;
  const width = () => Math.min(process.stdout.columns ?? 80, 100);
  const root = begun(new CommanderCommand(program), "")
    .addOption(json)
    .description(
      "Commands use the service’s settings, from the environment or .env. Give them the same DATA_DIR or DATABASE_URL.",
    )
    .version(args.includes("--json") ? JSON.stringify({ version }) : version, "--version", "print the version")
    .helpOption("-h, --help", "print help")
    .enablePositionalOptions()
    // The caller reports the mistake.
    .configureOutput({ writeOut, writeErr, outputError: () => {}, getOutHelpWidth: width, getErrHelpWidth: width });
  for (const section of sections) {
    root.commandsGroup(`${section.title}:`);
    for (const [name, offered] of Object.entries(section.commands)) {
      const [noun = "", verb] = name.split(" ");
      if (!verb) finish(begun(root.command(noun), name, usageOf(offered)), offered, line);
      else finish(begun(parentOf(noun, section).command(verb), name, usageOf(offered)), offered, line);
    }
  }
  return root.addHelpText("after", `\nSee "${program} <command> --help" for a command’s options and an example.`);

  function parentOf(noun: string, section: SectionSpec) {
    return (
      root.commands.find((it) => it.name() === noun) ??
      begun(root.command(noun), noun)
        .addOption(json)
        .description(`${section.nouns[noun]}: ${verbsOf(section, noun).join(", ")}.`)
    );
  }
}

/** @param path the command's words, without the program's name */
function begun(command: CommanderCommand, path: string, usage = "<command> [options]") {
  return command
    .usage(usage)
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (it) => it.name(), optionDescription: (it) => it.description })
    .exitOverride((error) => refusal(path, usageLine(command))(error));
}

const usageLine = (command: CommanderCommand) => `Usage: ${command.createHelp().commandUsage(command)}`;

function finish(command: CommanderCommand, offered: CommandSpec, line: CommandLine) {
  const { about, more, words = {}, options = {} } = offered;
  command
    .summary(about)
    .description(more ? `${about}\n\n${more}` : about)
    .configureHelp({ ...command.configureHelp(), formatHelp: helpWith((help) => footer(offered, help, line.program)) });
  for (const [word, it] of Object.entries(words)) command.addArgument(new Argument(word, it.about));
  const inOrder = Object.entries(options).sort(([, a], [, b]) => Number(b.needed ?? false) - Number(a.needed ?? false));
  for (const [name, it] of inOrder) {
    const option = new Option(termOf(name, it), aboutOf(it)).helpGroup(it.needed ? "Required:" : "Options:");
    if (it.value) option.argParser(taking(name, it, line.args));
    command.addOption(option.default(it.default));
  }
  command.addOption(json).action(async () => {
    const values = new Map(
      command.options.map((option) => [option.name(), command.getOptionValue(option.attributeName())]),
    );
    const missing = inOrder.filter(([name, { needed }]) => needed && values.get(name) === undefined);
    if (missing.length > 0) {
      const named = missing.map(([name]) => `--${name}`).join(" and ");
      throw new UsageError(`${named} ${missing.length > 1 ? "are" : "is"} missing.`, usageLine(command));
    }
    values.set("json", command.optsWithGlobals().json);
    const all = (name: string) => [values.get(name) ?? []].flat().filter((value) => typeof value === "string");
    const has = (name: string) => values.get(name) !== undefined;
    await line.run(offered, { one: (name) => all(name).at(-1), all, has }, command.args);
  });
}

/** Reads an option's value, or all values of a repeatable option. */
const taking =
  (name: string, option: OptionSpec, args: readonly string[]) =>
  (value: string, before: string | string[] | undefined) => {
    // Otherwise the next option would be read as the value that the caller forgot or left empty.
    if (/^-./s.test(value) && !args.includes(`--${name}=${value}`))
      throw new UsageError(`--${name} needs a value. Write a value that begins with a dash as --${name}=${value}.`);
    if (option.choices?.includes(value) === false) throw new UsageError(`--${name} must be ${listOf(option.choices)}.`);
    return option.many ? [...(before ?? []), value] : value;
  };
