/**
 * The problem with one field of a request. `reason` is a code for programs, such as `used`, or
 * `frozen` if the owner froze the app. It may come with further facts.
 */
export type Detail = { path: string; message: string; reason?: string; [fact: string]: unknown };

/** Thrown if the service rejected the request or was unreachable until the timeout. */
export class CountersignError extends Error {
  constructor(
    message: string,
    /** The response's HTTP status, or 0 if there was no response. */
    readonly status: number,
    /** Each invalid field for a 400, or the problem with the token for a 401 or 403. */
    readonly details: readonly Detail[] = [],
    /** The request's ID. Include it when you report a problem. */
    readonly requestId: string | undefined = undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "CountersignError";
  }
}

/**
 * Returns the error for a request without a response. Its message names the service's address and
 * the innermost cause that has a message.
 */
export function unreachable(url: URL, cause: unknown): CountersignError {
  let reason = "";
  for (let error = cause; error instanceof Error; error = causeOf(error)) {
    const { name, message, code } = error as Error & { code?: unknown };
    const own = name === "TimeoutError" ? "no response in time" : message || (typeof code === "string" ? code : "");
    if (own) reason = own;
  }
  const text = `Could not connect to the service at ${url.origin}${reason && ` (${reason})`}`;
  return new CountersignError(text, 0, [], undefined, { cause });
}

/**
 * Returns an error's cause. If a host name has several addresses, a failed connection has one error
 * per address, and this function returns the last one.
 */
const causeOf = (error: Error): unknown => (error instanceof AggregateError ? error.errors.at(-1) : error.cause);

/**
 * Thrown if no answer arrived in time. After the caller's timeout, the question is still pending.
 * After the question's deadline, no one can answer it.
 */
export class NoAnswerError extends Error {
  constructor(
    /** The approval's ID. Absent if the question could not be asked. */
    readonly id: string | undefined,
    /** Whether the deadline has passed, so that no one can answer. */
    readonly deadlinePassed = false,
  ) {
    super(deadlinePassed ? "The deadline passed without an answer" : "The owner did not answer in time");
    this.name = "NoAnswerError";
  }
}

/** Thrown if a receipt or webhook fails verification. */
export class VerificationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "VerificationError";
  }
}
