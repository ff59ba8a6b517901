/** The problem with one field of a request. */
export type Detail = { path: string; message: string };

/** The service rejected the request, or was unreachable until the timeout. */
export class CountersignError extends Error {
  constructor(
    message: string,
    /** HTTP status; 0 without a response. */
    readonly status: number,
    /** With 400: each invalid field. With 401: the problem with the token. */
    readonly details: readonly Detail[] = [],
    /** Include this ID when you report a problem. */
    readonly requestId: string | undefined = undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "CountersignError";
  }
}

/**
 * The error for a request without a response: it names the service's address and the innermost
 * cause that has a message.
 */
export function unreachable(url: URL, cause: unknown): CountersignError {
  let reason = "";
  for (let error = cause; error instanceof Error; error = causeOf(error)) {
    const { name, message, code } = error as Error & { code?: unknown };
    const own = name === "TimeoutError" ? "no response in time" : message || (typeof code === "string" ? code : "");
    if (own) reason = own;
  }
  const text = `The service at ${url.origin} could not be reached${reason && `: ${reason}`}`;
  return new CountersignError(text, 0, [], undefined, { cause });
}

/** A name with several addresses fails with one error per address. */
const causeOf = (error: Error): unknown => (error instanceof AggregateError ? error.errors.at(-1) : error.cause);

/**
 * No answer in time: at the caller's timeout, after which the question still waits, or at its
 * deadline.
 */
export class NoAnswerError extends Error {
  constructor(
    /** The approval's id; absent if the question could not be asked. */
    readonly id: string | undefined,
    /** Whether it can no longer be answered. */
    readonly deadlinePassed = false,
  ) {
    super(deadlinePassed ? "The deadline passed without an answer" : "The owner did not answer in time");
    this.name = "NoAnswerError";
  }
}

/** A receipt or webhook that proves nothing. */
export class VerificationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "VerificationError";
  }
}
