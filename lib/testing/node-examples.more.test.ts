import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { npmFolder } from "./npm-install-folder";
import { anExample, deletesBranches, lines } from "./run-example";
import { testWith } from "./test-with-programs";

// Runs the examples for Node.js as their readers would.

/**
 * Prepares an example with its dependencies. If the example requires a newer Node.js, installs that
 * too.
 */
async function withPackages(name: string, skip: (reason: string) => never) {
  const { dependencies, engines } = JSON.parse(readFileSync(`examples/${name}/package.json`, "utf8"));
  const { countersign: _, ...others } = dependencies as Record<string, string>;
  const newer = engines && { newer: `npm:node-${process.platform}-${process.arch}@22.23.3` };
  const { folder } = await npmFolder({ ...others, ...newer }, skip);
  return anExample(name, folder, newer ? join(folder, "node_modules/newer/bin/node") : process.execPath);
}

const refused = "The owner did not approve this call: Simulated: rule 1. Never that one";

for (const { name, restarts } of [
  { name: "ai-sdk", restarts: true },
  { name: "openai-agents", restarts: true },
  { name: "langgraph", restarts: false },
  { name: "mastra", restarts: true },
]) {
  testWith(
    ["npm"],
    `runs an approved call once${restarts ? " across a restart" : ""} in the example ${name}`,
    async (skip) => {
      expect(lines(`${name}/main.mjs`)).toBeLessThanOrEqual(40);
      const example = await withPackages(name, skip);
      await deletesBranches(example, "main.mjs", refused, { restarts });
      if (name !== "mastra") return;
      const { out, err } = await example.run(["main.mjs", "Delete the branches left and right."]);
      expect([out, err]).toEqual(["Heard: Deleted left. Deleted right.\n", ""]);
    },
    300_000,
  );
}

testWith(["npm"], "allows and denies calls in the example claude-code", async (skip) => {
  expect(lines("claude-code/hook.mjs")).toBeLessThanOrEqual(40);
  const { run, approvals, simulated } = await withPackages("claude-code", skip);
  await simulated();
  const given = (event: string, command: string, more = {}) =>
    JSON.stringify({
      ...{ hook_event_name: event, tool_name: "Bash", tool_input: { command }, tool_use_id: `toolu_${command}` },
      ...more,
    });
  const hook = async (input: string, also = {}) => {
    const { status, out } = await run(["hook.mjs"], input, also);
    return { status, says: out ? JSON.parse(out).hookSpecificOutput : undefined };
  };
  const says = (permissionDecision: string, permissionDecisionReason: unknown) => ({
    status: 0,
    says: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason },
  });
  expect(await hook(given("PreToolUse", "ls"))).toEqual(says("allow", "The owner approved this call."));
  expect(await hook(given("PostToolUse", "ls"))).toEqual({ status: 0, says: undefined });
  expect(await hook(given("PreToolUse", "ls"))).toEqual(says("deny", expect.stringContaining("not run again")));
  expect(await hook(given("PreToolUse", "git push main"))).toEqual(
    says("deny", expect.stringContaining("Never that one")),
  );
  expect(await hook(given("PreToolUse", "df"))).toEqual(says("allow", "The owner approved this call."));
  await hook(given("PostToolUseFailure", "df", { error: "No such command" }));
  expect((await approvals.list()).data.map(({ outcome }) => outcome?.text)).toContain("No such command");
  expect(await hook(given("PreToolUse", "\u0000"))).toEqual(says("deny", expect.stringContaining("question")));
  // Any other status would let the tool run.
  expect((await hook("nonsense")).status).toBe(2);
  expect((await hook(given("PreToolUse", "ls -l"), { COUNTERSIGN_TOKEN: "" })).status).toBe(2);
});
