import type { CommanderError } from "commander";
import { UsageError } from "../command";

/** Reads Commander's messages: the unknown name, and similar names. */
const read = /'(.*)'(?:\n\(Did you mean (?:one of )?(.*)\?\))?/s;

/**
 * Turns a Commander error into one of our sentences. Commander reports printed help in the same
 * way.
 * @param path the command as far as it was recognized, such as "owner"
 * @param usage the command's usage
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
      throw new UsageError(`Too many arguments for "${path}".`, usage);
    case "commander.help":
    case "commander.helpDisplayed":
    case "commander.version":
      throw error;
    default:
      throw new UsageError(error.message.replace(/^error: /, ""), usage);
  }
};
