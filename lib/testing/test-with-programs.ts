import { spawn } from "node:child_process";
import { test } from "vitest";
import { findProgram } from "./find-program";

/*
 * Some tests need a program that not every machine has. Declare them with `testWith(["java"], …)`
 * in a `*.more.test.ts` file, which `npm run test:more` runs.
 */

/**
 * Declares a test that runs system programs. Skips the test if one is missing.
 * @param programs the programs' commands, such as `java`
 * @param run receives a function that skips the test with a reason
 * @param timeoutMs the test's timeout in milliseconds, by default long enough for compilers
 */
export function testWith(
  programs: readonly string[],
  name: string,
  run: (skip: (reason: string) => never) => Promise<void>,
  timeoutMs = 180_000,
) {
  test(name, { timeout: timeoutMs }, async ({ skip }) => {
    const missing = programs.filter((program) => !findProgram(program));
    skip(missing.length > 0, `needs ${missing.join(" and ")}`);
    await run(skip);
  });
}

export type Ran = { status: number | null; out: string; err: string };

/**
 * Runs a system program until it exits.
 * @param how the program's folder, its input, and additional environment variables
 */
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
