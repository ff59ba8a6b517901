import { spawn } from "node:child_process";
import { cpSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { runSystem, testWith } from "./programs";
import { simulatedService } from "./simulated-service";

/*
 * The Python package against the service as built, with an owner who answers by rules: its own tests, its types, and the package as
 * it would be uploaded. What it needs comes from PyPI into a temporary folder.
 */

const patience = 900_000;
const root = join(import.meta.dirname, "../..");
let folder: string;
let environment: Record<string, string>;

beforeAll(async () => {
  const { end, ...service } = await simulatedService("snake", [
    { question: "delete (it|another)|branch main", answer: { option: 2, note: "Never on Mondays" } },
    { question: "leave", answer: "none" },
    { question: "branch slow", answer: { option: 1 }, delayMs: 8_000 },
    { answer: { option: 1 } },
  ]);
  afterAll(end);
  ({ folder, environment } = service);
  // The checkout stays as it is: what builds writes beside the sources.
  cpSync(join(root, "clients/python"), join(folder, "package"), { recursive: true });
}, patience);

/** Run a program in the package's folder, which has to succeed. @returns what it printed */
async function run(program: string, ...args: string[]): Promise<string> {
  const ran = await runSystem(program, args, { cwd: join(folder, "package"), env: environment });
  if (ran.status !== 0)
    throw new Error(`${program} ${args.join(" ")} ended with ${ran.status}:\n${ran.out}\n${ran.err}`);
  return ran.out;
}

/** A Python with these packages, in a folder of its own. @returns the folder of its programs */
async function pythonWith(name: string, packages: string[], skip: (reason: string) => never): Promise<string> {
  const programs = join(folder, name, "bin");
  const { status, err } = await runSystem("python3", ["-m", "venv", join(folder, name)]);
  if (status !== 0) skip(`needs Python's venv: ${err}`);
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages];
  const installed = await runSystem(join(programs, "python"), pip, { cwd: join(folder, "package") });
  if (/NewConnectionError|ConnectTimeout|ProxyError|Name or service not known/.test(installed.err)) skip("needs PyPI");
  expect(installed.status, installed.err).toBe(0);
  return programs;
}

const tested = ["mypy>=2", "pyright>=1.1.400", "pytest>=9", "standardwebhooks>=1", "trio>=0.30"];

testWith(
  ["python3"],
  "the Python package and its adapters do what they say, and their types are complete",
  async (skip) => {
    const programs = await pythonWith(
      "tests",
      [".[receipts,claude,langgraph,openai-agents,pydantic-ai]", ...tested],
      skip,
    );
    const said = await run(join(programs, "pytest"), "-rs");
    expect(said).toMatch(/^\d{2,} passed in /m);
    await run(join(programs, "mypy"));
    await run(join(programs, "pyright"), "--pythonpath", join(programs, "python"));
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

/** In place of the model that an example names: it does what it is told, and reads aloud what came of it. */
const fakeModel = `
import re, uuid
from langchain_core.messages import AIMessage, HumanMessage

class Model:
    def bind_tools(self, tools):
        return self

    def invoke(self, messages):
        last = messages[-1]
        if not isinstance(last, HumanMessage):
            return AIMessage(f"I read: {last.text}")
        branch = re.search(r"branch ([\\w-]+)", last.text)[1]
        call = {"id": str(uuid.uuid4()), "name": "delete_branch", "args": {"branch": branch}, "type": "tool_call"}
        return AIMessage("", tool_calls=[call])

model = Model()
`;

testWith(
  ["python3"],
  "the example for LangGraph deletes what the owner allows, and waits on after it was killed",
  async (skip) => {
    const programs = await pythonWith("langgraph", [".[langgraph]", "langgraph-checkpoint-sqlite>=3,<4"], skip);
    const cwd = join(folder, "example");
    cpSync(join(root, "examples/python-langgraph"), cwd, { recursive: true });
    writeFileSync(join(cwd, "model.py"), fakeModel);
    const env = { ...environment, SIMULATED: "1" };
    const main = async (branch: string) => {
      const words = ["main.py", `Delete the branch ${branch}.`];
      const { status, out, err } = await runSystem(join(programs, "python"), words, { cwd, env });
      expect(status, err).toBe(0);
      return out.trim();
    };
    expect(await main("old-login")).toBe("I read: Deleted old-login.");
    expect(await main("main")).toMatch(/^I read: The owner did not approve this\. They said: .*Never on Mondays$/);

    const asked = async () => {
      const headers = { authorization: `Bearer ${environment.COUNTERSIGN_TOKEN}` };
      const { data } = await (await fetch(`${environment.COUNTERSIGN_URL}/api/approvals`, { headers })).json();
      return data.filter(({ question }: { question: string }) => question === "Delete the branch slow?");
    };
    const killed = spawn(join(programs, "python"), ["main.py", "Delete the branch slow."], {
      cwd,
      env: { ...process.env, ...env },
      stdio: "ignore",
    });
    const ended = new Promise((resolve) => killed.on("close", resolve));
    await expect.poll(asked, { timeout: 60_000, interval: 20 }).toHaveLength(1);
    killed.kill("SIGKILL");
    await ended;
    expect(await main("never-read")).toBe("I read: Deleted slow.");
    const [only, ...others] = await asked();
    expect([others, only.outcome]).toEqual([[], expect.objectContaining({ status: "done", text: "Deleted slow." })]);
  },
  patience,
);
