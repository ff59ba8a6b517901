import { spawn } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { Countersign } from "@/lib/client/countersign";
import { createHttpServer } from "@/lib/http/server";
import { publicKeys } from "@/lib/receipts/receipt-keys";
import { configure } from "@/lib/testing/change-settings";
import { anAppWith } from "./factories";
import { runProgram } from "./service-process";
import { type Ran, runSystem } from "./test-with-programs";

/* Runs the examples in examples/ as published, with a fake model and a simulated owner. */
const { server, drain } = createHttpServer(async (req, res) =>
  req.url === "/.well-known/jwks.json"
    ? void res.writeHead(200).end(JSON.stringify({ keys: await publicKeys() }))
    : void res.writeHead(404).end(),
);
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
afterAll(() => drain(500));
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
beforeAll(() => {
  configure({ PUBLIC_URL: baseUrl });
});
afterAll(() => {
  configure({ PUBLIC_URL: undefined });
});

const rules = [
  { question: "main", answer: { option: "reject", note: "Never that one" } },
  { answer: { option: "approve" } },
];

/**
 * Copies an example, and creates an app for it.
 * @param folder a folder with the example's dependencies
 * @param program the program that runs the example
 * @param more additional environment variables
 */
export async function anExample(name: string, folder: string, program: string, more: Record<string, string> = {}) {
  const { owner, clientId, token } = await anAppWith("approvals:write", "approvals:read");
  cpSync(`examples/${name}`, folder, { recursive: true, filter: (path) => !path.endsWith("package.json") });
  const fake = `lib/testing/fake-models/${name}`;
  for (const end of ["mjs", "py"])
    if (existsSync(`${fake}.${end}`)) cpSync(`${fake}.${end}`, join(folder, `model.${end}`));
  const env = { COUNTERSIGN_URL: baseUrl, COUNTERSIGN_TOKEN: token, COUNTERSIGN_ALLOW_SIMULATED: "1", ...more };
  const run = (args: string[], input = "", also: Record<string, string> = {}) =>
    runSystem(program, args, { cwd: folder, env: { ...env, ...also }, input });
  const approvals = new Countersign({ baseUrl, token }).approvals;

  /** Starts the example, and kills it after it has asked. */
  async function killedWhileItWaits(args: string[]) {
    const child = spawn(program, args, { cwd: folder, env: { ...process.env, ...env }, stdio: "inherit" });
    const ended = new Promise((closed) => child.on("close", closed));
    await expect.poll(async () => (await approvals.list()).data.length).toBe(1);
    child.kill("SIGKILL");
    await ended;
  }

  /** Runs `countersign simulate` until the test ends. */
  async function simulated() {
    const file = join(folder, "rules.json");
    writeFileSync(file, JSON.stringify({ rules }));
    const { DATABASE_URL = "", SECRET = "" } = process.env;
    const words = ["simulate", "--owner", owner.email, "--app", clientId, "--rules", file];
    const { child, output, ended } = runProgram([resolve("lib/cli/run-typescript.mjs"), "lib/cli/main.ts", ...words], {
      ...{ DATABASE_URL, SECRET, PUBLIC_URL: baseUrl },
    });
    onTestFinished(async () => {
      child.kill("SIGINT");
      await ended;
    });
    await expect.poll(output).toContain("questions to ");
  }
  return { folder, env, owner, run, approvals, killedWhileItWaits, simulated };
}

export type Example = Awaited<ReturnType<typeof anExample>>;

/**
 * Asserts that an example whose agent deletes branches runs an approved call once, even if it is
 * killed during the wait, and that the model receives the owner's reason for a rejection.
 * @param file the script, which gets the prompt as its argument
 * @param refused the model's text after a rejection
 * @param how `restarts`: whether the example continues after a restart; `ids`: whether a call's ID
 * stays the same in another run
 */
export async function deletesBranches(
  { run, approvals, killedWhileItWaits, simulated }: Example,
  file: string,
  refused: string,
  { restarts = true, ids = true } = {},
) {
  const main = (branch: string) => [file, `Delete the branch ${branch}.`];
  const heard = (words: string): Ran => ({ status: 0, out: `Heard: ${words}\n`, err: "" });
  if (restarts) await killedWhileItWaits(main("old-login"));
  await simulated();
  // An approved call is run, whatever the owner decides about later calls.
  expect(await run(main(restarts ? "never-read" : "old-login"))).toEqual(heard("Deleted old-login."));
  expect(await run(main("main"))).toEqual(heard(refused));
  expect((await run(main("old-login"))).out).toContain(ids ? "the call was not run again." : "Deleted old-login.");
  const asked = (await approvals.list()).data;
  expect(asked.map(({ question, outcome }) => [question, outcome?.status])).toEqual([
    ...(ids ? [] : [["Delete the branch old-login?", "done"]]),
    ["Delete the branch main?", undefined],
    ["Delete the branch old-login?", "done"],
  ]);
}

/** Returns the number of lines in an example, which must stay short. */
export const lines = (file: string) => readFileSync(join("examples", file), "utf8").trimEnd().split("\n").length;
