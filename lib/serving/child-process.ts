import "@/lib/cli/wasm.mjs";
import cluster from "node:cluster";
import type { Socket } from "node:net";
import { describeError } from "@/lib/cli/describe-error.mjs";
import { onShutdownSignal } from "@/lib/cli/signals";
import { completeStartup } from "@/lib/cli/startup";
import { readSettings } from "@/lib/config/env";
import { log } from "@/lib/log";
import { shutDown } from "./graceful-shutdown";
import type { ProcessMessage, ProcessOrder } from "./processes";
import { startServing } from "./serving";

/*
 * Several serving processes share a port (./processes.ts). This is the program of each. The parent
 * process has prepared the database and filled in the environment, and the first process runs the
 * chores.
 */

const settings = readSettings(process.env);
let serving: Awaited<ReturnType<typeof startServing>> | undefined;
let leaving = false;

const leave = onShutdownSignal(async () => {
  leaving = true;
  await shutDown(serving, settings.DRAIN_DELAY, () => {});
  await completeStartup();
  // One second less than the parent, which waits for all of them.
}, settings.DRAIN_DELAY + 8.5);

process.on("message", (said: ProcessOrder, socket?: Socket) => {
  if (said === "leave") return leave();
  if ("connection" in said) {
    if (socket) serving?.accept(socket);
    return say({ taken: said.connection });
  }
  // The parent stops waiting after its timeout.
  serving?.snapshot?.(said.whole).then(
    (snapshot) => say({ asked: said.asked, snapshot }),
    (error) => log.error("metrics could not be read", error),
  );
});
// The parent process is gone, and the port with it.
cluster.worker?.once("disconnect", () => {
  if (leaving) process.exit(1);
  // Otherwise Node would end the process right after this.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  leave();
});

const say = (message: ProcessMessage, then = () => {}) => process.send?.(message, then);

try {
  serving = await startServing(
    settings,
    { host: settings.HOST, port: settings.PORT, listens: false },
    process.env.COUNTERSIGN_PROCESS === "1",
  );
  say("ready");
} catch (error) {
  say({ failed: describeError(error) }, () => process.exit(1));
}
