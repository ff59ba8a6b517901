import { CommanderError } from "commander";
import type { Command, CommandOptions, CommandResult } from "./command";
import { UsageError } from "./command";
import { programOf } from "./command-specs/commander-program";
import { describeError } from "./describe-error.mjs";
import { quietly } from "./progress.mjs";

/**
 * A command's output. `status` is 0 or the command's own status, 1 if the command failed, or 2 for
 * incorrect usage.
 */
export type CommandOutcome = { out: string; err: string; status: number };

export async function runCommand(
  args: readonly string[],
  program = "npm run -s countersign --",
): Promise<CommandOutcome> {
  const obeyed: CommandOutcome = { out: "", err: "", status: 0 };
  const line = programOf({
    args,
    program,
    writeOut: (text) => (obeyed.out += text),
    writeErr: (text) => (obeyed.err += text),
    async run(offered, given, words) {
      const outcome = await done(await offered.load(), given, words);
      if (!outcome.isWritten) obeyed.out = ended(given.has("json") ? JSON.stringify(outcome.json) : outcome.text);
      obeyed.err = ended(outcome.aside ?? "");
      obeyed.status = outcome.status ?? 0;
    },
  });
  try {
    await line.parseAsync(args[0] === "help" ? [...args.slice(1), "--help"] : args, { from: "user" });
  } catch (error) {
    // Commander printed the help or a usage error.
    if (error instanceof CommanderError) return { ...obeyed, status: error.exitCode === 0 ? 0 : 2 };
    return { out: "", err: ended(describeError(error)), status: error instanceof UsageError ? 2 : 1 };
  }
  return obeyed;
}

async function done(command: Command, given: CommandOptions, words: string[]): Promise<CommandResult> {
  if (command.behind === "nothing") return command.run(given, words);
  const { prepareStartup } = await import("./prepare-startup");
  const ready = await prepareStartup(command.behind ?? "command", quietly);
  return command.run(given, words).finally(ready.close);
}

const ended = (text: string) => (text === "" ? "" : `${text}\n`);
