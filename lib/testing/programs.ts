import { spawn } from "node:child_process";
import { test } from "vitest";
import { findProgram } from "./system-program";

/*
 * A test that needs a program which not every machine has is `testWith(["java"], …)` in a `*.more.test.ts`, vitest's
 * project `more` (`npm run test:more`). It has a database like database tests; where the program is missing it is skipped
 * and says which. What it shows is also shown by `npm test`, as bytes on a socket.
 */

/**
 * A test that runs programs of the system, for `*.more.test.ts`. Where one is missing it is skipped, and says which.
 * @param programs by the names they are run by, like `java`
 * @param run is given how to skip it all the same, with the reason
 * @param patience most milliseconds; compilers take their time
 */
export function testWith(
  programs: readonly string[],
  name: string,
  run: (skip: (reason: string) => never) => Promise<void>,
  patience = 180_000,
) {
  test(name, { timeout: patience }, async ({ skip }) => {
    const missing = programs.filter((program) => !findProgram(program));
    skip(missing.length > 0, `needs ${missing.join(" and ")}`);
    await run(skip);
  });
}

export type Ran = { status: number | null; out: string; err: string };

/** Run a program of the system to its end. @param how where, what it reads, and what its environment has besides ours */
export function runSystem(
  program: string,
  args: readonly string[],
  how: { cwd?: string; input?: string; env?: Record<string, string> } = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: how.cwd, env: { ...process.env, ...how.env } });
    let out = "";
    let err = "";
    child.stdout.on("data", (text) => (out += text));
    child.stderr.on("data", (text) => (err += text));
    child.stdin.on("error", () => {}).end(how.input ?? "");
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, out, err }));
  });
}
