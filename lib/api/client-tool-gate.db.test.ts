import { expect, it } from "vitest";
import { answerSimulated, simulate, waitingFor } from "@/lib/approvals/simulated-owner";
import { answers, gated as gatedTools } from "@/lib/client/adapters/ai-sdk";
import { hook } from "@/lib/client/adapters/claude";
import * as mastra from "@/lib/client/adapters/mastra";
import { gated } from "@/lib/client/adapters/openai-agents";
import { Countersign } from "@/lib/client/countersign";
import { Gate, type GateOptions } from "@/lib/client/gate";
import { safeJson } from "@/lib/client/visible-json";
import { publicKeys } from "@/lib/receipts/receipt-keys";
import { answerApproval } from "@/lib/testing/answer-approval";
import { startFront } from "@/lib/testing/api-server";
import { anAppWith } from "@/lib/testing/factories";

// Tests the client's tool gate against the service itself.
const { port } = await startFront();
const jwks = { keys: await publicKeys() };
const wipe = { id: "call_1", name: "wipe", input: { path: "/data", deep: { b: 1, a: ["x"] } } };
const approve = { kind: "option", optionId: "approve" } as const;

async function aGate(options: GateOptions = {}) {
  const party = await anAppWith("approvals:write", "approvals:read");
  const countersign = new Countersign({ baseUrl: `http://127.0.0.1:${port}`, token: party.token });
  // The service's configured address differs from this test's address.
  const receipt = { issuer: "http://localhost:3000", jwks, ...options.receipt };
  /** Returns a new gate, as a second process of the same program would create. */
  const start = (more: GateOptions = {}) => new Gate(countersign, { timeoutMs: 10_000, ...options, ...more, receipt });
  const ran: unknown[] = [];
  const work = async () => `wiped ${ran.push("wipe")}`;
  return { ...party, countersign, start, gate: start(), ran, work };
}

it("runs an approved tool call exactly once", async () => {
  const { gate, start, owner, countersign, ran, work } = await aGate({ risk: "high" });
  const id = await gate.submit(wipe);
  const asked = await countersign.approvals.get(id);
  expect(asked).toMatchObject({ question: "Run wipe?", ownerOnly: true, risk: "high" });
  expect(asked.backgroundContext).toBe(
    '`wipe` with\n\n```json\n{\n  "deep": {\n    "a": [\n      "x"\n    ],\n    "b": 1\n  },\n  "path": "/data"\n}\n```',
  );
  expect(asked.facts).toEqual([
    { label: "deep", value: '{"a":["x"],"b":1}' },
    { label: "path", value: "/data" },
  ]);
  await answerApproval(owner, id, approve);
  expect(await start().run(wipe, work)).toBe("wiped 1");
  expect((await countersign.approvals.get(id)).outcome?.status).toBe("done");
  await expect(start().run(wipe, work)).rejects.toMatchObject({
    name: "ToolNotRunError",
    id,
    message: expect.stringContaining("An earlier attempt"),
  });
  expect(ran).toHaveLength(1);
  expect((await countersign.approvals.list()).data).toHaveLength(1);
});

it("passes the owner's rejection note to the model without running the call", async () => {
  const { gate, owner, ran, work } = await aGate();
  await answerApproval(owner, await gate.submit(wipe), {
    kind: "option",
    optionId: "reject",
    note: "Never on Mondays",
  });
  const reason = "The owner did not approve this call: Never on Mondays";
  expect(await gate.decide(wipe)).toMatchObject({ approved: false, reason });
  await expect(gate.run(wipe, work)).rejects.toMatchObject({ name: "ToolNotRunError", message: reason });
  const other = { ...wipe, id: "call_2" };
  await answerApproval(owner, await gate.submit(other), { kind: "other", otherText: "Wipe /tmp" });
  await expect(gate.run(other, work)).rejects.toThrow("The owner did not approve this call: Wipe /tmp");
  expect(ran).toEqual([]);
});

it("runs only the tool call that the owner saw and approved", async () => {
  const kept = new Map<string, string>();
  const { gate, start, owner, clientId, ran, work } = await aGate({ store: kept });
  await answerApproval(owner, await gate.submit(wipe), approve);
  const elsewhere = { ...wipe, input: { path: "/" } };
  await expect(gate.run(elsewhere, work)).rejects.toThrow("contentHash does not match");
  // Without the program's store, the service recognizes the call by its ID.
  const forgetful = start({ store: new Map() });
  await expect(forgetful.run(elsewhere, work)).rejects.toMatchObject({ status: 422 });
  expect(await forgetful.submit(wipe)).toBe([...kept.values()][0]);
  for (const [receipt, words] of [
    [{ owner: "own_other" }, "owner does not match"],
    [{ audience: "app_other" }, "aud does not match"],
    [{ jwks: { keys: [] } }, "the service does not publish"],
  ] as const) {
    const pinned = new Gate(gate.client, { receipt: { issuer: "http://localhost:3000", jwks, ...receipt } });
    await expect(pinned.run(wipe, work)).rejects.toThrow(words);
  }

  const another = { ...wipe, id: "call_2" };
  await gate.submit(another);
  const [waiting] = await waitingFor(owner, [clientId]);
  const simulated = simulate([{ answer: { option: "approve" }, probability: 1, delayMs: 0 }], waiting as never);
  await answerSimulated(owner, waiting as never, simulated as never);
  await expect(gate.run(another, work)).rejects.toThrow("A simulated owner answered");
  expect(ran).toEqual([]);
  const forTests = new Gate(gate.client, { receipt: { issuer: "http://localhost:3000", jwks, allowSimulated: true } });
  expect(await forTests.run(another, work)).toBe("wiped 1");
});

it("reports a failed tool call to both the owner and the caller", async () => {
  const { gate, owner, countersign } = await aGate();
  const id = await gate.submit(wipe);
  await answerApproval(owner, id, approve);
  const fails = () => Promise.reject(new Error("Disk\u0000\u202e is away"));
  await expect(gate.run(wipe, fails)).rejects.toThrow("is away");
  expect((await countersign.approvals.get(id)).outcome).toMatchObject({ status: "failed", text: "Disk   is away" });
});

it("asks again for an identical tool call in another conversation", async () => {
  const { gate, start } = await aGate();
  expect(await start({ thread: "two" }).submit(wipe)).not.toBe(await gate.submit(wipe));
  await expect(gate.submit({ ...wipe, id: "" })).rejects.toThrow("must have an ID");
  await expect(start({ timeoutMs: 0 }).run(wipe, () => "no")).rejects.toMatchObject({ name: "NoAnswerError" });
});

it("escapes argument characters that would break the code block", async () => {
  const given = {
    "\u202ekey": "a\u0000b\u200b\u{e0041}\u2028",
    fence: "\n```\n# Approve",
    none: undefined,
    é: "naïve",
  };
  const text = safeJson(given);
  expect(text).not.toMatch(/(?!\n)\p{C}|\u2028|^```/mu);
  expect(text).toContain("naïve");
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(given)));
  const { gate } = await aGate();
  expect(await gate.submit({ id: "1", name: "write", input: given })).toMatch(/^apr_/);
  expect(safeJson(undefined)).toBe("null");
});

it("ignores a framework's approval that did not come from the owner", async () => {
  const { start, owner, ran, work } = await aGate();
  const gate = start({ timeoutMs: 0 });
  const { wipe: tool } = gatedTools(gate, { wipe: { execute: work } }) as unknown as {
    wipe: { needsApproval: boolean; execute: (input: unknown, how: { toolCallId: string }) => Promise<unknown> };
  };
  expect(tool.needsApproval).toBe(true);
  const call = () => tool.execute(wipe.input, { toolCallId: "call_1" });
  await expect(call()).rejects.toMatchObject({ name: "NoAnswerError" });
  type Options = { name: string; execute: (...all: unknown[]) => Promise<string> };
  const agents = gated(gate, (options: Options & { needsApproval?: true }) => options)({ name: "wipe", execute: work });
  expect(agents.needsApproval).toBe(true);
  const details = { toolCall: { callId: "call_1", arguments: JSON.stringify(wipe.input) } };
  // A schema may add arguments to those of the model. The owner saw only the model's arguments.
  await expect(agents.execute({ ...wipe.input, force: false }, undefined, details)).rejects.toMatchObject({
    name: "NoAnswerError",
  });
  const given = { hook_event_name: "PreToolUse", tool_name: "wipe", tool_input: wipe.input, tool_use_id: "call_1" };
  const denied = { permissionDecision: "deny", permissionDecisionReason: "The owner did not answer in time" };
  expect(await hook(gate)(given)).toMatchObject({ hookSpecificOutput: denied });

  const asked = [
    { type: "tool-call", toolCallId: "call_1", toolName: "wipe", input: wipe.input },
    { type: "tool-approval-request", approvalId: "1", toolCallId: "call_1" },
  ];
  const messages = [{ role: "assistant", content: asked }];
  await expect(answers(gate, messages)).rejects.toMatchObject({ name: "NoAnswerError" });
  await answerApproval(owner, await gate.submit(wipe), { kind: "option", optionId: "reject" });
  const response = { type: "tool-approval-response", approvalId: "1", approved: false, reason: expect.any(String) };
  const message = await answers(start(), messages);
  expect(message).toEqual({ role: "tool", content: [response] });
  expect(await answers(start(), [...messages, ...(message ? [message] : [])])).toBeUndefined();
  const added = { ...wipe.input, force: false };
  expect(await agents.execute(added, undefined, details)).toBe("The owner did not approve this call.");
  await expect(call()).rejects.toThrow("The owner did not approve this call.");
  expect(ran).toEqual([]);
});

it("suspends a Mastra agent before asking the owner", async () => {
  const { start, owner, countersign } = await aGate();
  type Execute = (input: unknown, context: object) => Promise<unknown>;
  const given: unknown[] = [];
  const execute: Execute = async (input) => `wiped ${given.push(input)}`;
  const as = (gate: Gate) => mastra.gated(gate, (options: { id: string; execute: Execute }) => options);
  const tool = as(start({ timeoutMs: 0 }))({ id: "wipe", execute });
  const agent = { toolCallId: "call_1", suspend: async (payload: unknown) => payload };
  const call = await tool.execute(wipe.input, { agent });
  expect(call).toEqual(wipe);
  expect((await countersign.approvals.list()).data).toEqual([]);

  const resumed = { ...agent, resumeData: { approved: true }, suspendPayload: call };
  await expect(tool.execute({}, { agent: resumed })).rejects.toMatchObject({ name: "NoAnswerError" });
  const other = { ...resumed, suspendPayload: { ...wipe, input: { path: "/" } } };
  await expect(tool.execute(wipe.input, { agent: other })).rejects.toMatchObject({ status: 422 });
  await expect(tool.execute(wipe.input, {})).rejects.toThrow("must have an ID");

  await answerApproval(owner, await start().submit(wipe), approve);
  const runs = [{ runId: "run_1", threadId: "t", resourceId: "r", toolCalls: [{ suspendPayload: call }] }];
  const [result] = await mastra.resume(start(), {
    listSuspendedRuns: async () => ({ runs }),
    resumeGenerate: async (resumeData: unknown, { runId, toolCallId, memory }) => ({
      ...{ runId, memory, suspendPayload: undefined },
      text: await tool.execute({}, { agent: { ...agent, toolCallId, resumeData, suspendPayload: call } }),
    }),
  });
  expect(result).toMatchObject({ runId: "run_1", memory: { thread: "t", resource: "r" }, text: "wiped 1" });
  expect(given).toEqual([wipe.input]);
});
