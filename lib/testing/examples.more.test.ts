import { spawn } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { Countersign } from "@/lib/client/countersign";
import { resetEnv } from "@/lib/env";
import { createFront } from "@/lib/front/front";
import { publicKeys } from "@/lib/receipts/keys";
import { anAppWith } from "./factories";
import { npmFolder } from "./npm-folder";
import { runSystem, testWith } from "./programs";
import { runProgram } from "./service";

// Each folder of examples/ that is for TypeScript, as it stands, with a model that is played and an owner who is simulated.
// Of the pages, the keys.
const { server, drain } = createFront(async (req, res) =>
  req.url === "/.well-known/jwks.json"
    ? void res.writeHead(200).end(JSON.stringify({ keys: await publicKeys() }))
    : void res.writeHead(404).end(),
);
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
afterAll(() => drain(500));
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
beforeAll(() => {
  process.env.PUBLIC_URL = baseUrl;
  resetEnv();
});
afterAll(() => {
  delete process.env.PUBLIC_URL;
  resetEnv();
});

const rules = [
  { question: "main", answer: { option: "reject", note: "Never that one" } },
  { answer: { option: "approve" } },
];

/** An example with what it needs, and an app for it. */
async function anExample(name: string, skip: (reason: string) => never) {
  const { owner, clientId, token } = await anAppWith("approvals:write", "approvals:read");
  const { dependencies } = JSON.parse(readFileSync(`examples/${name}/package.json`, "utf8"));
  const { countersign: _, ...others } = dependencies as Record<string, string>;
  const { folder } = await npmFolder(others, skip);
  cpSync(`examples/${name}`, folder, { recursive: true, filter: (path) => !path.endsWith("package.json") });
  const env = { COUNTERSIGN_URL: baseUrl, COUNTERSIGN_TOKEN: token, SIMULATED: "1" };
  const run = (args: string[], input = "") => runSystem(process.execPath, args, { cwd: folder, env, input });
  const approvals = new Countersign({ baseUrl, token }).approvals;

  /** Start it and end it hard once it has asked. */
  async function killedWhileItWaits(args: string[]) {
    const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, ...env }, stdio: "inherit" });
    await expect.poll(async () => (await approvals.list()).data.length, { timeout: 60_000 }).toBe(1);
    child.kill("SIGKILL");
  }

  /** `countersign simulate`, until the test is over. */
  async function simulated() {
    const file = join(folder, "rules.json");
    writeFileSync(file, JSON.stringify({ rules }));
    const { DATABASE_URL = "", SECRET = "" } = process.env;
    const words = ["simulate", "--owner", owner.email, "--app", clientId, "--rules", file];
    const { child, said } = runProgram([resolve("lib/cli/run.mjs"), "lib/cli/main.ts", ...words], {
      ...{ DATABASE_URL, SECRET, PUBLIC_URL: baseUrl },
    });
    afterAll(() => void child.kill("SIGINT"));
    await expect.poll(said, { timeout: 60_000 }).toContain("Answering for");
  }
  return { folder, run, approvals, killedWhileItWaits, simulated };
}

const done = (out: string) => ({ status: 0, out, err: "" });
const outcomes = async (approvals: Countersign["approvals"]) =>
  (await approvals.list()).data.map(({ question, outcome }) => [question, outcome?.status]);

testWith(["npm"], "the examples are at most 40 lines each", async () => {
  for (const file of ["ai-sdk/main", "openai-agents/main", "langgraph/main", "claude-code/hook"])
    expect(readFileSync(`examples/${file}.mjs`, "utf8").split("\n").length, file).toBeLessThanOrEqual(41);
});

for (const { name, restarts } of [
  { name: "ai-sdk", restarts: true },
  { name: "openai-agents", restarts: true },
  { name: "langgraph", restarts: false },
]) {
  testWith(
    ["npm"],
    `example ${name}: runs what is approved${restarts ? ", over a restart," : ""} once, and tells the model why not`,
    async (skip) => {
      const { folder, run, approvals, killedWhileItWaits, simulated } = await anExample(name, skip);
      cpSync(`lib/testing/fake-models/${name}.mjs`, join(folder, "model.mjs"));
      const main = (branch: string) => ["main.mjs", `Delete the branch ${branch}.`];
      if (restarts) await killedWhileItWaits(main("old-login"));
      await simulated();
      expect(await run(main("old-login"))).toEqual(done("Heard: Deleted old-login.\n"));
      expect(await run(main("main"))).toEqual(
        done("Heard: The owner did not approve this: Simulated: rule 1. Never that one\n"),
      );
      expect((await run(main("old-login"))).out).toContain("It was not run again.");
      expect(await outcomes(approvals)).toEqual([
        ["Delete the branch main?", undefined],
        ["Delete the branch old-login?", "done"],
      ]);
    },
    300_000,
  );
}

testWith(["npm"], "example claude-code: allows and denies, reports, and denies what it cannot ask", async (skip) => {
  const { run, approvals, simulated } = await anExample("claude-code", skip);
  await simulated();
  const given = (event: string, command: string, more = {}) =>
    JSON.stringify({
      ...{ hook_event_name: event, tool_name: "Bash", tool_input: { command }, tool_use_id: `toolu_${command}` },
      ...more,
    });
  const hook = async (input: string) => {
    const { status, out } = await run(["hook.mjs"], input);
    return { status, says: out ? JSON.parse(out).hookSpecificOutput : undefined };
  };
  const says = (permissionDecision: string, permissionDecisionReason: unknown) => ({
    status: 0,
    says: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason },
  });
  expect(await hook(given("PreToolUse", "ls"))).toEqual(says("allow", "The owner approved this."));
  expect(await hook(given("PostToolUse", "ls"))).toEqual({ status: 0, says: undefined });
  expect(await hook(given("PreToolUse", "ls"))).toEqual(says("deny", expect.stringContaining("not run again")));
  expect(await hook(given("PreToolUse", "git push main"))).toEqual(
    says("deny", expect.stringContaining("Never that one")),
  );
  expect(await hook(given("PreToolUse", "df"))).toEqual(says("allow", "The owner approved this."));
  await hook(given("PostToolUseFailure", "df", { error: "No such command" }));
  expect((await approvals.list()).data.map(({ outcome }) => outcome?.text)).toContain("No such command");
  expect(await hook(given("PreToolUse", "\u0000"))).toEqual(says("deny", expect.stringContaining("question")));
  // Any other status lets the tool run.
  expect((await hook("nonsense")).status).toBe(2);
});
