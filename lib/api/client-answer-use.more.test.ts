import { expect, it } from "vitest";
import { withdrawAnswer } from "@/lib/approvals/use/withdraw-answer";
import { hook } from "@/lib/client/adapters/claude";
import { Countersign } from "@/lib/client/countersign";
import { Gate, type GateOptions, type GuardOptions, guard, type ToolNotRunError } from "@/lib/client/gate";
import { pool } from "@/lib/database/db";
import { publicKeys } from "@/lib/receipts/receipt-keys";
import { answerApproval } from "@/lib/testing/answer-approval";
import { startFront } from "@/lib/testing/api-server";
import { anAppWith } from "@/lib/testing/factories";

// Tests the client's gate and guard, which use each answer for one action, against the service
// itself.
const { port } = await startFront();
const baseUrl = `http://127.0.0.1:${port}`;
const receipt = { issuer: "http://localhost:3000", jwks: { keys: await publicKeys() } };
const wipe = { id: "call_1", name: "wipe", input: { path: "/data" } };
const pay = {
  question: "Pay 86.40 €?",
  options: [
    { id: "pay", label: "Pay" },
    { id: "no", label: "Don’t pay" },
  ],
  ownerOnly: true,
  once: true,
};
const mayHaveRun = "An earlier attempt at this call may have taken effect";
const withdrawn = "The owner withdrew the approval of this call.";

/**
 * Creates an app and its client. `instead` can replace the response to a request. The service has
 * processed the request by then, unless the request is a report.
 */
async function anApp(instead: (path: string) => Response | undefined = () => undefined) {
  const party = await anAppWith("approvals:write", "approvals:read");
  const send = (async (url: URL, init?: RequestInit) => {
    const other = instead(url.pathname);
    if (other && url.pathname.endsWith("/outcome")) return other;
    const response = await fetch(url, init);
    return other ?? response;
  }) as typeof fetch;
  const client = new Countersign({ baseUrl, token: party.token, fetch: send });
  const gate = (options: GateOptions = {}) => new Gate(client, { timeoutMs: 10_000, once: true, receipt, ...options });
  const ran: string[] = [];
  const work = async () => `ran ${ran.push("wipe")}`;
  const guarded = (more: Partial<GuardOptions> = {}) =>
    guard(client, pay, work, { key: "invoice 7", option: "pay", receipt, timeoutMs: 10_000, ...more });
  const used = async (id: string) => (await client.approvals.get(id)).usedAt;
  return { ...party, client, gate, ran, work, guarded, used };
}

const refusesReports = (path: string) => (path.endsWith("/outcome") ? new Response("{}", { status: 403 }) : undefined);
const choose = (optionId: string) => ({ kind: "option", optionId }) as const;

it("does not run a tool again if the program died between the use and the run", async () => {
  const { gate, owner, client, ran, work, used } = await anApp(refusesReports);
  const id = await gate().submit(wipe);
  await answerApproval(owner, id, choose("approve"));
  expect(await used(id)).toBeUndefined();
  // The program dies after `begin`, and its report of the start is lost.
  await gate().begin(wipe);
  expect(await client.approvals.get(id)).not.toHaveProperty("outcome");
  expect(await used(id)).toEqual(expect.any(Number));
  await expect(gate().run(wipe, work)).rejects.toMatchObject({
    name: "ToolNotRunError",
    id,
    message: expect.stringContaining(mayHaveRun),
  });
  const given = { hook_event_name: "PreToolUse", tool_name: "wipe", tool_input: wipe.input, tool_use_id: "call_1" };
  expect(await hook(gate())(given)).toMatchObject({
    hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: expect.stringContaining(mayHaveRun) },
  });
  expect(ran).toEqual([]);
  // The gate reads that the answer is used, so the owner gets no alert about a second use.
  const { rows } = await pool().query("SELECT type FROM event WHERE subject = $1 AND type LIKE 'approval.use%'", [id]);
  expect(rows).toEqual([{ type: "approval.used" }]);
});

it("runs a tool although its reports fail", async () => {
  const { gate, owner, ran, work, used } = await anApp(refusesReports);
  const id = await gate().submit(wipe);
  await answerApproval(owner, id, choose("approve"));
  expect(await gate().run(wipe, work)).toBe("ran 1");
  expect(await used(id)).toEqual(expect.any(Number));
  expect(ran).toHaveLength(1);
});

it("repeats a use whose response was lost, with the same key", async () => {
  const lost = [new Response("", { status: 502, headers: { "retry-after": "0" } })];
  const { gate, owner, ran, work } = await anApp((path) => (path.endsWith("/use") ? lost.pop() : undefined));
  await answerApproval(owner, await gate().submit(wipe), choose("approve"));
  expect(await gate().run(wipe, work)).toBe("ran 1");
  expect(lost).toEqual([]);
  expect(ran).toHaveLength(1);
});

it("does not run a tool if it never learns whether the answer is used", async () => {
  const lost = [new Response("", { status: 500 })];
  const { gate, owner, ran, work } = await anApp((path) => (path.endsWith("/use") ? lost.pop() : undefined));
  await answerApproval(owner, await gate().submit(wipe), choose("approve"));
  await expect(gate().run(wipe, work)).rejects.toMatchObject({ name: "CountersignError", status: 500 });
  await expect(gate().run(wipe, work)).rejects.toThrow(mayHaveRun);
  expect(ran).toEqual([]);
});

it("does not run a tool whose approval was withdrawn", async () => {
  const { gate, owner, client, ran, work, used } = await anApp();
  const id = await gate().submit(wipe);
  expect(await client.approvals.get(id)).toMatchObject({ once: true });
  await answerApproval(owner, id, choose("approve"));
  expect(await gate().decide(wipe)).toMatchObject({ id, approved: true });
  await withdrawAnswer(owner, id);
  await expect(gate().run(wipe, work)).rejects.toMatchObject({ name: "ToolNotRunError", id, message: withdrawn });
  expect(await used(id)).toBeUndefined();
  expect(ran).toEqual([]);
});

it("runs a tool once if two programs start it at the same time", async () => {
  const { gate, owner, ran, work } = await anApp();
  for (let round = 0; round < 10; round++) {
    const call = { ...wipe, id: `call_${round}` };
    await answerApproval(owner, await gate().submit(call), choose("approve"));
    const results = await Promise.allSettled([gate().run(call, work), gate().run(call, work)]);
    const failed = results.flatMap((it) => (it.status === "rejected" ? [it.reason as ToolNotRunError] : []));
    expect(failed).toMatchObject([{ name: "ToolNotRunError", message: expect.stringContaining(mayHaveRun) }]);
    expect(ran).toHaveLength(round + 1);
  }
});

it("guards an action: asks, uses the answer, runs once and reports the outcome", async () => {
  const { client, owner, guarded, ran } = await anApp();
  const going = guarded();
  const pending = async () => (await client.approvals.list({ status: "pending" })).data[0]?._id;
  await expect.poll(pending).toBeDefined();
  const id = (await pending()) as string;
  await answerApproval(owner, id, choose("pay"));
  expect(await going).toBe("ran 1");
  expect(await client.approvals.get(id)).toMatchObject({
    once: true,
    usedAt: expect.any(Number),
    outcome: { status: "done" },
  });
  await expect(guarded()).rejects.toMatchObject({ name: "ToolNotRunError", id });
  const { rows } = await pool().query("SELECT type FROM event WHERE subject = $1 AND type LIKE 'approval.use%'", [id]);
  // The earlier outcome stops the second attempt before it tries to use the answer.
  expect(rows).toEqual([{ type: "approval.used" }]);
  await expect(withdrawAnswer(owner, id)).rejects.toMatchObject({ status: 409 });
  expect(ran).toHaveLength(1);
});

it("guards an action from a wrong, withdrawn, missing or unproven answer", async () => {
  const { client, owner, guarded, ran } = await anApp();
  await expect(guarded({ key: "" })).rejects.toThrow("must have a key");
  await expect(guarded({ option: "approve" })).rejects.toThrow('The question has no option "approve"');
  await expect(guarded({ timeoutMs: 0 })).rejects.toMatchObject({ name: "NoAnswerError" });
  const answered = async (key: string, optionId: string) => {
    const id = await client.approvals.create(pay, { key });
    await answerApproval(owner, id, choose(optionId));
    return id;
  };
  const id = await answered("wrong", "no");
  await expect(guarded({ key: "wrong" })).rejects.toMatchObject({ name: "ToolNotRunError", id });
  await withdrawAnswer(owner, await answered("withdrawn", "pay"));
  await expect(guarded({ key: "withdrawn" })).rejects.toMatchObject({ name: "ToolNotRunError", message: withdrawn });
  await answered("other owner", "pay");
  const another = { ...receipt, owner: "own_other" };
  await expect(guarded({ key: "other owner", receipt: another })).rejects.toThrow("owner does not match");
  expect(ran).toEqual([]);
  // The checks above did not use the answer.
  expect(await guarded({ key: "other owner" })).toBe("ran 1");
});

it("reports the failure of a guarded action and throws its error", async () => {
  const { client, owner } = await anApp();
  const id = await client.approvals.create(pay, { key: "k" });
  await answerApproval(owner, id, choose("pay"));
  const fails = () => Promise.reject(new Error("The bank is away"));
  await expect(guard(client, pay, fails, { key: "k", option: "pay", receipt })).rejects.toThrow("The bank is away");
  expect((await client.approvals.get(id)).outcome).toMatchObject({ status: "failed", text: "The bank is away" });
});
