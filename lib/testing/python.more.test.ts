import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { obeyed } from "./command";
import { newDataDir, removeDataDir } from "./data-dir";
import { ownDatabase } from "./own-database";
import { runSystem, testWith } from "./programs";
import { ours, pythonPackage, pythonWith } from "./python-folder";
import { runProgram, type Service, startService } from "./service";

/*
 * The Python package against the service as built, with an owner who answers by rules: its own tests, its types, and the package as
 * it would be uploaded. What it needs comes from PyPI into a temporary folder.
 */

const patience = 900_000;
const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "countersign-python-"));
const data = newDataDir();
const email = "olive@example.com";
let database: Awaited<ReturnType<typeof ownDatabase>>;
let service: Service;
let simulator: ReturnType<typeof runProgram>;
let environment: Record<string, string>;

beforeAll(async () => {
  database = await ownDatabase();
  const settings = {
    DATABASE_URL: database.url,
    SECRET: "of-whom-snakes-ask-0123456789abcdef0123456789",
    DATA_DIR: data,
  };
  service = await startService(settings);
  (
    await obeyed(
      settings,
      ["owner", "create", "--email", email, "--name", "Olive", "--password-stdin"],
      "a password of some length",
    )
  ).json();
  const told = async (...args: string[]) => (await obeyed(settings, args)).json() as Record<string, string>;
  const { clientId = "" } = await told("app", "create", "--owner", email, "--name", "Snake");
  const names = ["approvals:write", "approvals:read", "approvals:resolve", "notifications:write", "notifications:read"];
  const scopes = names.flatMap((name) => ["--scope", name]);
  const { token = "", owner = "" } = await told("token", "create", "--owner", email, "--app", clientId, ...scopes);
  const rules = [
    { question: "delete (it|another)|branch main", answer: { option: 2, note: "Never on Mondays" } },
    { question: "leave", answer: "none" },
    { question: "branch slow", answer: { option: 1 }, delayMs: 8_000 },
    { answer: { option: 1 } },
  ];
  writeFileSync(join(folder, "rules.json"), JSON.stringify({ rules }));
  const simulate = ["simulate", "--owner", email, "--app", clientId, "--rules", join(folder, "rules.json")];
  const command = [join(root, "lib/cli/run.mjs"), "lib/cli/main.ts", ...simulate, "--allow-remote"];
  simulator = runProgram(command, settings);
  await vi.waitFor(() => expect(simulator.said()).toContain("Answering for"), { timeout: 60_000 });
  environment = {
    COUNTERSIGN_URL: service.url,
    COUNTERSIGN_TOKEN: token,
    COUNTERSIGN_OWNER: owner,
    COUNTERSIGN_ISSUER: service.url,
  };
}, patience);
afterAll(async () => {
  simulator?.child.kill("SIGTERM");
  await simulator?.ended;
  await service?.stop();
  await database?.end();
  removeDataDir(data);
  rmSync(folder, { recursive: true, force: true });
});

/** Run a program in the package's folder, which has to succeed. @returns what it printed */
async function run(program: string, ...args: string[]): Promise<string> {
  const ran = await runSystem(program, args, { cwd: pythonPackage, env: environment });
  if (ran.status !== 0)
    throw new Error(`${program} ${args.join(" ")} ended with ${ran.status}:\n${ran.out}\n${ran.err}`);
  return ran.out;
}

/** The tests among these files pass, and two checkers of types find nothing in any. */
async function holds(programs: string, files: string[]) {
  const tests = files.filter((file) => file.startsWith("tests/test_"));
  expect(await run(join(programs, "pytest"), "-rs", "-W", "ignore::DeprecationWarning", ...tests)).toMatch(
    /^\d+ passed in /m,
  );
  await run(join(programs, "mypy"), ...files);
  await run(join(programs, "pyright"), "--pythonpath", join(programs, "python"), ...files);
}

const tested = ["mypy>=2", "pyright>=1.1.400", "pytest>=9", "standardwebhooks>=1", "trio>=0.30"];

testWith(
  ["python3"],
  "the Python package and its adapters do what they say, and their types are complete",
  async (skip) => {
    const extras = ["receipts", "claude", "langgraph", "openai-agents", "pydantic-ai"];
    const programs = await pythonWith("tests", [ours(...extras), ...tested], skip);
    const files = ["src/countersign", "tests"].flatMap((of) =>
      readdirSync(join(pythonPackage, of)).flatMap((file) => (/(?<!crewai)\.py$/.test(file) ? join(of, file) : [])),
    );
    await holds(programs, files);
  },
  patience,
);

testWith(
  ["python3"],
  "the Python adapter for CrewAI does what it says, and its types are complete",
  async (skip) => {
    // It wants older packages than the others.
    const programs = await pythonWith("crewai", [ours("crewai"), ...tested], skip);
    await holds(programs, ["src/countersign/crewai.py", "tests/test_crewai.py"]);
  },
  patience,
);

testWith(
  ["python3"],
  "the Python package can be uploaded as it is built",
  async (skip) => {
    const programs = await pythonWith("build", ["build", "twine"], skip);
    await run(join(programs, "python"), "-m", "build", "--outdir", join(folder, "dist"));
    const built = readdirSync(join(folder, "dist")).map((file) => join(folder, "dist", file));
    expect(built).toHaveLength(2);
    expect((await run(join(programs, "twine"), "check", "--strict", ...built)).match(/PASSED/g)).toHaveLength(2);
    const wheel = built.find((file) => file.endsWith(".whl")) as string;
    expect(await run(join(programs, "python"), "-m", "zipfile", "--list", wheel)).toMatch(/countersign\/py\.typed/);
  },
  patience,
);
