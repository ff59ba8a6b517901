import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { newestWheel, ours, pythonPackage, pythonWith } from "./python-environment";
import { simulatedService } from "./service-with-simulated-owner";
import { runSystem, testWith } from "./test-with-programs";

/*
 * Runs the Python package's tests against the built service with a simulated owner, and checks the
 * package's types and its wheel. Dependencies come from PyPI.
 */

const timeoutMs = 900_000;
let folder: string;
let environment: Record<string, string>;
let end: (() => Promise<void>) | undefined;

beforeAll(async () => {
  const { end: stop, ...service } = await simulatedService("snake", [
    { question: "delete (it|another)|branch main", answer: { option: 2, note: "Never on Mondays" } },
    { question: "leave", answer: "none" },
    { answer: { option: 1 } },
  ]);
  end = stop;
  ({ folder, environment } = service);
}, timeoutMs);
afterAll(() => end?.(), timeoutMs);

/** Runs a program in the package's folder, and throws if it fails. @returns its output */
async function run(program: string, ...args: string[]): Promise<string> {
  const ran = await runSystem(program, args, { cwd: pythonPackage, env: environment });
  if (ran.status !== 0)
    throw new Error(`${program} ${args.join(" ")} ended with ${ran.status}:\n${ran.out}\n${ran.err}`);
  return ran.out;
}

/** Asserts that these files' tests pass, and that two type checkers find no error in any file. */
async function holds(programs: string, files: string[]) {
  const tests = files.filter((file) => file.startsWith("tests/test_"));
  expect(await run(join(programs, "pytest"), "-rs", "-W", "ignore::DeprecationWarning", ...tests)).toMatch(
    /^\d+ passed in /m,
  );
  await run(join(programs, "mypy"), ...files);
  await run(join(programs, "pyright"), "--pythonpath", join(programs, "python"), ...files);
}

/**
 * A program that prints a wheel's files and metadata, for comparison. It omits the requirements,
 * because hatchling writes them differently.
 */
const described = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    assert wheel.testzip() is None
    for name in sorted(wheel.namelist()):
        text = wheel.read(name)
        if name.endswith("/METADATA"):
            head, _, body = text.decode().partition("\\n\\n")
            lines = [it for it in sorted(head.splitlines()) if not it.startswith(("Metadata-Version", "Requires-Dist"))]
            print(*lines, body, sep="\\n")
        elif not name.endswith(("/RECORD", "/WHEEL")):
            print(name, len(text))
`;

const tested = ["mypy>=2", "pyright>=1.1.400", "pytest>=9", "standardwebhooks>=1", "trio>=0.30"];

testWith(
  ["python3"],
  "passes the tests and type checks of the Python package and its adapters",
  async (skip) => {
    const extras = ["receipts", "claude", "langgraph", "openai-agents", "pydantic-ai"];
    const programs = await pythonWith("tests", [ours(...extras), ...tested, "webauthn>=3"], skip);
    const files = ["src/countersign", "tests"].flatMap((of) =>
      readdirSync(join(pythonPackage, of)).flatMap((file) => (/(?<!crewai)\.py$/.test(file) ? join(of, file) : [])),
    );
    await holds(programs, files);
  },
  timeoutMs,
);

testWith(
  ["python3"],
  "passes the tests and type checks of the Python adapter for CrewAI",
  async (skip) => {
    // This framework needs older packages than the others.
    const programs = await pythonWith("crewai", [ours("crewai"), ...tested], skip);
    await holds(programs, ["src/countersign/crewai.py", "tests/test_crewai.py"]);
  },
  timeoutMs,
);

testWith(
  ["python3"],
  "builds an uploadable Python package",
  async (skip) => {
    const programs = await pythonWith("build", ["build", "twine"], skip);
    await run(join(programs, "python"), "-m", "build", "--outdir", join(folder, "dist"));
    const built = readdirSync(join(folder, "dist")).map((file) => join(folder, "dist", file));
    expect(built).toHaveLength(2);
    expect((await run(join(programs, "twine"), "check", "--strict", ...built)).match(/PASSED/g)).toHaveLength(2);
    const wheel = built.find((file) => file.endsWith(".whl")) as string;
    expect(await run(join(programs, "python"), "-m", "zipfile", "--list", wheel)).toMatch(/countersign\/py\.typed/);
    // The hosted wheel has the same files and metadata.
    const served = resolve("public/client", newestWheel());
    await run(join(programs, "twine"), "check", "--strict", served);
    const [ours, theirs] = await Promise.all(
      [served, wheel].map((it) => run(join(programs, "python"), "-c", described, it)),
    );
    expect(ours).toBe(theirs);
  },
  timeoutMs,
);
