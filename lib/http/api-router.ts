import type { IncomingMessage, ServerResponse } from "node:http";
import { isPreflight, methodNotAllowed, preflight } from "@/lib/api/errors/error-responses";
import { toErrorResponse, withCommonHeaders } from "@/lib/api/handle-operation-request";
import { alive, healthy, type Readiness, ready } from "@/lib/api/health";
import { mcpEndpoint } from "@/lib/api/mcp";
import { openapiText } from "@/lib/api/openapi";
import { openapi30Text } from "@/lib/api/openapi-3.0";
import { bodyLimit, type OperationRequest, type OperationResponse } from "@/lib/api/operation-request";
import { serve } from "@/lib/api/route-request";
import { badRequest, tooLarge } from "@/lib/errors";
import { introspectEndpoint } from "@/lib/oauth/introspect-endpoint";
import { revokeEndpoint } from "@/lib/oauth/revoke-endpoint";
import { tokenEndpoint } from "@/lib/oauth/token-endpoint";
import { currentRequest } from "@/lib/request-context";
import { clientAddress } from "./client-address";
import { receiptUseEndpoint } from "./receipt-use-endpoint";
import { isApiPath, isDuplicateHeader, pathOf, probePaths } from "./request-checks";
import { send } from "./send-response";
import { streamResponse } from "./stream-response";

/**
 * Handles a request if it is to an endpoint for apps.
 * @returns whether the request was handled
 */
export type ApiRouter = (req: IncomingMessage, res: ServerResponse) => boolean;

/** Handles all requests from apps and health probes, without Next. */
export function apiRouter(standing: Readiness): ApiRouter {
  const own: Record<string, (req: IncomingMessage) => Promise<OperationResponse>> = {
    "/livez": async () => alive(),
    "/readyz": ({ url }) => (url?.endsWith("?strict") ? healthy(standing.draining) : ready(standing)),
    "/api/health": () => healthy(standing.draining),
    "/api/openapi.json": async () => ({ status: 200, headers: {}, body: openapiText() }),
    "/api/openapi-3.0.json": async () => ({ status: 200, headers: {}, body: openapi30Text() }),
  };
  return (req, res) => {
    const target = req.url as string;
    const path = pathOf(target);
    const reply = own[path];
    const form = Object.hasOwn(forms, path) ? forms[path] : undefined;
    if (reply || form || path === "/api/mcp") nameRoute(req, path);
    if (reply) {
      // Some load balancers send health probes as OPTIONS requests, and also need the status.
      const allowed = ["GET", "HEAD", probePaths.has(path) ? "OPTIONS" : "GET"].includes(req.method as string);
      const others = isPreflight(req.method, req.headers["access-control-request-method"]) && preflight(["GET"]);
      const answered = others ? others : allowed ? reply(req) : methodNotAllowed(["GET"]);
      void Promise.resolve(answered).then((it) => send(req, res, withCommonHeaders(it)));
      return true;
    }
    if (form) {
      void toForm(req, form).then((it) => send(req, res, it));
      return true;
    }
    if (path === "/api/mcp") {
      void toMcp(req, res);
      return true;
    }
    if (path === "/receipts/use") {
      nameRoute(req, path);
      const call = new SocketCall(req, res, target.slice(path.length + 1));
      void receiptUseEndpoint(call, clientAddress(req)).then((it) => send(req, res, withCommonHeaders(it, {})));
      return true;
    }
    if (!isApiPath(path)) return false;
    void serve(path, new SocketCall(req, res, target.slice(path.length + 1))).then((it) =>
      it.stream ? streamResponse(req, res, it, it.stream) : send(req, res, it),
    );
    return true;
  };
}

/** Records the whole path as the request's route, because no operation handles the request. */
function nameRoute({ method }: IncomingMessage, path: string) {
  const request = currentRequest();
  if (request) request.route = `${method} ${path}`;
}

const single = new Set(["authorization", "idempotency-key"]);

/** A request on the socket. It is a class so that no closures are created for each request. */
class SocketCall implements OperationRequest {
  params: Record<string, string> = {};

  constructor(
    private readonly req: IncomingMessage,
    private readonly res: ServerResponse,
    readonly query: string,
  ) {}

  get method() {
    return this.req.method === "HEAD" ? "GET" : (this.req.method as string);
  }

  /**
   * Returns a header. For a header that must be unique but is repeated, returns an invalid value,
   * because Node would join or drop the repetitions.
   */
  header(name: string) {
    const value = this.req.headers[name] as string | undefined;
    return single.has(name) && value !== undefined && isDuplicateHeader(this.req, name) ? "\n" : value;
  }

  body() {
    return readAll(this.req, bodyLimit);
  }

  leaving() {
    const left = new AbortController();
    if (this.res.destroyed) left.abort();
    else this.res.once("close", () => left.abort());
    return left.signal;
  }
}

/**
 * Reads the whole body.
 * @throws {AppError} 413 if the body is too large, immediately if its Content-Length says so; 400
 *   if the body ends early
 */
function readAll(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(req.headers["content-length"] ?? 0) > limit) return reject(tooLarge(limit));
    const chunks: Buffer[] = [];
    let size = 0;
    const read = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) return void chunks.push(chunk);
      req.off("data", read).pause();
      reject(tooLarge(limit));
    };
    req.on("data", read);
    req.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    // After a disconnection, no one reads this error. A complete body also ends with `close`.
    req.on("error", () => reject(badRequest("The request body ended early. Send the whole body.")));
    req.on("close", () => req.complete || reject(badRequest("The request body ended early. Send the whole body.")));
  });
}

type FormEndpoint = (request: Request) => Promise<Response>;

/** Endpoints to which apps post forms. `/token` is for clients that ignore our metadata. */
const forms: Record<string, FormEndpoint> = {
  "/oauth/token": tokenEndpoint,
  "/token": tokenEndpoint,
  "/oauth/revoke": revokeEndpoint,
  "/oauth/introspect": introspectEndpoint,
};

async function toForm(req: IncomingMessage, endpoint: FormEndpoint): Promise<OperationResponse> {
  try {
    const reply = await endpoint(await webRequest(req, 16 * 1024));
    return { status: reply.status, headers: Object.fromEntries(reply.headers), body: await reply.text() };
  } catch (error) {
    return withCommonHeaders(toErrorResponse(error));
  }
}

/** Handles the MCP endpoint, whose response may be an event stream. */
async function toMcp(req: IncomingMessage, res: ServerResponse) {
  try {
    const left = new AbortController();
    res.once("close", () => res.writableFinished || left.abort());
    const reply = await mcpEndpoint(await webRequest(req, bodyLimit, left.signal));
    const headers = { ...Object.fromEntries(reply.headers), "x-content-type-options": "nosniff" };
    await streamResponse(req, res, { status: reply.status, headers }, (reply.body ?? []) as AsyncIterable<Uint8Array>);
  } catch (error) {
    if (res.headersSent) res.destroy();
    else send(req, res, withCommonHeaders(toErrorResponse(error)));
  }
}

/**
 * Returns the request as the web-standard `Request` that some endpoints need, with the client's
 * address in a header.
 * @param signal aborted when the client disconnects
 * @throws {AppError} 413
 */
async function webRequest(req: IncomingMessage, limit: number, signal?: AbortSignal): Promise<Request> {
  const method = req.method as string;
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) if (typeof value === "string") headers.set(name, value);
  headers.set("x-countersign-address", clientAddress(req));
  const bytes = method === "POST" ? await readAll(req, limit) : undefined;
  const body = bytes && { body: new Uint8Array(bytes) };
  return new Request(`http://front${req.url}`, { method, headers, ...body, ...(signal && { signal }) });
}
