import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { finished, obeyed } from "@/lib/testing/operator-command";
import { ownDatabase } from "@/lib/testing/own-database";
import { runProgram, type Service, startService } from "@/lib/testing/service-process";

const folder = newDataDir();
let database: Awaited<ReturnType<typeof ownDatabase>>;
let environment: Record<string, string>;
const run = join(import.meta.dirname, "../run-typescript.mjs");
const owner = "olive@example.com";
const yesOrNo = ["--option", "yes", "--option", "no"];
let service: Service;
let clientId = "";
let token = "";

beforeAll(async () => {
  database = await ownDatabase();
  environment = {
    DATABASE_URL: database.url,
    SECRET: "of-whom-scripts-ask-0123456789abcdef0123456789",
    DATA_DIR: folder,
  };
  service = await startService(environment);
  const words = ["owner", "create", "--email", owner, "--name", "Olive", "--password-stdin"];
  (await obeyed(environment, words, "a password of some length")).json();
  clientId = (await obeyed(environment, ["app", "create", "--owner", owner, "--name", "Deployer"])).json()
    .clientId as string;
  const scopes = ["approvals:write", "approvals:read", "approvals:resolve"].flatMap((scope) => ["--scope", scope]);
  token = (await obeyed(environment, ["token", "create", "--owner", owner, "--app", clientId, ...scopes])).json()
    .token as string;
});
afterAll(async () => {
  await service.stop();
  await database.end();
  removeDataDir(folder);
});

/** Runs `ask` as a script on another machine does, with only a URL and a token. */
const ask = (args: string[], input = "", allows = ["--allow-simulated"]) =>
  finished(
    runProgram(
      [run, "lib/cli/main.ts", "ask", ...args, ...allows],
      { COUNTERSIGN_URL: service.url, COUNTERSIGN_TOKEN: token },
      input,
    ),
  );

/** Starts a simulator for an owner of a service with a public address. */
async function simulator(rules: object[]) {
  const file = join(folder, "rules.json");
  writeFileSync(file, JSON.stringify({ rules }));
  const args = ["simulate", "--owner", owner, "--app", clientId, "--rules", file, "--allow-remote"];
  const running = runProgram([run, "lib/cli/main.ts", ...args], {
    ...environment,
    PUBLIC_URL: "https://yes.example.com",
  });
  await expect.poll(running.output).toContain("questions to ");
  return running;
}

test("marks answers from the simulator as simulated", async () => {
  const it = await simulator([
    { question: "deploy", answer: { option: "yes" }, delayMs: 100 },
    { question: "drop", answer: { option: "no", note: "Never" } },
    { question: "name", answer: { other: "Call it Robin" } },
    { question: "leave", answer: "none" },
  ]);
  const [deploy, drop, named] = await Promise.all([
    ask(["Deploy?", ...yesOrNo, "--context", "-", "--wait"], "**All green**"),
    ask(["Drop the table?", ...yesOrNo, "--wait", "--expect", "yes"]),
    ask(["Which name?", "--option", "none", "--wait", "--json"]),
  ]);
  expect([deploy.out, deploy.err, deploy.status]).toEqual(["yes\n", "", 0]);
  expect([drop.out, drop.status]).toEqual(["no\n", 6]);
  expect([named.status, JSON.parse(named.out)]).toEqual([
    5,
    {
      id: expect.stringMatching(/^apr_/),
      answered: true,
      resolution: {
        kind: "other",
        otherText: "Call it Robin",
        note: "Simulated: rule 3",
        resolvedBy: "owner",
        resolvedAt: expect.any(Number),
      },
    },
  ]);
  const unproven = await ask(["Deploy now?", ...yesOrNo, "--key", "played", "--wait"], "", []);
  expect([unproven.out, unproven.err, unproven.status]).toEqual([
    "yes\n",
    "The answer is simulated, and not from the owner. To accept simulated answers, use --allow-simulated.\n",
    3,
  ]);
  const left = await ask(["Leave it?", ...yesOrNo, "--wait", "--timeout", "2"]);
  expect([left.out, left.err, left.status]).toEqual([
    "",
    expect.stringMatching(/^The owner did not answer in time\. The question apr_\w+ is still pending\.\n$/),
    4,
  ]);
  it.child.kill("SIGINT");
  expect(await it.ended).toBe(0);
  expect(it.output()).toContain("Answered questions: 4.");
  const headers = { authorization: `Bearer ${token}` };
  const reply = await fetch(`${service.url}/api/approvals?status=resolved`, { headers });
  type Resolved = { question: string; backgroundContext?: string; resolution: { note: string } };
  const { data } = (await reply.json()) as { data: Resolved[] };
  expect(data.find(({ question }) => question === "Deploy?")?.backgroundContext).toBe("**All green**");
  expect(data.map(({ resolution }) => resolution.note).sort()).toEqual([
    ...["Simulated: rule 1", "Simulated: rule 1", "Simulated: rule 2. Never", "Simulated: rule 3"],
  ]);
});
