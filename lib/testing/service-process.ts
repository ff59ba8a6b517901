import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { settingNames } from "@/lib/config/env";
import { withShards } from "./shards/known-shards";

/** The service running in a separate process, as an operator runs it. */
export type Service = {
  child: ChildProcess;
  url: string;
  /** Returns everything that the service has printed so far, on stdout and stderr. */
  output(): string;
  /** Resolves with the service's exit status or signal once the service has exited. */
  ended: Promise<number | NodeJS.Signals | null>;
  stop(): Promise<void>;
};

/**
 * V8 flags for processes that run for only a few seconds. In these processes, optimizing code would
 * cost more time than it saves.
 */
const briefly = ["--interrupt-budget=2000000", "--wasm-tiering-budget=20000000"];

/** The program that `npm start` runs. */
export const startProgram = join(import.meta.dirname, "../cli/start-service.mjs");

/**
 * Starts the built service, and waits until it prints its URL.
 * @param environment all settings of the service
 * @param flags flags for V8
 * @param program the program that starts another version of the service
 * @throws an error with the service's output if the service exits, or does not start within four
 * minutes
 */
export async function startService(
  environment: Record<string, string>,
  flags = briefly,
  program = startProgram,
): Promise<Service> {
  // Makes answers take effect immediately, because only the tests of undo need an undo period.
  const run = runProgram([program, "--built"], { PORT: "0", UNDO_SECONDS: "0", ...environment }, "", flags);
  const giveUp = Date.now() + 240_000;
  for (;;) {
    const url = /Countersign is at (\S+)/.exec(run.output())?.[1];
    if (url) return { ...run, url, stop: () => stop(run) };
    const { exitCode, signalCode } = run.child;
    if (exitCode !== null || signalCode !== null) throw new Error(`The service ended:\n${run.output()}`);
    if (Date.now() > giveUp) {
      run.child.kill("SIGKILL");
      throw new Error(`The service did not start in time:\n${run.output()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Runs one of our programs in plain Node.js. The program gets only the given environment and the
 * variables that every program needs.
 */
export function runProgram(
  args: string[],
  environment: Record<string, string>,
  input = "",
  flags = briefly,
  cwd?: string,
): Omit<Service, "url" | "stop"> {
  const { PATH = "", HOME = "", TMPDIR, NEXT_DIST_DIR, COUNTERSIGN_DATABASE_PATIENCE } = process.env;
  const child = spawn(process.execPath, [...flags, ...args], {
    cwd,
    env: {
      // An empty value unsets a setting that the .env file in the checkout sets.
      ...Object.fromEntries(settingNames.map((name) => [name, ""])),
      NODE_ENV: "production",
      PATH,
      HOME,
      ...(TMPDIR && { TMPDIR }),
      ...(NEXT_DIST_DIR && { NEXT_DIST_DIR }),
      ...(COUNTERSIGN_DATABASE_PATIENCE && { COUNTERSIGN_DATABASE_PATIENCE }),
      ...withShards(environment),
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => {}).end(input);
  let output = "";
  child.stdout.on("data", (text) => (output += text));
  child.stderr.on("data", (text) => (output += text));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.on("close", (code, signal) => resolve(code ?? signal)),
  );
  return { child, output: () => output, ended };
}

async function stop({ child, ended }: Pick<Service, "child" | "ended">) {
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), 60_000);
  await ended;
  clearTimeout(late);
}
