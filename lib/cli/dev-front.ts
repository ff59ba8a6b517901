import http from "node:http";
import { dress } from "@/lib/api/endpoint";
import type { Front } from "@/lib/front/front";
import { hostile, isForApps, pathOf } from "@/lib/front/hostile";
import { type Pages, preparePage } from "@/lib/front/pages";
import { send } from "@/lib/front/send";

/**
 * For development: everything goes to Next, `/api` too, by a route file, so that every change is seen without a restart.
 * Hostile requests and the headers of pages are treated as the real front does; time-outs and draining are not.
 */
export function createDevFront(pages: Pages): Front {
  const server = http.createServer((req, res) => {
    const refusal = hostile(req) ?? (isForApps(pathOf(req.url as string)) ? undefined : preparePage(req, res));
    if (refusal) send(req, res, dress(refusal));
    else void pages(req, res);
  });
  const drain = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { server, leave: () => {}, drain };
}
