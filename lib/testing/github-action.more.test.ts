import { randomUUID } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { answerApproval } from "./answer-approval";
import { anExample } from "./run-example";
import { runSystem, testWith } from "./test-with-programs";

// Runs the GitHub action as GitHub's runner does, with inputs in the environment and outputs in a
// file.
const folder = mkdtempSync(join(tmpdir(), "countersign-action-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const action = resolve("clients/github-action");
const declared = readFileSync(join(action, "action.yml"), "utf8");

/** Returns the inputs' defaults from action.yml, as GitHub's runner would pass them. */
function defaults(): Record<string, string> {
  const inputs = declared.slice(declared.indexOf("\ninputs:"), declared.indexOf("\noutputs:"));
  const given = inputs.matchAll(
    /^ {2}([\w-]+):\n(?: {4}(?!default).*\n)* {4}default: (?:"?([^"|\n]+)"?|\|\n((?: {6}.*\n)+))/gm,
  );
  return Object.fromEntries([...given].map(([, name, value, lines]) => [name, value ?? lines?.replace(/^ {6}/gm, "")]));
}

async function aWorkflow() {
  const it = await anExample("github-action", folder, process.execPath);
  const [output, summary] = ["output", "summary"].map((name) => join(folder, `${randomUUID()}-${name}`)) as [
    string,
    string,
  ];

  /** Runs a step with these inputs. */
  async function step(inputs: Record<string, string>) {
    for (const file of [output, summary]) writeFileSync(file, "");
    const all = { url: it.env.COUNTERSIGN_URL, token: it.env.COUNTERSIGN_TOKEN, ...defaults(), ...inputs };
    const { status, out, err } = await it.run([join(action, "index.mjs")], "", {
      ...Object.fromEntries(Object.entries(all).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value ?? ""])),
      ...{ GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary, GITHUB_SERVER_URL: "https://github.com" },
      ...{ GITHUB_REPOSITORY: "ada/shop", GITHUB_RUN_ID: "7", GITHUB_RUN_ATTEMPT: "1", GITHUB_WORKFLOW: "Deploy" },
      ...{
        GITHUB_JOB: "deploy",
        GITHUB_REF: "refs/heads/```\u202e",
        GITHUB_SHA: "c0ffee",
        GITHUB_TRIGGERING_ACTOR: "ada",
      },
    });
    const outputs = [...readFileSync(output, "utf8").matchAll(/^([\w-]+)<<(end-\S+)\n(.*?)\n\2$/gms)];
    return {
      ...{ status, out, err, summary: readFileSync(summary, "utf8") },
      outputs: Object.fromEntries(outputs.map(([, name, , value]) => [name, value])) as Record<string, string>,
    };
  }
  return { ...it, step };
}

test("continues a job when the owner approves", async () => {
  const { step, approvals, simulated } = await aWorkflow();
  const question = { question: "Deploy v2?", context: "**All green**", risk: "high", "allow-simulated": "true" };
  // No one answers this question.
  const late = (await aWorkflow()).step({ ...question, "timeout-minutes": "0.18" });

  await simulated();
  const went = await step(question);
  expect([went.status, went.err, went.outputs]).toEqual([
    0,
    "",
    {
      ...{ "approval-id": expect.stringMatching(/^apr_/), approved: "true", chosen: "approve", text: "" },
      ...{ note: expect.stringContaining("Simulated"), receipt: expect.stringMatching(/^eyJ/) },
    },
  ]);
  const id = went.outputs["approval-id"] ?? "";
  const asked = await approvals.get(id);
  expect(asked).toMatchObject({
    question: "Deploy v2?",
    ownerOnly: true,
    risk: "high",
    outcome: { status: "started" },
    usedAt: expect.any(Number),
  });
  await expect(approvals.use(id, asked.contentHash)).rejects.toMatchObject({ details: [{ reason: "used" }] });
  expect(asked.facts?.map(({ label }) => label)).toEqual(["Repository", "Ref", "Commit", "Started by"]);
  expect(asked.facts?.slice(0, 2).map(({ value }) => value)).toEqual(["ada/shop", "refs/heads/```\\u202e"]);
  expect(asked.backgroundContext).toContain('**All green**\n\n```json\n{\n  "repository": "ada/shop",');
  expect(asked.backgroundContext).toContain('"ref": "refs/heads/```\\u202e"');
  expect(asked.backgroundContext).toContain('"run": "https://github.com/ada/shop/actions/runs/7/attempts/1"');
  for (const [outcome, status] of [
    ["success", "done"],
    ["cancelled", "failed"],
  ] as const) {
    expect(await step({ "approval-id": id, outcome })).toMatchObject({ status: 0, out: "", outputs: {} });
    expect((await approvals.get(id)).outcome?.status).toBe(status);
  }

  const unused = await step({ ...question, "use-answer": "false" });
  expect(unused).toMatchObject({ status: 0, outputs: { approved: "true" } });
  expect((await approvals.get(unused.outputs["approval-id"] ?? "")).usedAt).toBeUndefined();

  const refused = await step({ ...question, question: "Deploy main?" });
  expect(refused).toMatchObject({ status: 1, outputs: { approved: "false", chosen: "reject", receipt: "" } });
  expect(refused.out).toContain(
    '::error title=Countersign::The owner chose "Reject": Simulated: rule 1. Never that one\n',
  );
  expect(refused.summary).toMatch(/^❌ The owner chose "Reject": .*Never that one \(apr_\w+\)\n$/);

  // An approval without the required receipt is not accepted.
  for (const [unproven, words] of [
    [{ "allow-simulated": "false" }, "A simulated owner answered"],
    [{ owner: "own_other" }, "owner does not match"],
    [{ audience: "app_other" }, "aud does not match"],
    [{ issuer: "https://evil.example" }, "iss does not match"],
  ] as const) {
    const { status, out, outputs } = await step({ ...question, ...unproven });
    expect([status, out, outputs.approved]).toEqual([1, expect.stringContaining(words), undefined]);
  }
  expect(await late).toMatchObject({
    status: 1,
    out: expect.stringContaining("The deadline passed without an answer"),
  });
});

test("fails a job when the owner rejects or a setting is missing", async () => {
  const { step, approvals, owner } = await aWorkflow();
  for (const [wrong, words] of [
    [{}, 'The input "question" is missing'],
    [{ question: "Go?", token: "" }, 'The input "token" is missing'],
    [{ question: "Go?", expect: "yes" }, "No option has the ID yes"],
    [{ question: "Go?", options: "approve: Yes\nno" }, 'has an invalid line, "no"'],
    [{ question: "Go?", "timeout-minutes": "soon" }, '"timeout-minutes" must be'],
    [{ question: "Go?", risk: "huge" }, "risk: "],
  ] as const) {
    const { status, out } = await step(wrong as Record<string, string>);
    expect([status, out]).toEqual([1, expect.stringContaining(words)]);
  }
  expect((await approvals.list()).data).toEqual([]);

  const going = step({ question: "Go?", options: "yes: Go on\nno: Stay here", expect: "yes" });
  const pending = async () => (await approvals.list({ status: "pending" })).data[0]?._id;
  await expect.poll(pending).toBeDefined();
  await answerApproval(owner, (await pending()) ?? "", { kind: "other", otherText: "Fix 100%\nof *it*" });
  expect(await going).toMatchObject({
    status: 1,
    out: expect.stringContaining("::The owner answered in their own words: Fix 100%25%0Aof *it*\n"),
    outputs: { approved: "false", chosen: "", text: "Fix 100%\nof *it*" },
    summary: expect.stringContaining("of \\*it\\*"),
  });
});

testWith(["go", "git"], "passes actionlint with the example workflow", async (skip) => {
  cpSync(action, join(folder, "clients/github-action"), { recursive: true });
  mkdirSync(join(folder, ".github/workflows"), { recursive: true });
  expect((await runSystem("git", ["init", "--quiet"], { cwd: folder })).status).toBe(0);
  const workflow = readFileSync("examples/github-action/deploy.yml", "utf8");
  const here = workflow.replaceAll(/uses: your-name\/countersign\/(\S+)@main/g, "uses: ./$1");
  const linted = (text: string) => {
    writeFileSync(join(folder, ".github/workflows/deploy.yml"), text);
    const lint = ["run", "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12", "-shellcheck="];
    return runSystem("go", lint, { cwd: folder });
  };
  const { status, out, err } = await linted(here);
  if (/dial tcp|no such host|proxyconnect/.test(err)) skip("needs Go's module proxy");
  expect([out, status]).toEqual(["", 0]);
  expect((await linted(here.replace("risk: high", "peril: high"))).out).toContain('input "peril" is not defined');
});
