import { badRequest } from "@/lib/errors";

/** The maximum size of a request body, in bytes. */
export const bodyLimit = 128 * 1024;

/**
 * A request to either entry point: our HTTP server, or a Next route file. Each part is read only
 * when needed.
 */
export type OperationRequest = {
  /** The HTTP method. HEAD requests count as GET. */
  method: string;
  /** The query string without its `?`. */
  query: string;
  /** The path's parameters, set once the path has been matched. */
  params: Record<string, string>;
  /** Returns a header's value by its lower-case name. */
  header(name: string): string | undefined;
  /**
   * Reads the whole body.
   * @throws {AppError} 413 as soon as the body is known to exceed {@link bodyLimit}
   */
  body(): Promise<Buffer>;
  /**
   * Returns a signal that aborts when the caller disconnects. The signal is created on first use.
   */
  leaving(): AbortSignal;
};

export type OperationResponse = {
  status: number;
  headers: Record<string, string>;
  body: string;
  /**
   * The text that is sent piece by piece instead of a body, until the text ends or the caller
   * disconnects.
   */
  stream?: AsyncGenerator<string>;
  /**
   * The missing scope that caused a 403, or "" if the 403 has another reason. Not sent to the
   * caller.
   */
  lacks?: string;
  /** Whether the 403's reason is a freeze. Not sent to the caller, who reads `details`. */
  frozen?: boolean;
  /** Warnings for the developer's request log. Not sent to the caller. */
  warnings?: readonly string[] | undefined;
};

/**
 * Merges the call's path parameters and its query or body into the operation's input.
 * @throws {AppError} 400, 413
 */
export async function readInput(call: OperationRequest): Promise<Record<string, unknown>> {
  const given = call.method === "POST" ? readJson(await readBody(call)) : readQuery(call.query);
  for (const [name, value] of Object.entries(call.params)) {
    if (Object.hasOwn(given, name)) throw badRequest(`Unrecognized key: ${name}. Send ${name} only in the path.`, name);
    given[name] = value;
  }
  return given;
}

/**
 * Reads the bytes of a JSON body. Requires a JSON content type, because other sites cannot set that
 * in "simple" requests.
 * @throws {AppError} 400, 413
 */
export async function readBody(call: OperationRequest): Promise<Buffer> {
  const bytes = await call.body();
  const type = call.header("content-type") ?? "";
  if (!/^application\/json\s*(;\s*charset=("?)utf-8\2\s*)?$/i.test(type))
    throw badRequest("Content-Type must be application/json");
  if (call.header("content-encoding"))
    throw badRequest("Content-Encoding is not supported. Send the body uncompressed.");
  return bytes;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function readJson(bytes: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) throw badRequest(notJson(bytes, error));
    throw badRequest("The request body must be encoded in UTF-8");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw badRequest("The request body must be a JSON object");
  // If the object were copied, the key `__proto__` would set the copy's prototype.
  if (Object.hasOwn(value, "__proto__")) throw badRequest("Unrecognized key: __proto__. Remove the key.", "__proto__");
  return value as Record<string, unknown>;
}

/**
 * Returns why the body is not JSON, with the position if the parser reports one. Never quotes the
 * body.
 */
function notJson(bytes: Buffer, { message }: SyntaxError): string {
  if (bytes.length === 0) return "The request body is empty. Send a JSON object.";
  const [, position] = /position (\d+)/.exec(message) ?? [];
  const fault = position === undefined ? "invalid" : `invalid at character ${Number(position) + 1}`;
  return `The JSON in the request body is ${fault}. Use double quotes for names and text. Remove any comma before a closing bracket.`;
}

/**
 * Returns the parameters of a query string.
 * @throws {AppError} 400 for a repeated parameter
 */
export function readQuery(query: string): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  if (query === "") return given;
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === "__proto__") throw badRequest("Unrecognized key: __proto__. Remove the key.", "__proto__");
    if (Object.hasOwn(given, name)) throw badRequest("Must be sent only once", name);
    given[name] = value;
  }
  return given;
}
