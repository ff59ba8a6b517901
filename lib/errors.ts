/** What one refused field is called and why: `details` of a 400. */
export type Detail = { path: string; message: string };

type Extra = { details?: Detail[]; headers?: Record<string, string> };

/** A failure the caller is meant to read. Anything else that is thrown is our own fault and leaves as 500 without detail. */
export class AppError extends Error {
  readonly details: Detail[] | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(
    /** HTTP status. */
    readonly status: number,
    message: string,
    { details, headers }: Extra = {},
  ) {
    super(message);
    this.details = details;
    this.headers = headers;
  }
}

/** 400. A string becomes the one detail, about the whole request. */
export const badRequest = (details: string | Detail[], path = "") =>
  new AppError(400, "Bad request", {
    details: typeof details === "string" ? [{ path, message: details }] : details,
  });

/** 401. `sent`: whether a token was there at all (RFC 6750 section 3 names the error only then); `why`, for the developer. */
export const unauthorized = (sent = true, why?: string) => new Unauthorized(sent, why);
export class Unauthorized extends AppError {
  constructor(
    readonly sent: boolean,
    /** What to mend, where that gives nothing away: nothing in it may tell one token that does not work from another. */
    readonly why?: string,
  ) {
    super(401, "Unauthorized", why === undefined ? {} : { details: [{ path: "", message: why }] });
  }
}
/** 401. It has the form of a token, and that is all that is said of it. */
export const invalidToken = () =>
  unauthorized(true, "This token is unknown, expired or revoked. Refresh it or get a new one.");
/** 401. The token works, at the other of our two resources. */
export const wrongAudience = (here: "api" | "mcp") =>
  new Unauthorized(true, `This token is for ${doors[here === "api" ? "mcp" : "api"]}. Create one for ${doors[here]}.`);
const doors = { api: "/api", mcp: "/api/mcp" };

/**
 * 403. @param scope the one that is missing
 * @param held the scopes that the token has @param path the field that needs the scope, where the rest of the request does not
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
/** Which scope is missing and what to do, for the developer. @param held the scopes that the token has, where they are known */
export const lacksScope = (scope: string, held?: readonly string[]) =>
  `Needs ${scope}${held ? `; this token has ${[...held].sort().join(", ") || "no scope"}` : ""}. Ask the owner to allow it, or use a token that has it.`;

/** 403. The owner must show again who they are: their last sign-in is more than ten minutes old. Nothing was done. */
export const signInAgain = () => new SignInAgain();
export class SignInAgain extends AppError {
  constructor() {
    super(403, "Sign in again to do this: you signed in more than ten minutes ago");
  }
}

/** 404. @param why what is wrong with the id, where that shows without knowing any */
export const notFound = (why?: string) =>
  new AppError(404, "Not found", why === undefined ? {} : { details: [{ path: "id", message: why }] });
/** 409. Somebody answered before. */
export const alreadyResolved = () => new AlreadyResolved();
export class AlreadyResolved extends AppError {
  constructor() {
    super(409, "Already resolved");
  }
}
export const notResolved = () => new AppError(409, "Not resolved yet");
/** 409. An approval has as many words beside it as it may have. */
export const threadFull = (message: string) => new AppError(409, message);
/** 409. What the owner answered is not what stands there now: nothing was decided. */
export const questionChanged = () => new QuestionChanged();
export class QuestionChanged extends AppError {
  constructor() {
    super(409, "This question changed. Look again.");
  }
}
/** 409. The app is not what the page showed when the owner allowed it: nothing was decided. */
export const appChanged = () => new AppChanged();
export class AppChanged extends AppError {
  constructor() {
    super(409, "The app changed. Look again, then decide");
  }
}
/** 409. Nobody can answer it any more. */
export const deadlinePassed = () => new AppError(409, "Deadline passed");
/** 403, though the token lacks nothing. */
export const ownerOnly = () =>
  new AppError(403, "Forbidden", { details: [{ path: "id", message: "Only the owner may answer this approval" }] });
/** 422. */
export const idempotencyKeyReused = () =>
  new AppError(
    422,
    "Idempotency-Key was used for another request. A new request needs a new key; to repeat the first one, send the same bytes.",
  );
/** 413. @param limit in bytes */
export const tooLarge = (limit: number) =>
  new AppError(413, "Payload too large", {
    details: [{ path: "", message: `Send at most ${limit / 1024} KiB; put what is longer behind a link.` }],
    headers: { connection: "close" },
  });
export const tooMany = (message: string, seconds: number) =>
  new AppError(429, message, { headers: { "retry-after": String(Math.max(1, Math.ceil(seconds))) } });

/** 499, as nginx has it, for the log: the caller hung up, and nobody reads this. */
export const callerLeft = () => new AppError(499, "The caller hung up before this was read");

/** 503. The write may or may not have happened; the same request with the same Idempotency-Key is safe to send again. */
export const unavailable = (message = "Service unavailable") =>
  new AppError(503, message, { headers: { "retry-after": "1" } });

/** SQLSTATE classes and codes that say "the database cannot do it now", as opposed to "the request is wrong". */
const passing = /^(08|53|57P|40001|40P01|55P03|57014|25006|P1001|P1002|P1017|P2024|P2028|P2034)/;
const dropped =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|the database system is|Client has encountered a connection error|Cannot use a pool after calling end/i;

/**
 * The AppError that a thrown value stands for: itself, 503 for a database that is away, full or slow, 400 for text that
 * Postgres refuses, or undefined where the fault is ours.
 */
export function asAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  const { code, message } = driverError(error);
  if (passing.test(code) || dropped.test(message)) return unavailable();
  if (code === "22021" || code === "22P05") return badRequest("Text that the database cannot hold");
  return undefined;
}

/** What the database called it, or Prisma or Node where it never said; "" for what comes from elsewhere. */
export const sqlState = (error: unknown): string => driverError(error).code;

/** Prisma wraps what the driver said; P2039 alone covers both outages and bad input, so look inside (its `cause.originalCode`). */
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
