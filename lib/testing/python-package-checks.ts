import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { pythonPackage } from "./python-environment";
import { simulatedService } from "./service-with-simulated-owner";
import { runSystem } from "./test-with-programs";

/*
 * What the test files of the Python package share. Each file that imports this starts the built
 * service with a simulated owner, against which the package's own tests run.
 */

/** How long a test may take, in milliseconds. It downloads frameworks. */
export const timeoutMs = 900_000;
/** The requirements of the package's own tests. */
export const testRequirements = ["mypy>=2", "pyright>=1.1.400", "pytest>=9", "standardwebhooks>=1", "trio>=0.30"];

const files = ["src/countersign", "tests"].flatMap((of) =>
  readdirSync(join(pythonPackage, of)).flatMap((file) => (file.endsWith(".py") ? [join(of, file)] : [])),
);
const isOfAdapter = (file: string) => /(?:claude|crewai|langgraph|openai_agents|pydantic_ai)\.py$/.test(file);
/** The adapters for other people's frameworks, and their tests. */
export const adapterFiles = files.filter(isOfAdapter);
/** The other files of the package, and their tests. */
export const ownFiles = files.filter((file) => !isOfAdapter(file));

const { end, environment, ...service } = await simulatedService("snake", [
  { question: "delete (it|another)|branch main", answer: { option: 2, note: "Never on Mondays" } },
  { question: "leave", answer: "none" },
  { answer: { option: 1 } },
]);
afterAll(end, timeoutMs);

/** A folder for built files, which is removed at the end. */
export const folder = service.folder;

/** Runs a program in the package's folder. @returns its output @throws {Error} if it fails */
export async function run(program: string, ...args: string[]): Promise<string> {
  const ran = await runSystem(program, args, { cwd: pythonPackage, env: environment });
  if (ran.status !== 0)
    throw new Error(`${program} ${args.join(" ")} ended with ${ran.status}:\n${ran.out}\n${ran.err}`);
  return ran.out;
}

/** Asserts that these files' tests pass, and that two type checkers find no error in any file. */
export async function expectToPass(programs: string, files: string[]): Promise<void> {
  const tests = files.filter((file) => file.startsWith("tests/test_"));
  expect(await run(join(programs, "pytest"), "-rs", "-W", "ignore::DeprecationWarning", ...tests)).toMatch(
    /^\d+ passed in /m,
  );
  await run(join(programs, "mypy"), ...files);
  await run(join(programs, "pyright"), "--pythonpath", join(programs, "python"), ...files);
}
