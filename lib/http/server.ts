import http from "node:http";
import type { Socket } from "node:net";
import { withCommonHeaders } from "@/lib/api/handle-operation-request";
import type { OperationResponse } from "@/lib/api/operation-request";
import { clock } from "@/lib/clock";
import { log } from "@/lib/log";
import { currentRequest, withRequest } from "@/lib/request-context";
import { type ApiRouter, apiRouter } from "./api-router";
import { servePage } from "./pages-without-scripts";
import { serializePipelined } from "./pipelining";
import { type Pages, prepareNextRequest } from "./prepare-next-request";
import { isApiPath, pathOf, rejectMalformed } from "./request-checks";
import { countUnparsed, instrumentRequests, newRequestContext } from "./request-instrumentation";
import { send } from "./send-response";

export type HttpServer = {
  server: http.Server;
  /** Reports "not ready" but keeps serving, so that load balancers stop sending requests here. */
  leave(): void;
  /**
   * Stops accepting connections, lets running requests finish, and closes the remaining connections
   * after this many milliseconds.
   */
  drain(milliseconds: number): Promise<void>;
};

/**
 * The maximum times for a client to send its headers and its whole request, and the interval at
 * which they are checked, in milliseconds.
 */
const timeouts = { headersTimeout: 10_000, requestTimeout: 20_000, connectionsCheckingInterval: 2_000 };

/**
 * Returns the HTTP server, with limits, timeouts, and JSON errors for invalid HTTP. Requests from
 * apps go directly to the operations, and all others to Next, with security headers.
 * @param pages Next's own request handler
 */
export function createHttpServer(pages: Pages): HttpServer {
  const state = { draining: false, wasReady: false };
  const toApi = apiRouter(state);
  const see = instrumentRequests();
  const server = http.createServer({
    ...timeouts,
    maxHeaderSize: 16 * 1024,
    keepAliveTimeout: 30_000,
    requireHostHeader: false,
    noDelay: true,
  });
  const inTurn = serializePipelined(server);
  const begin = (req: http.IncomingMessage, res: http.ServerResponse) => {
    if (state.draining) res.setHeader("connection", "close");
    const request = newRequestContext(req);
    see(req, res, request);
    withRequest(request, () => serve(req, res, toApi, pages)).catch((error) => {
      log.error("a request failed in the HTTP server", error);
      if (res.headersSent) res.destroy();
      else refuse(req, res, { status: 500, headers: {}, body: '{"error":"Internal server error"}' });
    });
  };
  server.on("request", (req, res) => inTurn(req, res, () => begin(req, res)));
  // Clients that send Expect wait before they send the body. A body over 1 MiB is not requested.
  server.on("checkContinue", (req, res) =>
    inTurn(req, res, () => {
      if (Number(req.headers["content-length"] ?? 0) <= 1024 * 1024) res.writeContinue();
      begin(req, res);
    }),
  );
  server.on("clientError", refuseUnreadable);
  server.on("connect", (_req, socket: Socket) => socket.destroy());
  // Without an upgrade listener, Node handles upgrade requests as ordinary HTTP/1.1 (h2c: Java,
  // curl --http2).

  const leave = () => {
    state.draining = true;
  };
  return { server, leave, drain: (milliseconds) => drain(server, leave, milliseconds) };
}

async function serve(req: http.IncomingMessage, res: http.ServerResponse, toApi: ApiRouter, pages: Pages) {
  const refusal = rejectMalformed(req);
  if (refusal) return refuse(req, res, refusal);
  if (toApi(req, res)) return;
  const refused = prepareNextRequest(req, res);
  if (refused) return refuse(req, res, refused);
  res.setHeader("x-request-id", currentRequest()?.id ?? "");
  await servePage(pages, req, res);
}

/** Sends a rejection. Pages of other origins can read it only at the API's paths. */
const refuse = (req: http.IncomingMessage, res: http.ServerResponse, refusal: OperationResponse) =>
  send(req, res, isApiPath(pathOf(req.url ?? "")) ? withCommonHeaders(refusal) : withCommonHeaders(refusal, {}));

/** Responds to invalid HTTP (RFC 9112), too many headers, or a request that takes too long. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === "ECONNRESET" || !socket.writable) return socket.destroy();
  const [status, phrase] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? [431, "Request Header Fields Too Large"]
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? [408, "Request Timeout"]
        : [400, "Bad Request"];
  countUnparsed(status as number);
  const body = JSON.stringify({ error: phrase[0] + phrase.slice(1).toLowerCase() });
  socket.end(
    `HTTP/1.1 ${status} ${phrase}\r\ncontent-type: application/json\r\ncache-control: no-store\r\n` +
      `content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  );
}

async function drain(server: http.Server, leave: () => void, milliseconds: number) {
  leave();
  await acceptAll(server);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // Repeated, because connections become idle as their requests finish.
  const idle = clock.setInterval(() => server.closeIdleConnections(), 100);
  const deadline = clock.setTimeout(() => server.closeAllConnections(), milliseconds);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}

/**
 * Accepts clients that connected while this process was busy. When the port closes, the system
 * would reset connections that were not accepted.
 */
async function acceptAll(server: http.Server) {
  let taken = 0;
  const count = () => taken++;
  server.on("connection", count);
  // The event loop accepts connections once between two immediates. The first immediate may run
  // before that.
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await turn();
  for (let before = -1, turns = 0; before !== taken && turns < 50; turns++) {
    before = taken;
    await turn();
  }
  server.off("connection", count);
}
