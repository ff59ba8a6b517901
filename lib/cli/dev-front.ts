import http from "node:http";
import type { Front } from "@/lib/front/front";
import { type Pages, preparePage } from "@/lib/front/pages";

/**
 * For development: everything goes to Next, `/api` too, by the route files, so that every change is seen without a restart.
 * The limits and the handling of hostile HTTP are the real front's.
 */
export function createDevFront(pages: Pages): Front {
  const server = http.createServer((req, res) => {
    preparePage(req, res);
    void pages(req, res);
  });
  const drain = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { server, drain };
}
