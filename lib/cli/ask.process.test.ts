import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { command, finished } from "@/lib/testing/command";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { runProgram, type Service, startService } from "@/lib/testing/service";

const environment: Record<string, string> = { DATA_DIR: newDataDir() };
const run = join(import.meta.dirname, "run.mjs");
const owner = "olive@example.com";
const yesOrNo = ["--option", "yes", "--option", "no"];
let service: Service;
let clientId = "";
let token = "";

beforeAll(async () => {
  service = await startService(environment);
  const words = ["owner", "create", "--email", owner, "--name", "Olive", "--password-stdin"];
  (await command(environment, words, "a password of some length")).json();
  clientId = (await command(environment, ["app", "create", "--owner", owner, "--name", "Deployer"])).json()
    .clientId as string;
  const scopes = ["approvals:write", "approvals:read", "approvals:resolve"].flatMap((scope) => ["--scope", scope]);
  token = (await command(environment, ["token", "create", "--owner", owner, "--app", clientId, ...scopes])).json()
    .token as string;
}, 180_000);
afterAll(async () => {
  await service.stop();
  removeDataDir(environment.DATA_DIR as string);
});

/** As a script on another machine: an address and a token, and nothing of ours. */
const ask = (args: string[], { input = "", shown = token }: { input?: string; shown?: string } = {}) =>
  finished(
    runProgram(
      [run, "lib/cli/main.ts", "ask", ...args],
      { COUNTERSIGN_URL: service.url, COUNTERSIGN_TOKEN: shown },
      input,
    ),
  );
const api = async (path: string, body?: object) => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const sent = body && { method: "POST", body: JSON.stringify(body) };
  return (await fetch(`${service.url}/api/approvals${path}`, { headers, ...sent })).json() as Promise<
    Record<string, unknown>
  >;
};

/** A simulated owner, from the moment it answers. */
async function simulator(rules: object[], more: string[] = [], settings: Record<string, string> = {}) {
  const file = join(environment.DATA_DIR as string, `rules-${Math.random()}.json`);
  writeFileSync(file, JSON.stringify({ rules }));
  const args = ["simulate", "--owner", owner, "--app", clientId, "--rules", file, ...more];
  const running = runProgram([run, "lib/cli/main.ts", ...args], { ...environment, ...settings });
  return {
    ...running,
    begun: () => expect.poll(running.said, { timeout: 30_000 }).toContain("Answering for"),
    stop: () => running.child.kill("SIGINT"),
  };
}

test("an owner by rules answers what scripts ask, and every answer says that nobody gave it", async () => {
  const it = await simulator([
    { question: "deploy", answer: { option: "yes" }, delayMs: 100 },
    { question: "drop", answer: { option: "no", note: "Never" } },
    { question: "name", answer: { other: "Call it Robin" } },
    { question: "leave", answer: "none" },
  ]);
  await it.begun();
  const [deploy, drop, named] = await Promise.all([
    ask(["Deploy?", ...yesOrNo, "--wait"]),
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
  const left = await ask(["Leave it?", ...yesOrNo, "--wait", "--timeout", "2"]);
  expect([left.out, left.err, left.status]).toEqual([
    "",
    expect.stringMatching(/^Not answered in time; .* apr_\w+\.\n$/),
    4,
  ]);
  it.stop();
  expect(await it.ended).toBe(0);
  expect(it.said()).toContain("3 answered.");
  const { data } = (await api("?status=resolved")) as { data: { resolution: { note: string } }[] };
  expect(data.map(({ resolution }) => resolution.note).sort()).toEqual([
    ...["Simulated: rule 1", "Simulated: rule 2. Never", "Simulated: rule 3"],
  ]);
});

describe("a simulated owner answers", () => {
  test("nothing where people may rely on it, unless that is meant", async () => {
    const rules = [{ answer: { option: 1 } }];
    const it = await simulator(rules, [], { PUBLIC_URL: "https://yes.example.com" });
    expect(await it.ended).toBe(1);
    expect(it.said()).toMatch(/^People may rely on the answers of yes\.example\.com.*--allow-remote\.\n$/);
    const meant = await simulator(rules, ["--allow-remote"], { PUBLIC_URL: "https://yes.example.com" });
    await meant.begun();
    meant.stop();
    expect(await meant.ended).toBe(0);
  });

  test("by rules that can be read", async () => {
    const it = await simulator([{ question: "(", answer: { option: 1 } }]);
    expect(await it.ended).toBe(1);
    expect(it.said()).toBe("rules.0.question: Is no regular expression.\n");
  });

  test("apps that are there", async () => {
    const it = await simulator([{ answer: { option: 1 } }], ["--app", "app_no"]);
    expect(await it.ended).toBe(1);
    expect(it.said()).toBe("No app has the client id app_no.\n");
  });
});

describe("ask", () => {
  test("submits once for a key, with labels, and context from a pipe", async () => {
    const words = [
      "Deploy 418?",
      ...yesOrNo,
      "--label",
      "yes=Yes, deploy",
      ...["--option", "n=418 only", "--label", "n=418 only=Nothing but 418"],
      "--context",
      "-",
      "--recommend",
      "yes",
      "--key",
      "418",
    ];
    const first = await ask(words, { input: "**All green**" });
    expect([first.out, first.status]).toEqual([expect.stringMatching(/^apr_\w+\n$/), 0]);
    expect((await ask(words, { input: "**All green**" })).out).toBe(first.out);
    expect(await api(`/${first.out.trim()}`)).toMatchObject({
      question: "Deploy 418?",
      backgroundContext: "**All green**",
      recommendation: "yes",
      options: [
        { id: "yes", label: "Yes, deploy" },
        { id: "no", label: "no" },
        { id: "n=418 only", label: "Nothing but 418" },
      ],
    });
  });

  test("tells an answer that the owner did not give", async () => {
    const asking = ask(["Answer myself?", ...yesOrNo, "--wait"]);
    let id: unknown;
    await expect
      .poll(async () => {
        const { data } = (await api("?status=pending")) as { data: { _id: string; question: string }[] };
        id = data.find(({ question }) => question === "Answer myself?")?._id;
        return id;
      })
      .toBeTruthy();
    await api(`/${id}/resolve`, { kind: "option", optionId: "yes" });
    const { out, err, status } = await asking;
    expect([out, err, status]).toEqual(["yes\n", "Answered through the API, not by the owner.\n", 3]);
  });

  test.each([
    ["no token", ["X?", ...yesOrNo], "", 1, "COUNTERSIGN_TOKEN is missing"],
    ["a wrong token", ["X?", ...yesOrNo], "csn_pat_no", 1, "Unauthorized."],
    ["what is refused", [" ", ...yesOrNo], undefined, 1, "Bad request: question: "],
    ["no options", ["X?"], undefined, 2, "--option is missing."],
    ["no question", yesOrNo, undefined, 2, "Usage: npm run -s countersign"],
    ["a label of nothing", ["X?", ...yesOrNo, "--label", "maybe=Maybe"], undefined, 2, "none of the options"],
    [
      "an expectation of nothing",
      ["X?", ...yesOrNo, "--wait", "--expect", "maybe"],
      undefined,
      2,
      "none of the options",
    ],
    ["a time without waiting", ["X?", ...yesOrNo, "--timeout", "3"], undefined, 2, "need --wait"],
    ["a file that is not there", ["X?", ...yesOrNo, "--context", "/no/such"], undefined, 1, "/no/such cannot be read."],
  ])("with %s says so", async (_, args, shown, status, words) => {
    const refused = await ask(args, shown === undefined ? {} : { shown });
    expect(refused.err).toContain(words);
    expect([refused.out, refused.status]).toEqual(["", status]);
  });
});
