import type { Command } from "../command";

export type OptionSpec = {
  /** The option's description in the help. */
  about: string;
  /** The placeholder for the option's value. An option without a placeholder is a flag. */
  value?: string;
  /** All valid values. Any other value is rejected. */
  choices?: readonly string[];
  /** Whether the option is required. */
  needed?: true;
  /** Whether the option may be repeated. */
  many?: true;
  /** The value when the option is omitted. */
  default?: string;
  /** What happens when the option is omitted, in words. */
  otherwise?: string;
};

/**
 * One command: the source of its help, reference and parser. Its code loads only when it runs, so
 * that help is fast.
 */
export type CommandSpec = {
  /** The command's purpose, in one line. */
  about: string;
  /** Details to know before running the command. */
  more?: string;
  /** Descriptions of the positional arguments, by name and in order. All are required. */
  words?: Record<string, { about: string }>;
  options?: Record<string, OptionSpec>;
  /**
   * Meanings of the command's exit statuses, in addition to or instead of the default meanings of
   * 0, 1 and 2.
   */
  statuses?: Readonly<Record<number, string>>;
  /** An example, without the program's name. */
  example: string;
  load: () => Promise<Command>;
};

/** A section of the help: commands under one heading. */
export type SectionSpec = {
  title: string;
  /** Descriptions of the first words of two-word commands, such as "owner" in "owner create". */
  nouns: Readonly<Record<string, string>>;
  commands: Readonly<Record<string, CommandSpec>>;
};

/** Returns the second words of a section's two-word commands. */
export const verbsOf = ({ commands }: SectionSpec, noun: string): string[] =>
  Object.keys(commands).flatMap((name) => (name.startsWith(`${noun} `) ? [name.slice(noun.length + 1)] : []));

/** Exit statuses that all commands share. */
export const commonStatuses = {
  0: "done",
  1: "failed (stderr has the reason)",
  2: "called incorrectly",
} as const;
