import { resolve } from "node:path";
import { AppError } from "@/lib/errors";

/** A problem that the operator has to fix. The message is the one sentence that they read. */
export class OperatorError extends Error {}

/**
 * Returns the error for an unknown client ID. The message names the commands that list valid IDs.
 */
export const noSuchApp = (clientId: string) =>
  new OperatorError(
    `No app has the client ID ${clientId}. To find the client ID, run "app list" (apps that owners registered) or "grant list" (all apps with permissions).`,
  );

/** The error for incorrect usage. The exit status is 2. */
export class UsageError extends Error {}

/**
 * A command line's options. `one` returns an option's last value, and `all` returns all its values
 * in order.
 */
export type CommandOptions = {
  one(name: string): string | undefined;
  all(name: string): string[];
  has(name: string): boolean;
};

/** One command. `lib/cli/command-specs` declares its options and words. */
export type Command = {
  /**
   * The preparation that the command requires. By default, this is a migrated database, with keys
   * that decrypt its contents.
   */
  behind?: "nothing" | "repair" | "any secret";
  run(given: CommandOptions, words: string[]): Promise<CommandResult>;
};

/** One result, as JSON for programs and as text for people. */
export type CommandResult = {
  json: Record<string, unknown>;
  text: string;
  /** Text on stderr, for a person who watches the command. */
  aside?: string;
  /** The exit status; 0 by default. */
  status?: number;
};

/**
 * Resolves a file named on the command line. The path is relative to the caller's folder, which may
 * differ from this process's folder.
 */
export const fileNamed = (path: string): string => resolve(process.env.INIT_CWD ?? "", path);

/** Turns a "not found" error into a sentence for the operator, for use in `catch`. */
export const unlessFound = (message: string) => (error: unknown) => {
  throw error instanceof AppError && error.status === 404 ? new OperatorError(message) : error;
};

/** Formats rows of words as aligned lines, or "None." if there are none. */
export function table(rows: string[][]): string {
  if (rows.length === 0) return "None.";
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}

export const day = (epochMilliseconds: number) => new Date(epochMilliseconds).toISOString().slice(0, 10);
