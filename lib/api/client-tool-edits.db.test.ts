import { expect, it } from "vitest";
import { gated as gatedTools } from "@/lib/client/adapters/ai-sdk";
import { hook } from "@/lib/client/adapters/claude";
import * as mastra from "@/lib/client/adapters/mastra";
import { gated } from "@/lib/client/adapters/openai-agents";
import { Countersign } from "@/lib/client/countersign";
import { Gate, type GateOptions } from "@/lib/client/gate";
import { publicKeys } from "@/lib/receipts/receipt-keys";
import { answerApproval } from "@/lib/testing/answer-approval";
import { startFront } from "@/lib/testing/api-server";
import { anAppWith } from "@/lib/testing/factories";

// Tests the gate's `edits` against the service itself.
const { port } = await startFront();
const receipt = { issuer: "http://localhost:3000", jwks: { keys: await publicKeys() } };
const input = {
  amount: 86.4,
  count: 3,
  express: false,
  to: "Ada\nLovelace",
  cc: ["x"],
  hidden: "a\u202eb",
  "not a name": "x",
};
const pay = { id: "call_1", name: "pay", input };
const values = { amount: 80, count: 2, express: true, to: "Grace" };
const allowed = { ...input, ...values };

async function aGate(options: GateOptions = {}) {
  const party = await anAppWith("approvals:write", "approvals:read");
  const countersign = new Countersign({ baseUrl: `http://127.0.0.1:${port}`, token: party.token });
  const start = (more: GateOptions = {}) =>
    new Gate(countersign, { edits: true, timeoutMs: 10_000, ...options, ...more, receipt });
  const gate = start();
  const approve = async (given: object, call = pay) =>
    answerApproval(party.owner, await gate.submit(call), {
      kind: "option",
      optionId: "approve",
      values: given as never,
    });
  return { ...party, countersign, start, gate, approve };
}

it("asks for each text, number, integer and boolean argument, with the proposed value as default", async () => {
  const { gate, countersign } = await aGate();
  const { fields, options, facts, backgroundContext } = await countersign.approvals.get(await gate.submit(pay));
  expect(fields).toEqual({
    type: "object",
    properties: {
      amount: { type: "number", default: 86.4 },
      count: { type: "integer", default: 3 },
      express: { type: "boolean", default: false },
      to: { type: "string", default: "Ada\nLovelace" },
    },
    required: ["amount", "count", "express", "to"],
  });
  expect(options[0]).toMatchObject({ id: "approve", fields: true });
  expect(options[1]).not.toHaveProperty("fields");
  expect(facts?.map(({ label }) => label)).toEqual(["cc", "hidden", "not a name"]);
  expect(backgroundContext).toContain('"amount": 86.4');
});

it("runs the tool with the arguments that the owner allowed", async () => {
  const { gate, start, approve } = await aGate();
  await approve(values);
  expect(await gate.decide(pay)).toMatchObject({ approved: true, input: allowed });
  await expect(start().begin(pay)).rejects.toThrow("Call permit");
  expect(await start().run(pay, (given) => given)).toEqual(allowed);
  await expect(start().permit(pay)).rejects.toMatchObject({ name: "ToolNotRunError" });
  const another = { ...pay, id: "call_2" };
  await approve(values, another);
  expect(await start().permit(another)).toMatchObject({ input: allowed });
});

it("runs the tool only if the receipt covers the fields", async () => {
  const store = new Map<string, string>();
  const { start, approve } = await aGate({ store });
  await approve(values);
  const tampered = { ...pay, input: { ...input, amount: 86.5 } };
  await expect(start().run(tampered, (given) => given)).rejects.toThrow("contentHash does not match");
  await expect(start({ edits: false }).run(pay, (given) => given)).rejects.toThrow("contentHash does not match");
});

it("leaves a call unchanged if it has no editable argument or the owner must not edit", async () => {
  const { gate, start, owner, countersign } = await aGate();
  const plain = { kind: "option", optionId: "approve" } as const;
  const nested = { id: "call_2", name: "pay", input: { lines: [{ amount: 1 }] } };
  const id = await gate.submit(nested);
  expect(await countersign.approvals.get(id)).not.toHaveProperty("fields");
  await answerApproval(owner, id, plain);
  expect(await gate.run(nested, (given) => given)).toBe(nested.input);
  const fixed = start({ edits: () => undefined });
  await answerApproval(owner, await fixed.submit(pay), plain);
  expect(await fixed.run(pay, (given) => given)).toBe(input);
});

it("keeps blank texts and arguments whose names look alike", async () => {
  const { gate, countersign, owner } = await aGate();
  const others = { blank: " \n", empty: "", items: 2, leam: 2, user__id: 2, user_id_: 2 };
  const call = { ...pay, input: { ...others, item5: 1, learn: 1, user_id: 1 } };
  const { fields } = await countersign.approvals.get(await gate.submit(call));
  const allowed = { item5: 3, leam: 3, user__id: 3 };
  expect(Object.keys((fields as { properties: object }).properties)).toEqual(Object.keys(allowed));
  await answerApproval(owner, await gate.submit(call), { kind: "option", optionId: "approve", values: allowed });
  expect(await gate.run(call, (given) => given)).toEqual({ ...call.input, ...allowed });
});

it("asks for the fields that a function returns", async () => {
  const money = { type: "object", format: "money", currency: "EUR", maximum: "100.00" } as const;
  const edits = () => ({ type: "object" as const, properties: { amount: money, to: { type: "string" as const } } });
  const { gate, approve } = await aGate({ edits });
  const amount = { amount: "80.00", currency: "EUR" };
  await expect(approve({ amount: { ...amount, amount: "100.01" } })).rejects.toMatchObject({ status: 400 });
  await approve({ amount });
  // The owner left the optional recipient empty.
  const { to: _, ...others } = input;
  expect(await gate.run(pay, (given) => given)).toEqual({ ...others, amount });
});

it("passes the allowed arguments to each framework's tool", async () => {
  const ran: unknown[] = [];
  const execute = async (given: unknown) => `paid ${ran.push(given)}`;
  const { gate, approve, countersign } = await aGate();
  const calls = [1, 2, 3, 4].map((each) => ({ ...pay, id: `call_${each}` }));
  for (const call of calls) await approve(values, call);

  const tools = gatedTools(gate, { pay: { execute } }) as unknown as {
    pay: { execute(input: unknown, how: object): unknown };
  };
  await tools.pay.execute(input, { toolCallId: "call_1" });
  type Options = { name: string; execute: (...all: unknown[]) => Promise<unknown> };
  const agents = gated(gate, (options: Options) => options)({ name: "pay", execute });
  const toolCall = { callId: "call_2", arguments: JSON.stringify(input) };
  await agents.execute({ ...input, added: true }, undefined, { toolCall });
  type MastraOptions = { id: string; execute: (input: unknown, context: object) => Promise<unknown> };
  const tool = mastra.gated(gate, (options: MastraOptions) => options)({ id: "pay", execute });
  const agent = { toolCallId: "call_3", resumeData: {}, suspendPayload: calls[2] };
  await tool.execute({}, { agent });
  expect(ran).toEqual([allowed, { ...allowed, added: true }, allowed]);

  const hooked = hook(gate);
  const event = { tool_name: "pay", tool_input: input, tool_use_id: "call_4" };
  expect(await hooked({ ...event, hook_event_name: "PreToolUse" })).toMatchObject({
    hookSpecificOutput: { permissionDecision: "allow", updatedInput: allowed },
  });
  const after = { ...event, hook_event_name: "PostToolUse", tool_input: allowed };
  // Another process doesn't know the approval's ID, so it reports nothing.
  expect(await hook(gate)(after)).toEqual({});
  const id = await gate.submit(calls[3] as typeof pay);
  expect((await countersign.approvals.get(id)).outcome?.status).toBe("started");
  expect(await hooked(after)).toEqual({});
  expect((await countersign.approvals.get(id)).outcome?.status).toBe("done");
});
