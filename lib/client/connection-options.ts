import type { CountersignError } from "./errors";

export type Connection = {
  /** The service's URL, like `https://yes.example.com`. */
  baseUrl: string;
  /**
   * An access token or a personal token, or a function that returns one. After the service rejects
   * a token, the function is called with the rejected token and returns a new one, as
   * `refreshingToken` does.
   */
  token: string | ((refused?: string) => string | Promise<string>);
  /** A replacement for the runtime's own `fetch`. */
  fetch?: typeof globalThis.fetch;
  /**
   * How long the client retries a call while the service is unavailable, in milliseconds. One
   * minute by default.
   */
  patienceMs?: number;
  /** Called before the pause that precedes each retry. Use it to log retries, for example. */
  onRetry?: (retry: Retry) => void;
  /**
   * Whether `answer.yes` and the gates accept simulated answers (`countersign simulate`). For tests
   * only. The default is true if the environment has `COUNTERSIGN_ALLOW_SIMULATED=1`, and false
   * otherwise.
   */
  allowSimulated?: boolean;
};

/** A failed attempt that will be retried. */
export type Retry = {
  /** The number of the failed attempt, from 1. */
  attempt: number;
  /** How long the client waits before the next attempt, in milliseconds. */
  delayMs: number;
  /**
   * The reason for the failure. If the service is unreachable, the message names its address and
   * the cause.
   */
  reason: CountersignError;
};

/**
 * The options of a connection. `baseUrl` and `token` default to `COUNTERSIGN_URL` and
 * `COUNTERSIGN_TOKEN` from the environment in Node.js, Deno and Bun.
 */
export type ConnectionOptions = Omit<Connection, "baseUrl" | "token"> & {
  [Name in "baseUrl" | "token"]?: Connection[Name] | undefined;
};

/**
 * Completes a connection's options from the environment.
 * @throws {TypeError} naming a value that is neither passed nor in the environment
 */
export function connectionOf(given: ConnectionOptions): Connection {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const needed = <T>(value: T | undefined, ask: string, option: string, variable: string): T | string => {
    const found = value || process?.env?.[variable];
    if (!found) throw new TypeError(`${ask} Pass ${option}${process?.env ? `, or set ${variable}` : ""}.`);
    return found;
  };
  const allowSimulated = process?.env?.COUNTERSIGN_ALLOW_SIMULATED === "1";
  return {
    ...(allowSimulated && { allowSimulated }),
    ...given,
    baseUrl: needed(given.baseUrl, "The service address is missing.", "baseUrl", "COUNTERSIGN_URL"),
    token: needed(given.token, "The token is missing.", "token", "COUNTERSIGN_TOKEN"),
  };
}
