import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { npmFolder } from "./npm-install-folder";
import { testWith } from "./test-with-programs";

const typed = `import { generateText, tool, type ModelMessage } from "ai";
import { Agent, run, RunState, tool as agentTool } from "@openai/agents";
import { createAgent, createMiddleware, tool as chainTool } from "langchain";
import { Command } from "@langchain/langgraph";
import type { HookCallback } from "@anthropic-ai/claude-agent-sdk";
import { Agent as MastraAgent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { z } from "zod";
import { Countersign, type Approval } from "countersign";
import * as sdk from "countersign/ai-sdk";
import { hook } from "countersign/claude";
import * as graph from "countersign/langgraph";
import * as mastra from "countersign/mastra";
import { Gate, gated, settle } from "countersign/openai-agents";

const owner = new Countersign({ baseUrl: "http://localhost:3000", token: async () => "x" });
const gate = new Gate(owner, { risk: ({ name }) => (name === "wipe" ? "high" : "low"), store: new Map() });
const pages: Approval[] = [];
for await (const approval of owner.approvals.list({ status: "pending" })) pages.push(approval);

const tools = sdk.gated(gate, { wipe: tool({ inputSchema: z.object({ path: z.string() }), execute: ({ path }) => path }) });
const messages: ModelMessage[] = [{ role: "user", content: "Wipe" }];
const answer = await sdk.answers(gate, messages);
if (answer) messages.push(answer);
await generateText({ model: "openai/gpt-5-mini", tools, messages });

const wipe = gated(gate, agentTool)({ name: "wipe", description: "", parameters: z.object({ path: z.string() }), execute: ({ path }) => path });
const agent = new Agent({ name: "Robin", tools: [wipe] });
const result = await run(agent, "Wipe");
if (await settle(gate, result.state)) await run(agent, result.state);
await settle(gate, await RunState.fromString(agent, "{}"));

const middleware = [createMiddleware({ name: "Countersign", wrapToolCall: graph.gated(gate, { tools: ["wipe"] }) })];
const wiping = chainTool(({ path }: { path: string }) => path, { name: "wipe", schema: z.object({ path: z.string() }) });
const chain = createAgent({ model: "openai:gpt-5-mini", tools: [wiping], middleware });
const resume = await graph.answered(gate, await chain.invoke({ messages: [] }));
if (resume) await chain.invoke(new Command({ resume }));

const wiper = mastra.gated(gate, createTool)({ id: "wipe", description: "", inputSchema: z.object({ path: z.string() }), execute: async ({ path }) => path });
const robin = new MastraAgent({ id: "robin", name: "Robin", instructions: "", model: "openai/gpt-5-mini", tools: { wiper } });
const [gone] = await mastra.resume(gate, robin, { threadId: "1" });
const words: string = (gone ?? (await mastra.settle(gate, robin, await robin.generate("Wipe"), { memory: { thread: "1", resource: "2" }, maxSteps: 3 }))).text;

const callback: HookCallback = hook(gate);
console.log(callback, words);
`;

testWith(
  ["npm"],
  "matches the adapters' types to their frameworks",
  async (skip) => {
    const { folder, run } = await npmFolder(
      {
        ...{ ai: "6.0.326", "@openai/agents": "0.20.0", langchain: "1.5.14", "@langchain/langgraph": "1.7.3" },
        ...{ "@langchain/core": "1.4.0", "@anthropic-ai/claude-agent-sdk": "0.3.330", zod: "4.6.7" },
        "@mastra/core": "1.71.0",
      },
      skip,
    );
    cpSync("node_modules/@types/node", join(folder, "node_modules/@types/node"), { recursive: true });
    cpSync("node_modules/undici-types", join(folder, "node_modules/undici-types"), { recursive: true });
    writeFileSync(join(folder, "program.mts"), typed);
    const flags = "--ignoreConfig --noEmit --strict --skipLibCheck --target es2023 --module nodenext --types node";
    const tsc = join(process.cwd(), "node_modules/typescript/bin/tsc");
    const { out, status } = await run(process.execPath, tsc, ...flags.split(" "), "program.mts");
    expect([out, status]).toEqual(["", 0]);
  },
  300_000,
);
