/**
 * An entry of `details`: a rejected field and the reason. Errors that programs must tell apart also
 * have a `reason` for programs, and may have further facts.
 */
export type Detail = { path: string; message: string; reason?: string; [fact: string]: unknown };

type Extra = { details?: Detail[]; headers?: Record<string, string> };

/**
 * A failure whose message may be shown to the caller. Any other thrown value is a bug of ours and
 * becomes a 500 without details.
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
 * Returns a 400. A string becomes the only entry of `details`, for the field `path` or, by default,
 * for the whole request.
 */
export const badRequest = (details: string | Detail[], path = "") =>
  new AppError(400, "Bad request", { details: typeof details === "string" ? [{ path, message: details }] : details });

/**
 * Returns a 401.
 * @param sent whether the request had a token, because RFC 6750 section 3 includes the error code
 *   only then
 * @param why text for the developer
 */
export const unauthorized = (sent = true, why?: string) => new Unauthorized(sent, why);
export class Unauthorized extends AppError {
  constructor(
    readonly sent: boolean,
    /**
     * Explains how to fix the token, but reveals nothing else, because invalid tokens must be
     * indistinguishable.
     */
    readonly why?: string,
  ) {
    super(401, "Unauthorized", why === undefined ? {} : { details: [{ path: "", message: why }] });
  }
}
/** Returns a 401 for a well-formed token. The error reveals nothing more about the token. */
export const invalidToken = () =>
  unauthorized(true, "This token is unknown, expired or revoked. Refresh the token, or get a new token.");
/** Returns a 401 for a token that is valid, but only for the other one of our two resources. */
export const wrongAudience = (here: "api" | "mcp") =>
  new Unauthorized(
    true,
    `This token works only for ${doors[here === "api" ? "mcp" : "api"]}. Create a token for ${doors[here]}.`,
  );
const doors = { api: "/api", mcp: "/api/mcp" };

/**
 * Returns a 403.
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
 * Returns a message for the developer that names the missing scope and the token's scopes.
 * @param held the token's scopes, if known
 */
export const lacksScope = (scope: string, held?: readonly string[]) =>
  `This request requires the scope ${scope}.${held ? ` This token has ${[...held].sort().join(", ") || "no scopes"}.` : ""} Ask the owner to allow ${scope}, or use a token with ${scope}.`;

/**
 * Returns a 403 for an owner who must sign in again, because the last sign-in was more than ten
 * minutes ago. Nothing has changed.
 */
export const signInAgain = () => new SignInAgain();
export class SignInAgain extends AppError {
  constructor() {
    super(403, "You signed in more than ten minutes ago. Sign in again to continue.");
  }
}

/**
 * Returns a 404.
 * @param why the problem with the ID's format, if any
 */
export const notFound = (why?: string) =>
  new AppError(404, "Not found", why === undefined ? {} : { details: [{ path: "id", message: why }] });
/** Returns a 409 for an approval that already has an answer. */
export const alreadyResolved = () => new AlreadyResolved();
export class AlreadyResolved extends AppError {
  constructor() {
    super(409, "Already resolved");
  }
}
export const notResolved = () => new AppError(409, "The approval is not resolved yet");
/** Returns a 409 for an approval whose thread has reached its limit. */
export const threadFull = (message: string) => new AppError(409, message);
/** Returns a 409 for an answer to an earlier version of the question. Nothing was decided. */
export const questionChanged = () => new QuestionChanged();
export class QuestionChanged extends AppError {
  constructor() {
    super(409, "This question has changed. Review the question, then answer again.");
  }
}
/** Returns a 409 for an app that has changed since the owner saw its page. Nothing was decided. */
export const appChanged = () => new AppChanged();
export class AppChanged extends AppError {
  constructor() {
    super(409, "The app has changed. Review the app, then decide.");
  }
}
/** Returns a 409 for an answer before the owner picked the app's number. Nothing was decided. */
export const numberNotPicked = () => new AppError(409, "Pick the number that the app shows, then answer.");
/** Returns a 409 for a question whose owner picked a wrong number, so no answer counts. */
export const numberMismatched = () => new NumberMismatched();
export class NumberMismatched extends AppError {
  constructor() {
    super(409, "The wrong number was picked, so the question was closed. The app can ask again.");
  }
}
/** Returns a 409 for an approval that no one can answer any longer. */
export const deadlinePassed = () => new AppError(409, "Deadline passed");
/**
 * Returns a 403 for a token that has the scope, because only the owner may answer this approval.
 */
export const ownerOnly = () =>
  new AppError(403, "Forbidden", { details: [{ path: "id", message: "Only the owner may answer this approval" }] });
/** 422. */
export const idempotencyKeyReused = () =>
  new AppError(
    422,
    "This Idempotency-Key was used with a different request. Use a new key, or resend the original request unchanged.",
  );
/**
 * Returns a 413.
 * @param limit the maximum size in bytes
 */
export const tooLarge = (limit: number) =>
  new AppError(413, "Payload too large", {
    details: [{ path: "", message: `Send at most ${limit / 1024} KiB. For longer content, send a link.` }],
    headers: { connection: "close" },
  });
export const tooMany = (message: string, seconds: number) =>
  new AppError(429, message, { headers: { "retry-after": String(Math.max(1, Math.ceil(seconds))) } });

/**
 * Returns a 499, a status that comes from nginx. It appears only in the log, because the client has
 * disconnected.
 */
export const callerLeft = () => new AppError(499, "The client disconnected before the request was read");

/**
 * Returns a 503. The write may or may not have happened. The caller can safely resend the request
 * with its Idempotency-Key.
 */
export const unavailable = (message = "Service unavailable") =>
  new AppError(503, message, { headers: { "retry-after": "1" } });

/**
 * SQLSTATE classes and codes, and codes from Prisma and Node, which mean that the database is temporarily unable
 * to process the request, rather than that the request is invalid.
 */
const passing =
  /^(08|53|57P|40001|40P01|55P03|57014|25006|P1001|P1002|P1017|P2024|P2028|P2034|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/;
const dropped =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|the database system is|Client has encountered a connection error|Cannot use a pool after calling end/i;

/**
 * Returns the AppError for a thrown value. That is the value itself, a 503 if the database is down,
 * full or slow, or a 400 if Postgres rejects the text. Returns undefined for a bug of ours.
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
 * Returns an error's SQLSTATE or, if it has none, its code from Prisma or Node. Returns "" for
 * other errors.
 */
export const sqlState = (error: unknown): string => driverError(error).code;

/**
 * Returns a database error's code and message. Prisma wraps the driver's error, and its code P2039
 * covers both outages and bad input. The driver's own code (`cause.originalCode`) therefore takes
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
