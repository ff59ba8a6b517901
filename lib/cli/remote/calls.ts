import { Calls } from "@/lib/client/calls";
import type { Connection, Retry } from "@/lib/client/connection";
import { CountersignError } from "@/lib/client/errors";
import { readSettings } from "@/lib/config/env";
import { type CommandOptions, OperatorError } from "../command";

/*
 * Commands that speak to a service over HTTP, as any app does: they need its address and a token, and no database.
 */

/**
 * The service that a command speaks to: COUNTERSIGN_URL, or else the one of this checkout's settings.
 * @param needs what the token has to allow, in words
 * @throws {OperatorError} without a token, or with an address that is none
 */
export function remoteCalls(
  given: CommandOptions,
  needs: string,
  more: Pick<Connection, "allowSimulated"> = {},
): Calls {
  const { COUNTERSIGN_URL } = process.env;
  const token = given.one("token") ?? process.env.COUNTERSIGN_TOKEN;
  if (!token) throw new OperatorError(`COUNTERSIGN_TOKEN is missing: a token with ${needs}.`);
  if (COUNTERSIGN_URL && !URL.canParse(COUNTERSIGN_URL))
    throw new OperatorError("COUNTERSIGN_URL is not an address like https://yes.example.com.");
  const { PUBLIC_URL, PORT } = readSettings(process.env);
  return new Calls({
    baseUrl: COUNTERSIGN_URL || PUBLIC_URL || `http://localhost:${PORT}`,
    token,
    onRetry: sayAway,
    ...more,
  });
}

/** Once for each outage, so that nobody watches a command that is silent. */
function sayAway({ attempt, reason }: Retry): void {
  if (attempt === 1) process.stderr.write(`${reason.message}. Trying again.\n`);
}

/** @throws {OperatorError} what the service said; anything else as it is */
export function refused(error: unknown): never {
  if (error instanceof CountersignError) throw new OperatorError(`${error.message}.`);
  throw error;
}
