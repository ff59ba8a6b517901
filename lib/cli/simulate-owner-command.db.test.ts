import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { getApproval, submitApproval } from "@/lib/approvals/approvals";
import {
  answerSimulated,
  Rules,
  type Simulated,
  type SimulatedQuestion,
  simulate,
  waitingFor,
} from "@/lib/approvals/simulated-owner";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { anAppWith } from "@/lib/testing/factories";
import { obeyed } from "@/lib/testing/operator-command";
import { aQuestion } from "@/lib/testing/sample-question";
import { simulateCommand } from "./simulate-owner-command";

const folder = newDataDir();
afterAll(() => removeDataDir(folder));

test("stops the simulation on a signal received immediately after startup", async () => {
  const { owner, clientId } = await anAppWith("approvals:write");
  const rules = join(folder, "rules.json");
  writeFileSync(rules, JSON.stringify({ rules: [{ answer: { option: 1 } }] }));
  const given: Record<string, string[]> = { owner: [owner.email], app: [clientId], rules: [rules] };

  const heard: number[] = [];
  const write = vi.spyOn(process.stderr, "write").mockImplementation((said) => {
    if (String(said).startsWith("Using ")) heard.push(process.listenerCount("SIGINT"));
    process.emit("SIGINT");
    return true;
  });
  const before = process.listenerCount("SIGINT");
  const { json } = await simulateCommand.run(
    { one: (name) => given[name]?.[0], all: (name) => given[name] ?? [], has: (name) => name in given },
    [],
  );
  write.mockRestore();
  expect(heard).toEqual([before + 1]);
  expect(json).toEqual({ answered: 0 });
});

test("records the rule's values as the owner's", async () => {
  const { owner, app } = await anAppWith("approvals:write", "approvals:read");
  const { id } = await submitApproval(app, {
    question: "Pay?",
    options: [{ id: "pay", label: "Pay", fields: true }],
    fields: {
      type: "object",
      properties: { when: { type: "string", format: "date" }, rush: { type: "boolean", default: false } },
      required: ["when"],
    },
  });
  const [waiting] = (await waitingFor(owner, [])) as [SimulatedQuestion];
  const { rules } = Rules.parse({ rules: [{ answer: { option: "pay", values: { when: "2026-12-01" } } }] });
  await answerSimulated(owner, waiting, simulate(rules, waiting) as Simulated);
  expect(JSON.parse((await getApproval(app, id)).text).resolution).toMatchObject({
    values: { when: "2026-12-01", rush: false },
    note: "Simulated: rule 1",
  });
});

test("answers questions from all of the owner's apps by default", async () => {
  const { owner, app } = await anAppWith("approvals:write");
  const other = await anAppWith("approvals:write");
  const rules = join(folder, "all.json");
  writeFileSync(rules, JSON.stringify({ rules: [{ answer: { option: 1 } }] }));
  const [{ id }, { id: theirs }] = await Promise.all([
    submitApproval(app, aQuestion),
    submitApproval(other.app, aQuestion),
  ]);
  const given: Record<string, string[]> = { owner: [owner.email], rules: [rules] };
  const said: string[] = [];
  const write = vi.spyOn(process.stderr, "write").mockImplementation((words) => {
    said.push(String(words));
    if (String(words).startsWith(id)) process.emit("SIGINT");
    return true;
  });
  const { json } = await simulateCommand.run(
    { one: (name) => given[name]?.[0], all: (name) => given[name] ?? [], has: (name) => name in given },
    [],
  );
  write.mockRestore();
  expect(json).toEqual({ answered: 1 });
  expect(said[0]).toContain(`Using 1 rule to answer every app's questions to ${owner.email}.`);
  expect(said.join("")).not.toContain(theirs);
});

test("requires --app with --allow-remote", async () => {
  const { owner } = await anAppWith("approvals:write");
  const { DATABASE_URL = "", SECRET = "" } = process.env;
  const words = ["simulate", "--owner", owner.email, "--rules", join(folder, "all.json"), "--allow-remote"];
  expect(await obeyed({ DATABASE_URL, SECRET }, words)).toMatchObject({
    status: 2,
    err: "--allow-remote requires --app. Add --app for each app whose questions the command may answer.\n",
  });
});

const remote = { PUBLIC_URL: "https://yes.example.com" };
test.each([
  [
    "a public service and no --allow-remote",
    { settings: remote },
    /^Simulated answers could mislead people who rely on yes\.example\.com.*--allow-remote\.\n$/,
  ],
  ["an invalid regular expression", { question: "(" }, /^rules\.0\.question: Must be a valid regular expression\.\n$/],
  [
    "an unknown app",
    { more: ["--app", "app_no"] },
    /^No app has the client ID app_no\. To find the client ID, run "app list" .*"grant list".*\.\n$/,
  ],
])("rejects a simulation with %s", async (_, { settings = {}, question = "deploy", more = [] }: AskOptions, words) => {
  const { owner, clientId } = await anAppWith("approvals:write");
  const rules = join(folder, "refused.json");
  writeFileSync(rules, JSON.stringify({ rules: [{ question, answer: { option: 1 } }] }));
  const { DATABASE_URL = "", SECRET = "" } = process.env;
  const args = ["simulate", "--owner", owner.email, "--app", clientId, "--rules", rules, ...more];
  const refused = await obeyed({ DATABASE_URL, SECRET, ...settings }, args);
  expect(refused).toMatchObject({ status: 1, out: "", err: expect.stringMatching(words) });
});
type AskOptions = { settings?: Record<string, string>; question?: string; more?: string[] };
