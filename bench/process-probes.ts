import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { Profiler } from "node:inspector";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { pathToFileURL } from "node:url";
import { withChildren } from "./process-usage";

/** Queries servers that loaded `process-probe.mjs`. A server is named by its root process. */
export type ProcessProbes = {
  /** Flags for `node` that load the probe into a server. */
  preload: string[];
  /**
   * Returns the 99th percentile of the event loop's delay since the last query, in milliseconds.
   * The slowest process counts.
   */
  delay(root: number): Promise<number>;
  /** Returns the CPU profiles of a server's processes during `work`. */
  profile(root: number, work: () => Promise<void>): Promise<Profiler.Profile[]>;
  close(): void;
};

/** Processes that loaded `process-probe.mjs` connect here. */
export async function processProbes(): Promise<ProcessProbes> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-bench-"));
  const path = join(folder, "probes");
  const probes = new Map<number, Probe>();
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    const lines = createInterface(socket);
    lines.once("line", (pid) => probes.set(Number(pid), { socket, lines }));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  process.env.BENCH_PROBES = path;
  const askAll = <T>(root: number, command: string) =>
    Promise.all(withChildren(root).flatMap((pid) => ask<T>(probes.get(pid), command) ?? []));
  return {
    preload: ["--import", pathToFileURL("bench/process-probe.mjs").href],
    delay: async (root) => Math.max(...(await askAll<number>(root, "delay"))),
    profile: async (root, work) => {
      await askAll(root, "start");
      await work();
      return await askAll<Profiler.Profile>(root, "profile");
    },
    close: () => {
      for (const { socket } of probes.values()) socket.destroy();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Probe = { socket: net.Socket; lines: Interface };

function ask<T>(probe: Probe | undefined, command: string): Promise<T> | undefined {
  if (!probe) return undefined;
  const reply = once(probe.lines, "line").then(([line]) => JSON.parse(String(line)) as T);
  probe.socket.write(`${command}\n`);
  return reply;
}
