import { join } from "node:path";
import { runProgram } from "./service";

const run = join(import.meta.dirname, "../cli/run.mjs");

/** One of the operator's commands, as a process; `--json` unless it is there already. */
export async function command(environment: Record<string, string>, args: string[], input = "") {
  const words = args.includes("--json") ? args : [...args, "--json"];
  return finished(runProgram([run, "lib/cli/main.ts", ...words], environment, `${input}\n`));
}

/** A program's whole life: its exit status and what it said on each stream. */
export async function finished(running: ReturnType<typeof runProgram>) {
  let out = "";
  let err = "";
  running.child.stdout?.on("data", (text) => (out += text));
  running.child.stderr?.on("data", (text) => (err += text));
  const status = await running.ended;
  return {
    status,
    out,
    err,
    /** What stands on stdout, which has to be one JSON object on one line and nothing else. */
    json: () => {
      if (status !== 0 || !/^\{.*\}\n$/.test(out)) throw new Error(`Not one JSON object (${status}): ${out}${err}`);
      return JSON.parse(out) as Record<string, unknown>;
    },
  };
}
