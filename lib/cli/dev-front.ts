import http from "node:http";
import { withCommonHeaders } from "@/lib/api/endpoint";
import { type Pages, prepareNextRequest } from "@/lib/http/next-handler";
import { isApiPath, pathOf, rejectMalformed } from "@/lib/http/request-checks";
import { send } from "@/lib/http/send";
import type { HttpServer } from "@/lib/http/server";

/**
 * For development: everything goes to Next, `/api` too, by a route file, so that every change is seen without a restart.
 * Hostile requests and the headers of pages are treated as the real front does; time-outs and draining are not.
 */
export function createDevFront(pages: Pages): HttpServer {
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
