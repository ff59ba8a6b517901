import { Server } from "node:http";
import type { Socket } from "node:net";
import next from "next";
import { startAlerts } from "@/lib/alerts/dispatcher";
import { startChores } from "@/lib/cli/chores";
import { createDevFront } from "@/lib/cli/dev-front";
import { cannotListen } from "@/lib/cli/preflight";
import type { ServiceSettings } from "@/lib/config/env";
import { closePubsub } from "@/lib/events/pubsub";
import type { Pages } from "@/lib/http/next-handler";
import { createHttpServer, type HttpServer } from "@/lib/http/server";
import { serveCompressedAssets } from "@/lib/http/static-assets";
import { log, logConsole } from "@/lib/log";
import { startWebhooks } from "@/lib/webhooks/dispatcher";
import type { Serving } from "./graceful-shutdown";
import { type Counting, startMetricsCollection } from "./metrics-collection";
import { track } from "./shared-port";

/** `listens`: false if another process listens and hands over connections (./shared-port.ts). */
type ServingOptions = { dev?: boolean; host: string; port: number; listens?: false };

/** `accept`: serve a connection that another process accepted. */
type LocalServing = Serving & Pick<Counting, "snapshot"> & { accept(socket: Socket): void };

/** How long requests may take to finish during shutdown. */
const drainMilliseconds = 7000;

/**
 * Serve in this process, with a ready database: pages, API and background work.
 * @param settings as they were before the service filled them in
 * @param chores whether this process runs the chores, which only one process should do
 * @throws {OperatorError} if it cannot listen
 */
export async function startServing(
  settings: ServiceSettings,
  place: ServingOptions,
  chores = true,
): Promise<LocalServing> {
  process.on("unhandledRejection", (error) => log.error("a promise was rejected without a handler", error));
  const { snapshot, stop: stopCounting } = await startMetricsCollection(settings, chores);
  // Next logs its own start between our steps. Its warnings and errors stay.
  if (!place.dev) console.log = () => {};
  const front = await startPages(place);
  if (!place.dev) logConsole();
  if (place.listens === false) track(front.server);
  else await listen(front, place);
  const stops = [startAlerts(), startWebhooks(), ...(chores ? [startChores()] : [])];
  return {
    ...(snapshot && { snapshot, snapshots: async () => [await snapshot(true)] }),
    accept: (socket) => void front.server.emit("connection", socket),
    markNotReady: front.leave,
    stop: async () => {
      await Promise.all([front.drain(drainMilliseconds), closePubsub(), ...stops.map((stop) => stop())]);
      await stopCounting();
    },
  };
}

async function startPages({ dev = false, host: hostname, port }: ServingOptions): Promise<HttpServer> {
  let pages: Pages | undefined;
  const built = dev ? () => false : serveCompressedAssets(process.env.NEXT_DIST_DIR || ".next");
  const front = (dev ? createDevFront : createHttpServer)(async (req, res) => {
    if (!built(req, res)) await pages!(req, res);
  });
  // Next listens for upgrades, which its pages need in development. The HTTP server's socket must
  // have no such listener, or Node would hand over every request that offers an upgrade.
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
