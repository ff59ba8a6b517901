import { tooLarge } from "@/lib/errors";
import { toReadableStream } from "@/lib/text/to-readable-stream";
import { isPreflight, methodNotAllowed, preflight, unknownPath } from "./errors/error-responses";
import { methodHint, pathHint } from "./errors/path-hints";
import { handleRequest, withCommonHeaders } from "./handle-operation-request";
import { matchPath, operationsAt } from "./operation-registry";
import { bodyLimit, type OperationRequest, type OperationResponse } from "./operation-request";

/**
 * Returns the response for a path below `/api`: from its operation, 405 with `Allow`, 204 for
 * OPTIONS, or 404.
 */
export async function serve(path: string, call: OperationRequest): Promise<OperationResponse> {
  const match = matchPath(path);
  if (!match && isPreflight(call.method, call.header("access-control-request-method")))
    return withCommonHeaders(preflight([]));
  if (!match) return withCommonHeaders(unknownPath(pathHint(path)));
  const here = operationsAt(match.path);
  const op = here.find(({ method }) => method === call.method);
  if (op) return handleRequest(op, Object.assign(call, { params: match.params }));
  const allowed = here.map(({ method }) => method);
  if (call.method === "OPTIONS") return withCommonHeaders(preflight(allowed));
  return withCommonHeaders(methodNotAllowed(allowed, methodHint(call.method, match.path, allowed.join(" and "))));
}

/**
 * Serves every operation behind one route file, for `next dev` and for hosts that run Next without
 * our HTTP server.
 */
export const serveRequest = async (request: Request): Promise<Response> =>
  toResponse(await serve(new URL(request.url).pathname, toCall(request)));

export const toResponse = ({ status, headers, body, stream }: OperationResponse): Response =>
  new Response(stream ? toReadableStream(stream) : status === 204 ? null : body, { status, headers });

const toCall = (request: Request): OperationRequest => ({
  method: request.method === "HEAD" ? "GET" : request.method,
  query: new URL(request.url).search.slice(1),
  params: {},
  header: (name) => request.headers.get(name) ?? undefined,
  body: () => readAll(request),
  leaving: () => request.signal,
});

/**
 * Reads a request's body.
 * @throws {AppError} 413 at the limit, without reading the rest
 */
async function readAll(request: Request): Promise<Buffer> {
  if (Number(request.headers.get("content-length") ?? 0) > bodyLimit) throw tooLarge(bodyLimit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > bodyLimit) throw tooLarge(bodyLimit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
