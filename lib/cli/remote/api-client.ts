import type { Connection, Retry } from "@/lib/client/connection-options";
import { CountersignError } from "@/lib/client/errors";
import { Calls } from "@/lib/client/http-calls";
import { readSettings } from "@/lib/config/env";
import { type CommandOptions, OperatorError } from "../command";

/*
 * Some commands call a service over HTTP, as apps do. Such a command needs the service's URL and a
 * token, but no database.
 */

/**
 * Returns the client for the service that a command calls: the one at COUNTERSIGN_URL, or the one
 * in this checkout's settings.
 * @param needs the scopes that the token needs, in words
 * @throws {OperatorError} without a token, or with an invalid URL
 */
export function remoteCalls(
  given: CommandOptions,
  needs: string,
  more: Pick<Connection, "allowSimulated"> = {},
): Calls {
  const { COUNTERSIGN_URL } = process.env;
  const token = given.one("token") ?? process.env.COUNTERSIGN_TOKEN;
  if (!token)
    throw new OperatorError(`COUNTERSIGN_TOKEN is missing. Set COUNTERSIGN_TOKEN to a token with the ${needs}.`);
  if (COUNTERSIGN_URL && !URL.canParse(COUNTERSIGN_URL))
    throw new OperatorError("COUNTERSIGN_URL must be a URL like https://yes.example.com.");
  const { PUBLIC_URL, PORT } = readSettings(process.env);
  return new Calls({
    baseUrl: COUNTERSIGN_URL || PUBLIC_URL || `http://localhost:${PORT}`,
    token,
    onRetry: sayAway,
    ...more,
  });
}

/** Reports an outage once, so that the command never hangs silently. */
function sayAway({ attempt, reason }: Retry): void {
  if (attempt === 1) process.stderr.write(`${sentence(reason.message)} Trying again.\n`);
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/**
 * Converts an error of the client.
 * @throws {OperatorError} with the service's message; rethrows anything else
 */
export function refused(error: unknown): never {
  if (error instanceof CountersignError) throw new OperatorError(error.message);
  throw error;
}
