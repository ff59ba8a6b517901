import { resolve } from "node:path";
import { AppError } from "@/lib/errors";

/**
 * A problem that the operator must fix. The message is a single sentence, and the only text that
 * the operator sees.
 */
export class OperatorError extends Error {}

/**
 * Returns the error for an unknown client ID. The message names the commands that list the valid
 * IDs.
 */
export const noSuchApp = (clientId: string) =>
  new OperatorError(
    `No app has the client ID ${clientId}. To find the client ID, run "app list" (apps that owners registered) or "grant list" (all apps with permissions).`,
  );

/** An error for incorrect usage. The exit status is 2. */
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

/** A command. `lib/cli/command-specs` declares its options and arguments. */
export type Command = {
  /**
   * The preparation that the command needs. By default, it needs a migrated database and keys that
   * can decrypt the database's contents. With "reachable shards", shards may be away.
   */
  behind?: "nothing" | "repair" | "any secret" | "reachable shards";
  run(given: CommandOptions, words: string[]): Promise<CommandResult>;
};

/** The result of a command, as JSON for programs and as text for people. */
export type CommandResult = {
  json: Record<string, unknown>;
  text: string;
  /** Whether the command has written its result to stdout itself, because the result can be large. */
  isWritten?: true;
  /** Text for stderr, for a person who is watching the command. */
  aside?: string;
  /** The exit status; 0 by default. */
  status?: number;
};

/**
 * Resolves a file named on the command line. The path is relative to the caller's folder, which may
 * differ from this process's folder.
 */
export const fileNamed = (path: string): string => resolve(process.env.INIT_CWD ?? "", path);

/**
 * Returns a function for `catch` that replaces a "not found" error with a sentence for the
 * operator.
 */
export const unlessFound = (message: string) => (error: unknown) => {
  throw error instanceof AppError && error.status === 404 ? new OperatorError(message) : error;
};

/** Formats rows as aligned columns of text, or as "None." if there are no rows. */
export function table(rows: string[][]): string {
  if (rows.length === 0) return "None.";
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}

export const day = (epochMilliseconds: number) => new Date(epochMilliseconds).toISOString().slice(0, 10);
