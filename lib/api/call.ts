import { badRequest } from "@/lib/errors";

/** Most bytes of a request's body. */
export const bodyLimit = 128 * 1024;

/**
 * One request, as both doors present it: the front from the socket, a route file from Next. Nothing in it is read before
 * it is needed.
 */
export type OperationRequest = {
  /** GET also where it was HEAD. */
  method: string;
  /** The query without its `?`. */
  query: string;
  /** What stands in its path, once it is known which that is. */
  params: Record<string, string>;
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined;
  /** The whole body. @throws {AppError} 413 beyond {@link bodyLimit}, as early as that shows */
  body(): Promise<Buffer>;
  /** Aborted when the caller hangs up; made when first asked for. */
  leaving(): AbortSignal;
};

export type OperationResponse = {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** In place of the body: text, piece by piece, until it ends or the caller leaves. */
  stream?: AsyncGenerator<string>;
  /** Never sent: of a 403, the permission that was lacking, or "" where it was not for want of one. */
  lacks?: string;
  /** Never sent: for the developer's list of requests. */
  warnings?: readonly string[] | undefined;
};

/** Path and query or body of a call, together, as the operation's input takes them. @throws {AppError} 400, 413 */
export async function readInput(call: OperationRequest): Promise<Record<string, unknown>> {
  const given = call.method === "POST" ? readJson(await readBody(call)) : readQuery(call.query);
  for (const [name, value] of Object.entries(call.params)) {
    if (Object.hasOwn(given, name)) throw badRequest(`Unrecognized key: ${name}. It is in the path`, name);
    given[name] = value;
  }
  return given;
}

/** The bytes of a JSON body. The content type must say so: "simple" cross-site requests cannot. @throws {AppError} 400, 413 */
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
    throw badRequest("Body is not UTF-8");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw badRequest("Body is not a JSON object");
  // A key of this name would be set, not read, when the object is copied.
  if (Object.hasOwn(value, "__proto__")) throw badRequest("Unrecognized key: __proto__", "__proto__");
  return value as Record<string, unknown>;
}

/** Where JSON ends to be JSON, as far as the reader says, without repeating any of it. */
function notJson(bytes: Buffer, { message }: SyntaxError): string {
  if (bytes.length === 0) return "Body is empty: send a JSON object";
  const [, at] = /position (\d+)/.exec(message) ?? [];
  const where = at === undefined ? "it ends too early" : `look at character ${Number(at) + 1}`;
  return `Body is not JSON: ${where}. Names and text need double quotes, and no comma comes before a closing bracket`;
}

/** @throws {AppError} 400 for what is repeated */
export function readQuery(query: string): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  if (query === "") return given;
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === "__proto__") throw badRequest("Unrecognized key: __proto__", "__proto__");
    if (Object.hasOwn(given, name)) throw badRequest("Must not be repeated", name);
    given[name] = value;
  }
  return given;
}
