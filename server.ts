import { Server } from "node:http";
import next from "next";
import { startAlerts } from "@/lib/alerts/watch";
import { startChores } from "@/lib/cli/chores";
import { startDemo } from "@/lib/cli/demo-identity";
import { createDevFront } from "@/lib/cli/dev-front";
import { offerBrowser } from "@/lib/cli/open-browser";
import { cannotListen } from "@/lib/cli/preflight";
import { makeReady, type StartStep } from "@/lib/cli/ready";
import { onLeaving } from "@/lib/cli/signals";
import { demoFolder } from "@/lib/demo-identity/place";
import { env, readSettings } from "@/lib/env";
import { drainHub } from "@/lib/events/hub";
import { builtFiles } from "@/lib/front/built-files";
import { createFront, type Front } from "@/lib/front/front";
import type { Pages } from "@/lib/front/pages";
import { warnOfUntrustedProxy } from "@/lib/front/proxy";
import { log, logConsole } from "@/lib/log";
import { freePort } from "@/lib/net/free-port";
import { anyOwner } from "@/lib/owners/owners";
import { setupLink } from "@/lib/owners/setup";
import { asCall } from "@/lib/web/action-call";
import { startWebhooks } from "@/lib/webhooks/watch";

/** A stop asked for ends within 10 s: this much for requests, the rest for the database. */
const drainMilliseconds = 7000;
const longestLeave = 9.5;

/**
 * The service, from settings to the address: its database, its migrations, Next, and the front that owns the socket. It
 * runs until SIGINT or SIGTERM.
 * @throws {SettingError | OperatorError | InUse | MigrationError} with a sentence for the operator
 */
export async function serve({ dev, say, step }: { dev: boolean; say: (line: string) => void; step: StartStep }) {
  const settings = readSettings(process.env);
  // Links need the port before anything listens, so with PORT=0 a free one is chosen here.
  if (settings.PORT === 0) process.env.PORT = String(await freePort(settings.HOST));
  const port = Number(process.env.PORT || settings.PORT);

  const ready = await makeReady("service", step);
  process.env.PUBLIC_URL = env().publicUrl;
  process.env.NEXTAUTH_URL = env().publicUrl;
  process.on("unhandledRejection", (error) => log.error("a promise was rejected without a handler", error));

  let front: Front | undefined;
  /** How to stop what runs, all at once. */
  const stops = [drainHub];
  onLeaving(async () => {
    if (front?.server.listening && settings.DRAIN_DELAY > 0) {
      say(`Not ready any more: serving for ${settings.DRAIN_DELAY} s`);
      front.leave();
      await new Promise((resolve) => setTimeout(resolve, settings.DRAIN_DELAY * 1000));
    }
    say("Stopping: letting requests finish");
    await Promise.all([front?.drain(drainMilliseconds), ...stops.map((stop) => stop())]);
    await ready.close();
    say("Stopped");
  }, settings.DRAIN_DELAY + longestLeave);

  let hasOwner: boolean;
  try {
    front = await step("Starting the pages", () => startPages(dev, settings.HOST, port));
    // From here on; what Next says while it starts is for whoever watches it start.
    if (!dev) logConsole();
    hasOwner = await anyOwner();
    await listen(front, settings.HOST, port);
  } catch (error) {
    await ready.close();
    throw error;
  }
  warnOfUntrustedProxy();
  const demo = demoFolder(settings);
  stops.push(startChores(), startAlerts(), startWebhooks(), ...(demo ? [startDemo(demo)] : []));

  const setUp = hasOwner ? "" : `\nCreate the first account here, once: ${setupLink()}`;
  say(`\nCountersign is at ${env().publicUrl}${setUp}`);
  offerBrowser({ address: hasOwner ? env().publicUrl : setupLink(), secret: !hasOwner, say });
}

async function startPages(dev: boolean, hostname: string, port: number): Promise<Front> {
  let pages: Pages | undefined;
  const built = dev ? () => false : builtFiles(process.env.NEXT_DIST_DIR || ".next");
  const front = (dev ? createDevFront : createFront)(async (req, res) => {
    if (!built(req, res)) await asCall(req, res, () => pages!(req, res));
  });
  // Next listens for upgrades, which its own pages need while they are developed. The front's socket has to have no listener,
  // or Node hands over every request that offers one.
  const upgrades = dev ? front.server : new Server();
  const app = next({ dev, dir: process.cwd(), hostname, port, httpServer: upgrades });
  await app.prepare();
  pages = app.getRequestHandler();
  return front;
}

const listen = ({ server }: Front, host: string, port: number) =>
  new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(cannotListen(port, host, error)));
    server.listen(port, host, () => resolve());
  });
