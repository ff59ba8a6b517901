import type { Command } from "../command";
import type { VariableName } from "./variables";

/** What stands on the command line after a command: an option, or a word in a place of its own. */
type OfferedValue = {
  /** What it is, as the help tells it. */
  about: string;
  /** All values there are. Any other is refused. */
  choices?: readonly string[];
  /** It is the path of a file. */
  file?: true;
};

export type OptionSpec = OfferedValue & {
  /** What its value is called. Without one it is a flag. */
  value?: string;
  /** It cannot be left out. */
  needed?: true;
  /** It may be given several times. */
  many?: true;
  /** What the command is given where it is left out. */
  default?: string;
  /** What else holds where it is left out, in words. */
  otherwise?: string;
};

/**
 * A command as it is offered: whatever its help, the completion and the reference tell of it, and how it is parsed. What does it is
 * read when it is called: whoever asks for help waits for nothing.
 */
export type CommandSpec = {
  /** What it does, in one line. */
  about: string;
  /** What else there is to know before it is called. */
  more?: string;
  /** By name, in their order. Every word has to be there. */
  words?: Record<string, OfferedValue>;
  options?: Record<string, OptionSpec>;
  /** Which variables of the environment it reads. */
  reads?: readonly VariableName[];
  /** What its exit status says besides 0, 1 and 2, or of these. */
  statuses?: Readonly<Record<number, string>>;
  /** What follows the name of our program. */
  example: string;
  load: () => Promise<Command>;
};

/** Commands under one heading. */
export type SectionSpec = {
  title: string;
  /** What the first words stand for of commands that have two, as in "owner create". */
  nouns: Readonly<Record<string, string>>;
  commands: Readonly<Record<string, CommandSpec>>;
};

/** What may follow the first word of a section's commands. */
export const verbsOf = ({ commands }: SectionSpec, noun: string): string[] =>
  Object.keys(commands).flatMap((name) => (name.startsWith(`${noun} `) ? [name.slice(noun.length + 1)] : []));

/** What an exit status says of any command. */
export const commonStatuses = {
  0: "done",
  1: "could not be done; stderr says why",
  2: "called wrongly",
} as const;
