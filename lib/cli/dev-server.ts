import http from "node:http";
import { withCommonHeaders } from "@/lib/api/handle-operation-request";
import { type Pages, prepareNextRequest } from "@/lib/http/prepare-next-request";
import { isApiPath, pathOf, rejectMalformed } from "@/lib/http/request-checks";
import { send } from "@/lib/http/send-response";
import type { HttpServer } from "@/lib/http/server";

/**
 * Creates the server for development. Every request goes to Next, including `/api` through a route
 * file, so that changes show without a restart. Malformed requests and page headers are handled as
 * in production; timeouts and draining are not.
 */
export function createDevServer(pages: Pages): HttpServer {
  const server = http.createServer((req, res) => {
    const refusal =
      rejectMalformed(req) ?? (isApiPath(pathOf(req.url as string)) ? undefined : prepareNextRequest(req, res));
    if (refusal) send(req, res, withCommonHeaders(refusal));
    else void pages(req, res);
  });
  const drain = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { server, leave: () => {}, drain };
}
