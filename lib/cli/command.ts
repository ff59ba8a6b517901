import { resolve } from "node:path";
import { AppError } from "@/lib/errors";

/** Something the operator has to put right; the message is the one sentence they get to read. */
export class OperatorError extends Error {}

/** For an id that is no app's: which commands print those that are. */
export const noSuchApp = (clientId: string) =>
  new OperatorError(
    `No app has the client id ${clientId}. “app list” prints those of apps that owners registered, “grant list” of all they let in.`,
  );

/** Called wrongly: exit status 2. */
export class UsageError extends Error {
  /** @param usage how to call it, where the sentence does not say so */
  constructor(
    message: string,
    readonly usage?: string,
  ) {
    super(message);
  }
}

/** What was given on the command line: each option's values, in order. */
export type CommandOptions = {
  one(name: string): string | undefined;
  all(name: string): string[];
  has(name: string): boolean;
};

/** What one of the operator's commands does. What it is given is declared in `lib/cli/line`. */
export type Command = {
  /** What it finds when it runs: a database behind keys that open it, unless told. */
  behind?: "nothing" | "repair" | "any secret";
  run(given: CommandOptions, words: string[]): Promise<CommandResult>;
};

/** The same result for programs and for people. */
export type CommandResult = {
  json: Record<string, unknown>;
  text: string;
  /** For people who watch: it goes to stderr. */
  aside?: string;
  /** Exit status; 0 unless told. */
  status?: number;
};

/** A file as it was named on the command line: from the folder of who called, which may not be ours. */
export const fileNamed = (path: string): string => resolve(process.env.INIT_CWD ?? "", path);

/** What `catch` makes of "not found": a sentence for the operator. */
export const unlessFound = (message: string) => (error: unknown) => {
  throw error instanceof AppError && error.status === 404 ? new OperatorError(message) : error;
};

/** Rows of words as aligned lines, or a word for none. */
export function table(rows: string[][]): string {
  if (rows.length === 0) return "None.";
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}

export const day = (epochMilliseconds: number) => new Date(epochMilliseconds).toISOString().slice(0, 10);
