import { Server } from "node:http";
import next from "next";
import { createDevServer } from "@/lib/cli/dev-server";
import { cannotListen } from "@/lib/cli/preflight";
import type { ServiceSettings } from "@/lib/config/env";
import { closePubsub } from "@/lib/events/pubsub";
import type { Pages } from "@/lib/http/prepare-next-request";
import { createHttpServer, type HttpServer } from "@/lib/http/server";
import { serveCompressedAssets } from "@/lib/http/static-assets";
import { log, logConsole } from "@/lib/log";
import { startBackgroundWork } from "./background-work";
import type { Serving } from "./graceful-shutdown";
import { startMetricsCollection } from "./metrics-collection";

type ServingOptions = { dev?: boolean; host: string; port: number };

/** How long open requests may take to finish during shutdown, in milliseconds. */
const drainMilliseconds = 7000;

/**
 * Serves pages and the API and runs background work in this process. The database must be ready.
 * @param settings the operator's settings, before the service adds the missing ones
 * @throws {OperatorError} if it can't listen on the port
 */
export async function startServing(settings: ServiceSettings, place: ServingOptions): Promise<Serving> {
  process.on("unhandledRejection", (error) => log.error("a promise was rejected without a handler", error));
  const { snapshot, stop: stopCounting } = await startMetricsCollection(settings);
  // Hides the lines that Next logs about its startup, but keeps its warnings and errors.
  if (!place.dev) console.log = () => {};
  const front = await startPages(place);
  if (!place.dev) logConsole();
  await listen(front, place);
  const stopBackgroundWork = startBackgroundWork();
  return {
    ...(snapshot && { snapshot }),
    markNotReady: front.leave,
    stop: async () => {
      await Promise.all([front.drain(drainMilliseconds), closePubsub(), stopBackgroundWork()]);
      await stopCounting();
    },
  };
}

async function startPages({ dev = false, host: hostname, port }: ServingOptions): Promise<HttpServer> {
  let pages: Pages | undefined;
  const built = dev ? () => false : serveCompressedAssets(process.env.NEXT_DIST_DIR || ".next");
  const front = (dev ? createDevServer : createHttpServer)(async (req, res) => {
    if (!built(req, res)) await pages!(req, res);
  });
  // In development, Next listens for upgrades, which its pages need. In production, the HTTP server
  // must have no such listener. Otherwise, Node would pass every request that offers an upgrade to
  // the listener.
  const upgrades = dev ? front.server : new Server();
  const app = next({ dev, dir: process.cwd(), hostname, port, httpServer: upgrades });
  await app.prepare();
  pages = app.getRequestHandler();
  return front;
}

const listen = ({ server }: HttpServer, { host, port }: ServingOptions) =>
  new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(cannotListen(port, host, error)));
    server.listen(port, host, () => resolve());
  });
