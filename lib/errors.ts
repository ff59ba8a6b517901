/** A rejected field with the reason, as one entry of `details` in a 400. */
export type Detail = { path: string; message: string };

type Extra = { details?: Detail[]; headers?: Record<string, string> };

/**
 * A failure whose message the caller may read. Any other thrown value is our own bug and becomes a
 * 500 without detail.
 */
export class AppError extends Error {
  readonly details: Detail[] | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(
    readonly status: number,
    message: string,
    { details, headers }: Extra = {},
  ) {
    super(message);
    this.details = details;
    this.headers = headers;
  }
}

/**
 * 400. A text becomes the one detail, about the field `path` or, by default, about the whole
 * request.
 */
export const badRequest = (details: string | Detail[], path = "") =>
  new AppError(400, "Bad request", { details: typeof details === "string" ? [{ path, message: details }] : details });

/**
 * 401. `sent`: whether the request had a token, because RFC 6750 section 3 names the error only
 * then. `why`: text for the developer.
 */
export const unauthorized = (sent = true, why?: string) => new Unauthorized(sent, why);
export class Unauthorized extends AppError {
  constructor(
    readonly sent: boolean,
    /**
     * Explains how to fix the token. Reveals nothing else, because invalid tokens must be
     * indistinguishable.
     */
    readonly why?: string,
  ) {
    super(401, "Unauthorized", why === undefined ? {} : { details: [{ path: "", message: why }] });
  }
}
/** 401. The token is well-formed. The error reveals nothing more about it. */
export const invalidToken = () =>
  unauthorized(true, "This token is unknown, expired or revoked. Refresh the token, or get a new token.");
/** 401. The token is valid, but for the other of our two resources. */
export const wrongAudience = (here: "api" | "mcp") =>
  new Unauthorized(
    true,
    `This token works only for ${doors[here === "api" ? "mcp" : "api"]}. Create a token for ${doors[here]}.`,
  );
const doors = { api: "/api", mcp: "/api/mcp" };

/**
 * 403.
 * @param scope the missing scope
 * @param held the token's scopes
 * @param path the field that needs the scope, if the rest of the request does not need it
 */
export const forbidden = (scope: string, held?: readonly string[], path = "") => new Forbidden(scope, held, path);
export class Forbidden extends AppError {
  constructor(
    readonly scope: string,
    held?: readonly string[],
    path = "",
  ) {
    super(403, "Forbidden", { details: [{ path, message: lacksScope(scope, held) }] });
  }
}
/**
 * Names the missing scope and how to get it, for the developer.
 * @param held the token's scopes, if known
 */
export const lacksScope = (scope: string, held?: readonly string[]) =>
  `This request requires the scope ${scope}.${held ? ` This token has ${[...held].sort().join(", ") || "no scopes"}.` : ""} Ask the owner to allow ${scope}, or use a token with ${scope}.`;

/**
 * 403. The owner must sign in again, because their last sign-in was more than ten minutes ago.
 * Nothing changed.
 */
export const signInAgain = () => new SignInAgain();
export class SignInAgain extends AppError {
  constructor() {
    super(403, "You signed in more than ten minutes ago. Sign in again to continue.");
  }
}

/** 404. @param why the problem with the ID, if its format shows one */
export const notFound = (why?: string) =>
  new AppError(404, "Not found", why === undefined ? {} : { details: [{ path: "id", message: why }] });
/** 409. Another answer was given before. */
export const alreadyResolved = () => new AlreadyResolved();
export class AlreadyResolved extends AppError {
  constructor() {
    super(409, "Already resolved");
  }
}
export const notResolved = () => new AppError(409, "The approval is not resolved yet");
/** 409. The approval's thread has reached its limit. */
export const threadFull = (message: string) => new AppError(409, message);
/** 409. The owner answered an earlier version of the question. Nothing was decided. */
export const questionChanged = () => new QuestionChanged();
export class QuestionChanged extends AppError {
  constructor() {
    super(409, "This question has changed. Review the question, then answer again.");
  }
}
/** 409. The app has changed since the owner saw its page. Nothing was decided. */
export const appChanged = () => new AppChanged();
export class AppChanged extends AppError {
  constructor() {
    super(409, "The app has changed. Review the app, then decide.");
  }
}
/** 409. The owner has to pick the number that the app shows. Nothing was decided. */
export const numberNotPicked = () => new AppError(409, "Pick the number that the app shows, then answer.");
/** 409. The owner picked a wrong number, so no answer counts. */
export const numberMismatched = () => new NumberMismatched();
export class NumberMismatched extends AppError {
  constructor() {
    super(409, "The wrong number was picked, so the question was closed. The app can ask again.");
  }
}
/** 409. No one can answer the approval any longer. */
export const deadlinePassed = () => new AppError(409, "Deadline passed");
/** 403. The token has the scope, but only the owner may answer this approval. */
export const ownerOnly = () =>
  new AppError(403, "Forbidden", { details: [{ path: "id", message: "Only the owner may answer this approval" }] });
/** 422. */
export const idempotencyKeyReused = () =>
  new AppError(
    422,
    "This Idempotency-Key was used with a different request. Use a new key, or resend the original request unchanged.",
  );
/** 413. @param limit in bytes */
export const tooLarge = (limit: number) =>
  new AppError(413, "Payload too large", {
    details: [{ path: "", message: `Send at most ${limit / 1024} KiB. For longer content, send a link.` }],
    headers: { connection: "close" },
  });
export const tooMany = (message: string, seconds: number) =>
  new AppError(429, message, { headers: { "retry-after": String(Math.max(1, Math.ceil(seconds))) } });

/**
 * 499, a status that nginx uses. It appears only in the log, because the client has disconnected.
 */
export const callerLeft = () => new AppError(499, "The client disconnected before the request was read");

/**
 * 503. The write may or may not have happened. The caller can safely resend the request with its
 * Idempotency-Key.
 */
export const unavailable = (message = "Service unavailable") =>
  new AppError(503, message, { headers: { "retry-after": "1" } });

/**
 * SQLSTATE classes and codes, and Prisma's codes, that mean "the database cannot do it now" rather
 * than "the request is wrong".
 */
const passing = /^(08|53|57P|40001|40P01|55P03|57014|25006|P1001|P1002|P1017|P2024|P2028|P2034)/;
const dropped =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|the database system is|Client has encountered a connection error|Cannot use a pool after calling end/i;

/**
 * Returns the AppError for a thrown value: the value itself; 503 for a database that is down, full
 * or slow; 400 for text that Postgres rejects. Returns undefined for a bug of ours.
 */
export function asAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  const { code, message } = driverError(error);
  if (passing.test(code) || dropped.test(message)) return unavailable();
  if (code === "22021" || code === "22P05")
    return badRequest(
      "The request contains a character that cannot be stored, such as NUL (U+0000). Remove the character",
    );
  return undefined;
}

/**
 * Returns the SQLSTATE or, without one, the code of Prisma or Node. Returns "" for other errors.
 */
export const sqlState = (error: unknown): string => driverError(error).code;

/**
 * Returns a database error's code and message. Prisma wraps the driver's error, and its P2039
 * covers both outages and bad input, so the driver's own code (`cause.originalCode`) takes
 * precedence.
 */
export function driverError(error: unknown): { code: string; message: string } {
  if (typeof error !== "object" || error === null) return { code: "", message: "" };
  const it = error as {
    code?: unknown;
    message?: unknown;
    errors?: unknown[];
    meta?: { driverAdapterError?: { cause?: { originalCode?: string; originalMessage?: string } } };
  };
  if (it.errors?.length) return driverError(it.errors[0]);
  const cause = it.meta?.driverAdapterError?.cause;
  return {
    code: cause?.originalCode ?? String(it.code ?? ""),
    message: `${cause?.originalMessage ?? ""} ${String(it.message ?? "")}`,
  };
}
