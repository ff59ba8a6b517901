import { mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { withChildren } from "./process-usage";

/** Queries servers for their event loop delay. */
export type LoopDelays = {
  /** Flags for `node` that turn on the measurement in a server. */
  preload: string[];
  /** The 99th percentile since the last query, in milliseconds. The slowest process counts. */
  ask(root: number): Promise<number>;
  close(): void;
};

/** Processes that loaded `loop-delay.mjs` connect here and answer each line with a number. */
export async function delays(): Promise<LoopDelays> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-bench-"));
  const path = join(folder, "loops");
  const sockets = new Map<number, net.Socket>();
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (pid) => sockets.set(Number(pid), socket));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  process.env.BENCH_LOOPS = path;
  return {
    preload: ["--import", pathToFileURL("bench/loop-delay.mjs").href],
    ask: async (root) => {
      const asked = withChildren(root).flatMap((pid) => sockets.get(pid) ?? []);
      return Math.max(...(await Promise.all(asked.map(ask))));
    },
    close: () => {
      for (const socket of sockets.values()) socket.destroy();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const ask = (socket: net.Socket) =>
  new Promise<number>((resolve) => {
    socket.once("data", (answer) => resolve(Number(answer)));
    socket.write("?");
  });
