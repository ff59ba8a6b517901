import type { Command } from "../command";

export type OptionSpec = {
  /** The description in the help. */
  about: string;
  /** The placeholder for its value. An option without one is a flag. */
  value?: string;
  /** All valid values. Any other is rejected. */
  choices?: readonly string[];
  /** The option is required. */
  needed?: true;
  /** The option may be repeated. */
  many?: true;
  /** The value when the option is omitted. */
  default?: string;
  /** The behavior when the option is omitted, in words. */
  otherwise?: string;
};

/**
 * One command: the source of its help, reference and parser. Its code loads only when it runs, so
 * that help is fast.
 */
export type CommandSpec = {
  /** Its purpose, in one line. */
  about: string;
  /** Details to know before running it. */
  more?: string;
  /** Positional words by name, in order. Every word is required. */
  words?: Record<string, { about: string }>;
  options?: Record<string, OptionSpec>;
  /** Meanings of exit statuses other than 0, 1 and 2, or different meanings for those. */
  statuses?: Readonly<Record<number, string>>;
  /** An example, without the program's name. */
  example: string;
  load: () => Promise<Command>;
};

/** Commands under one heading. */
export type SectionSpec = {
  title: string;
  /** Descriptions of the first word of two-word commands, as in "owner create". */
  nouns: Readonly<Record<string, string>>;
  commands: Readonly<Record<string, CommandSpec>>;
};

/** The second words of a section's two-word commands. */
export const verbsOf = ({ commands }: SectionSpec, noun: string): string[] =>
  Object.keys(commands).flatMap((name) => (name.startsWith(`${noun} `) ? [name.slice(noun.length + 1)] : []));

/** Exit statuses of every command. */
export const commonStatuses = {
  0: "done",
  1: "failed; stderr has the reason",
  2: "called incorrectly",
} as const;
