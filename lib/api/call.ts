import { badRequest } from "@/lib/errors";

/** Largest request body, in bytes. */
export const bodyLimit = 128 * 1024;

/**
 * One request in a form that both entry points share: our HTTP server's socket, and a Next route
 * file. Nothing is read before it is needed.
 */
export type OperationRequest = {
  /** GET also for HEAD requests. */
  method: string;
  /** The query without its `?`. */
  query: string;
  /** The path's parameters, set once the path has been matched. */
  params: Record<string, string>;
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined;
  /** The whole body. @throws {AppError} 413 beyond {@link bodyLimit}, as early as possible */
  body(): Promise<Buffer>;
  /** Aborted when the caller disconnects; created on first use. */
  leaving(): AbortSignal;
};

export type OperationResponse = {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Sent instead of the body: text, piece by piece, until it ends or the caller disconnects. */
  stream?: AsyncGenerator<string>;
  /** Never sent. The scope missing on a 403, or "" if the 403 has another reason. */
  lacks?: string;
  /** Never sent. Warnings for the developer's request log. */
  warnings?: readonly string[] | undefined;
};

/**
 * The call's path parameters and its query or body, merged for the operation's input.
 * @throws {AppError} 400, 413
 */
export async function readInput(call: OperationRequest): Promise<Record<string, unknown>> {
  const given = call.method === "POST" ? readJson(await readBody(call)) : readQuery(call.query);
  for (const [name, value] of Object.entries(call.params)) {
    if (Object.hasOwn(given, name)) throw badRequest(`Unrecognized key: ${name}. Send it only in the path`, name);
    given[name] = value;
  }
  return given;
}

/**
 * The bytes of a JSON body. The content type must be JSON, which cross-site "simple" requests
 * cannot set.
 * @throws {AppError} 400, 413
 */
export async function readBody(call: OperationRequest): Promise<Buffer> {
  const bytes = await call.body();
  const type = call.header("content-type") ?? "";
  if (!/^application\/json\s*(;\s*charset=("?)utf-8\2\s*)?$/i.test(type))
    throw badRequest("Content-Type must be application/json");
  if (call.header("content-encoding")) throw badRequest("Content-Encoding is not supported");
  return bytes;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function readJson(bytes: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) throw badRequest(notJson(bytes, error));
    throw badRequest("The request body is not UTF-8");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw badRequest("The request body must be a JSON object");
  // Copying the object would set this key instead of reading it.
  if (Object.hasOwn(value, "__proto__")) throw badRequest("Unrecognized key: __proto__", "__proto__");
  return value as Record<string, unknown>;
}

/** Why the body is not JSON, and the position if the parser reports one. Never repeats the body. */
function notJson(bytes: Buffer, { message }: SyntaxError): string {
  if (bytes.length === 0) return "The request body is empty. Send a JSON object";
  const [, position] = /position (\d+)/.exec(message) ?? [];
  const where = position === undefined ? "it is incomplete" : `look at character ${Number(position) + 1}`;
  return `The request body is not valid JSON: ${where}. Names and text need double quotes. Remove any comma before a closing bracket`;
}

/** @throws {AppError} 400 for a repeated parameter */
export function readQuery(query: string): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  if (query === "") return given;
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === "__proto__") throw badRequest("Unrecognized key: __proto__", "__proto__");
    if (Object.hasOwn(given, name)) throw badRequest("Must be given only once", name);
    given[name] = value;
  }
  return given;
}
