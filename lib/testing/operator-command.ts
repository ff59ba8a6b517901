import { join } from "node:path";
import { Readable } from "node:stream";
import { vi } from "vitest";
import { runCommand } from "@/lib/cli/run-command-line";
import { settingNames } from "@/lib/config/env";
import { closeDb } from "@/lib/database/db";
import {
  expectShards,
  guardStatements,
  placement,
  setPlacement,
  statementGuard,
} from "@/lib/database/shards/shard-map";
import { closePubsub } from "@/lib/events/pubsub";
import { configure } from "./change-settings";
import { runProgram } from "./service-process";
import { withShards } from "./shards/known-shards";
import { testShards } from "./shards/shard-count";

const run = join(import.meta.dirname, "../cli/run-typescript.mjs");

/** Runs an operator command as a process, always with `--json`. */
export async function command(environment: Record<string, string>, args: string[], input = "") {
  return finished(runProgram([run, "lib/cli/main.ts", ...inJson(args)], environment, `${input}\n`));
}

/**
 * Runs an operator command in this process with `--json`, which is ten times faster than in a
 * separate process. Commands run one at a time, because settings belong to the process.
 */
export const obeyed = (environment: Record<string, string>, args: string[], input = "") =>
  inWords(environment, inJson(args), input);

/** Runs an operator command in this process, with output for people. */
export async function inWords(environment: Record<string, string>, args: string[], input = "") {
  const piped = Readable.from([`${input}\n`]) as typeof process.stdin;
  const stdin = vi.spyOn(process, "stdin", "get").mockReturnValue(piped);
  try {
    return await withEnvironment(environment, async () => withJson(await runCommand(args)));
  } finally {
    stdin.mockRestore();
  }
}

/** Runs work in this process with other settings, such as another database. */
export async function withEnvironment<T>(environment: Record<string, string>, work: () => Promise<T>): Promise<T> {
  const before = Object.fromEntries(settingNames.map((name) => [name, process.env[name] ?? ""]));
  const routing = { placement: placement(), guard: statementGuard() };
  await use(withShards(environment));
  try {
    return await work();
  } finally {
    await use(before);
    if (testShards > 0) {
      expectShards();
      guardStatements(routing.guard);
      await setPlacement(routing.placement);
    }
  }
}

const inJson = (args: string[]) => (args.includes("--json") ? args : [...args, "--json"]);

/** Applies these settings, and discards everything cached under the previous ones. */
async function use(environment: Record<string, string>) {
  await closePubsub();
  await closeDb();
  (globalThis as { countersign?: Map<string, unknown> }).countersign?.clear();
  configure(Object.fromEntries(settingNames.map((name) => [name, environment[name] ?? ""])));
}

/**
 * Waits for a program to exit.
 * @returns its exit status, and its output on stdout and on stderr
 */
export async function finished(running: ReturnType<typeof runProgram>) {
  let out = "";
  let err = "";
  running.child.stdout?.on("data", (text) => (out += text));
  running.child.stderr?.on("data", (text) => (err += text));
  return withJson({ status: await running.ended, out, err });
}

const withJson = ({ status, out, err }: { status: number | NodeJS.Signals | null; out: string; err: string }) => ({
  status,
  out,
  err,
  /**
   * Returns the JSON object that the command printed.
   * @throws unless the command succeeded and printed exactly one object on one line
   */
  json: () => {
    if (status !== 0 || !/^\{.*\}\n$/.test(out)) throw new Error(`Not one JSON object (${status}): ${out}${err}`);
    return JSON.parse(out) as Record<string, unknown>;
  },
});
