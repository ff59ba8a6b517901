import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { endLeftRunning, leftRunning } from "./leftover-processes.mjs";

const folder = mkdtempSync(join(tmpdir(), "countersign-left-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.runIf(process.platform === "linux")("terminates only processes that a test run left running", async () => {
  const start = (env: Record<string, string>, ...args: string[]) =>
    spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", ...args], {
      env: env as NodeJS.ProcessEnv,
      stdio: "ignore",
    }) as ChildProcess;
  const PATH = process.env.PATH ?? "";
  const [inherits, named, other] = [
    start({ PATH, TMPDIR: folder }),
    start({ PATH }, join(folder, "data")),
    start({ PATH }),
  ];
  const ends = [inherits, named].map((child) => once(child, "exit"));
  try {
    await Promise.all([inherits, named, other].map((child) => once(child, "spawn")));
    const own = [inherits.pid, named.pid].sort();
    await expect
      .poll(() =>
        leftRunning(folder)
          .map(({ pid }) => pid)
          .sort(),
      )
      .toEqual(own);
    const ended = await endLeftRunning(folder, 0);
    expect(ended).toHaveLength(2);
    expect(ended.join()).toContain(join(folder, "data"));
    expect(await Promise.all(ends)).toEqual([
      [null, "SIGKILL"],
      [null, "SIGKILL"],
    ]);
    expect(await endLeftRunning(folder, 1000)).toEqual([]);
    expect(other.exitCode ?? other.signalCode).toBeNull();
  } finally {
    for (const child of [inherits, named, other]) child.kill("SIGKILL");
  }
});
