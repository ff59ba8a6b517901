import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { db } from "@/lib/database/db";
import { startFront } from "@/lib/testing/api-server";
import { configure, unset } from "@/lib/testing/change-settings";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { anAppWith } from "@/lib/testing/factories";
import { runCommand } from "../run-command-line";

// Runs the commands in this process, with the API on a socket. `ask-with-simulator.more.test.ts`
// runs both as separate processes.
const { port, ask: call } = await startFront();
const { token } = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
const folder = newDataDir();
configure({ COUNTERSIGN_URL: `http://127.0.0.1:${port}` });
afterAll(() => {
  removeDataDir(folder);
  unset(["COUNTERSIGN_URL", "COUNTERSIGN_TOKEN"]);
});

const yesOrNo = ["--option", "yes", "--option", "no"];
function ask(args: string[], shown = token) {
  configure({ COUNTERSIGN_TOKEN: shown });
  return runCommand(["ask", ...args]);
}
const api = async (path: string, body?: object) =>
  (await call(body ? "POST" : "GET", `/api/approvals${path}`, { token, body })).body as Record<string, unknown>;

test("submits only one question per key", async () => {
  const context = join(folder, "context.md");
  writeFileSync(context, "**All green**");
  const words = [
    "Deploy 418?",
    ...yesOrNo,
    "--label",
    "yes=Yes, deploy",
    ...["--option", "n=418 only", "--label", "n=418 only=Nothing but 418"],
    "--context",
    context,
    "--recommend",
    "yes",
    "--key",
    "418",
  ];
  const first = await ask(words);
  expect(first).toEqual({ out: expect.stringMatching(/^apr_\w+\n$/), err: "", status: 0 });
  expect((await ask(words)).out).toBe(first.out);
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

test("submits the risk and the dangerous option", async () => {
  const { out } = await ask(["Drop the table?", ...yesOrNo, "--danger", "yes", "--risk", "high"]);
  expect(await api(`/${out.trim()}`)).toMatchObject({
    risk: "high",
    options: [
      { id: "yes", label: "yes", style: "danger" },
      { id: "no", label: "no" },
    ],
  });
  for (const [wrong, said] of [
    [["--risk", "severe"], "is invalid. Allowed choices are low, normal or high."],
    [["--danger", "maybe"], "No option has the ID maybe. Correct --danger, or add --option maybe."],
  ] as const)
    expect(await ask(["Drop it?", ...yesOrNo, ...wrong])).toMatchObject({
      err: expect.stringContaining(said),
      status: 2,
    });
});

test("submits facts in the given order", async () => {
  const facts = ["--fact", "Amount=86.40 €", "--fact", "Formula=a=b", "--fact", "Amount=1 €"];
  const { out, err } = await ask(["Pay?", ...yesOrNo, ...facts]);
  expect(err).toBe("");
  expect((await api(`/${out.trim()}`)).facts).toEqual([
    { label: "Amount", value: "86.40 €" },
    { label: "Formula", value: "a=b" },
    { label: "Amount", value: "1 €" },
  ]);
  for (const wrong of ["Amount", "Amount=", "=5", ""])
    expect(await ask(["Pay?", ...yesOrNo, "--fact", wrong])).toMatchObject({
      out: "",
      err: expect.stringContaining("--fact must have the form LABEL=VALUE."),
      status: 2,
    });
  const many = Array.from({ length: 7 }, (_, nth) => ["--fact", `${nth}=x`]).flat();
  expect(await ask(["Pay?", ...yesOrNo, ...many])).toMatchObject({
    err: expect.stringContaining("facts: Must contain at most 6 facts"),
    status: 1,
  });
});

test("prints the number that the owner has to pick", async () => {
  const said: string[] = [];
  const write = vi.spyOn(process.stderr, "write").mockImplementation((words) => said.push(String(words)) > 0);
  const risky = ["Pay?", ...yesOrNo, "--risk", "high", "--match"];
  const { out, status } = await ask([...risky, "--key", "pay 418"]);
  expect([status, (await ask([...risky, "--key", "pay 418"])).out]).toEqual([0, out]);
  expect((await ask(risky)).status).toBe(0);
  write.mockRestore();
  for (const line of said) expect(line).toMatch(/^Number: \d\d\. Pick this number before you answer\.\n$/);
  expect([said.length, said[0] === said[1]]).toEqual([3, true]);
  const { match } = await db.approval.findUniqueOrThrow({ where: { id: out.trim() } });
  expect(said[0]).toContain(`Number: ${(match as { number: string }).number}.`);
  for (const risk of [[], ["--risk", "low"]])
    expect(await ask(["Pay?", ...yesOrNo, "--match", ...risk])).toMatchObject({
      err: expect.stringContaining("--match requires --risk high."),
      status: 2,
    });
});

test("reports an answer that did not come from the owner", async () => {
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
  expect(await asking).toEqual({
    out: "yes\n",
    err: "The answer came from an app through the API, not from the owner.\n",
    status: 3,
  });
});

test("asks for values, and prints them after the option", async () => {
  const fields = ["--field", "amount=money:EUR:86.40", "--field", "when?=date"];
  const asking = ask(["Pay?", ...yesOrNo, ...fields, "--wait", "--json"]);
  type Pending = { _id: string; question: string; options: object[]; fields: { required: string[] } };
  let pending: Pending | undefined;
  await expect
    .poll(async () => {
      const { data } = (await api("?status=pending")) as { data: Pending[] };
      pending = data.find(({ question, fields }) => question === "Pay?" && fields);
      return pending;
    })
    .toBeTruthy();
  expect(pending?.options).toEqual([
    { id: "yes", label: "yes", fields: true },
    { id: "no", label: "no" },
  ]);
  expect(pending?.fields.required).toEqual(["amount"]);
  const values = { amount: { amount: "80.00", currency: "EUR" } };
  await api(`/${pending?._id}/resolve`, { kind: "option", optionId: "yes", values });
  expect(JSON.parse((await asking).out)).toMatchObject({ resolution: { optionId: "yes", values } });
  const words = ["Pay again?", ...yesOrNo, ...fields, "--fields-for", "no", "--key", "again"];
  const id = (await ask(words)).out.trim();
  await api(`/${id}/resolve`, { kind: "option", optionId: "no", values: { ...values, when: "2026-12-01" } });
  expect((await ask([...words, "--wait"])).out).toBe("no\namount=80.00 EUR\nwhen=2026-12-01\n");
});

describe("invalid commands", () => {
  test.each([
    ["a missing token", ["X?", ...yesOrNo], "", 1, "COUNTERSIGN_TOKEN is missing"],
    [
      "a wrong token",
      ["X?", ...yesOrNo],
      "csn_pat_no",
      1,
      "Unauthorized: The token is not a complete access token or personal token.",
    ],
    ["a rejected question", [" ", ...yesOrNo], undefined, 1, "Bad request: question: "],
    ["missing options", ["X?"], undefined, 2, "required option '--option <id>' not specified"],
    ["a missing question", yesOrNo, undefined, 2, "missing required argument 'question'"],
    [
      "a label for an unknown option",
      ["X?", ...yesOrNo, "--label", "maybe=Maybe"],
      undefined,
      2,
      "No option has the ID maybe",
    ],
    [
      "an expected answer that is not an option",
      ["X?", ...yesOrNo, "--wait", "--expect", "maybe"],
      undefined,
      2,
      "No option has the ID maybe",
    ],
    ["a malformed field", ["X?", ...yesOrNo, "--field", "amount"], undefined, 2, "--field must have the form"],
    ["fields for no fields", ["X?", ...yesOrNo, "--fields-for", "yes"], undefined, 2, "--fields-for requires --field"],
    [
      "fields for an unknown option",
      ["X?", ...yesOrNo, "--field", "a=text", "--fields-for", "maybe"],
      undefined,
      2,
      "No option has the ID maybe",
    ],
    ["a timeout without a wait", ["X?", ...yesOrNo, "--timeout", "3"], undefined, 2, "require --wait"],
    ["a missing file", ["X?", ...yesOrNo, "--context", "/no/such"], undefined, 1, "Can't read the file /no/such."],
  ])("explains %s and prints no answer", async (_, args, shown, status, words) => {
    const refused = await ask(args, shown);
    expect(refused.err).toContain(words);
    expect([refused.out, refused.status]).toEqual(["", status]);
  });
});

test("prints the inbox URL after ten seconds without an answer", async () => {
  const real = globalThis.setTimeout;
  const waits: unknown[] = [];
  // Makes the ten-second timer fire immediately.
  const timers = vi.spyOn(globalThis, "setTimeout").mockImplementation(((work: () => void, ms?: number) => {
    if (ms === 10_000) waits.push(ms);
    return real(work, ms === 10_000 ? 0 : ms);
  }) as typeof setTimeout);
  const said: string[] = [];
  const write = vi.spyOn(process.stderr, "write").mockImplementation((words) => said.push(String(words)) > 0);
  const late = await ask(["Ship now?", ...yesOrNo, "--wait", "--timeout", "1", "--json"]);
  timers.mockRestore();
  const { id } = JSON.parse(late.out) as { id: string };
  expect(said).toEqual([`Waiting for the owner to answer at http://127.0.0.1:${port}/approvals/${id}\n`]);
  expect([late.status, waits.length]).toEqual([4, 1]);
  await ask(["Ship soon?", ...yesOrNo, "--wait", "--timeout", "1"]);
  write.mockRestore();
  expect(said).toHaveLength(1);
});
