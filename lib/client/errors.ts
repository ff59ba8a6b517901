/** The problem with one field of a request. */
export type Detail = { path: string; message: string };

/** Thrown if the service rejected the request, or was unreachable until the timeout. */
export class CountersignError extends Error {
  constructor(
    message: string,
    /** The HTTP status; 0 without a response. */
    readonly status: number,
    /** For a 400, each invalid field. For a 401, the problem with the token. */
    readonly details: readonly Detail[] = [],
    /** The request's ID. Include it in a report about a problem. */
    readonly requestId: string | undefined = undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "CountersignError";
  }
}

/**
 * Returns the error for a request without a response. The error names the service's address and the
 * innermost cause that has a message.
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
 * Returns an error's cause. If a host name has several addresses, connecting causes one error per
 * address, and this returns the last.
 */
const causeOf = (error: Error): unknown => (error instanceof AggregateError ? error.errors.at(-1) : error.cause);

/**
 * Thrown if no answer came in time. After the caller's timeout, the question is still pending.
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

/** Thrown for a receipt or webhook that fails verification. */
export class VerificationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "VerificationError";
  }
}
