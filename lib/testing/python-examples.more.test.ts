import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { fakeClaude } from "./fake-models/claude";
import { ours, pythonWith } from "./python-environment";
import { anExample, deletesBranches, lines } from "./run-example";
import { testWith } from "./test-with-programs";

// Tests the Python examples. Each example has its own Python environment, because the frameworks
// need conflicting versions of the same packages.

/** Prepares an example with its dependencies. */
async function withPackages(name: string, skip: (reason: string) => never, env = {}) {
  const wanted = readFileSync(`examples/${name}/requirements.txt`, "utf8").trim().split("\n");
  const extra = /^countersign-client\[([\w-]+)\]/.exec(wanted[0] ?? "")?.[1] ?? "";
  const programs = await pythonWith(name, [ours(extra), ...wanted.slice(1)], skip);
  return anExample(name, join(programs, ".."), join(programs, "python"), env);
}

const refused = "The owner did not approve this call. The owner wrote: Simulated: rule 1. Never that one";

for (const { name, ids = true, env = {} } of [
  { name: "python-langgraph" },
  { name: "python-openai-agents" },
  { name: "python-pydantic-ai" },
  // CrewAI assigns no IDs to calls. By default, it sends usage data.
  {
    name: "python-crewai",
    ids: false,
    env: { CREWAI_DISABLE_TELEMETRY: "true", CREWAI_DISABLE_VERSION_CHECK: "true" },
  },
]) {
  testWith(
    ["python3"],
    `runs an approved call once across a restart in the example ${name}`,
    async (skip) => {
      expect(lines(`${name}/main.py`)).toBeLessThanOrEqual(40);
      await deletesBranches(await withPackages(name, skip, env), "main.py", refused, { ids });
    },
    300_000,
  );
}

testWith(
  ["python3"],
  "runs an approved call once across a restart in the example python-claude",
  async (skip) => {
    expect(lines("python-claude/main.py")).toBeLessThanOrEqual(40);
    const home = mkdtempSync(join(tmpdir(), "countersign-claude-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    // Isolates the Claude Code that the SDK includes from this machine's settings.
    const example = await withPackages("python-claude", skip, {
      ...{ HOME: home, CLAUDE_CONFIG_DIR: home, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
      ...{ ANTHROPIC_BASE_URL: await fakeClaude(), ANTHROPIC_API_KEY: "none" },
    });
    await deletesBranches(example, "main.py", `PreToolUse:mcp__git__delete_branch hook error: ${refused}`);
  },
  300_000,
);
