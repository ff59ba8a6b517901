import type { CommanderError } from "commander";
import { UsageError } from "../command";

/** What to read of Commander's messages: the name that it did not know, and those that are near to it. */
const read = /'(.*)'(?:\n\(Did you mean (?:one of )?(.*)\?\))?/s;

/**
 * What Commander says of a command line that is wrong, as one sentence of ours. It says that help was printed in the same way.
 * @param path the command as far as it was understood, as "owner"
 * @param usage how to call it
 */
export const refusal = (path: string, usage: string) => (error: CommanderError) => {
  const [, name = "", near] = read.exec(error.message) ?? [];
  const hint = near ? ` Did you mean ${near.split(", ").join(" or ")}?` : "";
  const [option = ""] = name.split(" ");
  switch (error.code) {
    case "commander.unknownCommand":
      throw new UsageError(`There is no command "${`${path} ${name}`.trimStart()}".${hint || " --help lists them."}`);
    case "commander.unknownOption":
      throw new UsageError(
        `${path ? `"${path}" has no` : "There is no"} option ${name}.${hint || " --help lists them."}`,
      );
    case "commander.optionMissingArgument":
      throw new UsageError(`${option} needs a value.`);
    case "commander.missingArgument":
      throw new UsageError(`<${name}> is missing.`, usage);
    case "commander.excessArguments":
      throw new UsageError(`There are words too many for "${path}".`, usage);
    case "commander.help":
    case "commander.helpDisplayed":
    case "commander.version":
      throw error;
    default:
      throw new UsageError(error.message.replace(/^error: /, ""), usage);
  }
};
