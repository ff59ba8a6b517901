import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { list } from "tar";
import { expect } from "vitest";
import { publicKeys } from "@/lib/receipts/receipt-keys";
import { answerApproval } from "./answer-approval";
import { startFront } from "./api-server";
import { anAppWith } from "./factories";
import { newestArchive } from "./newest-client-archive";
import { npmFolder } from "./npm-install-folder";
import { runSystem, testWith } from "./test-with-programs";

const { port } = await startFront();

testWith(["npm"], "passes publint and attw with the npm package", async (skip) => {
  const { run } = await npmFolder({ publint: "0.3.25", "@arethetypeswrong/cli": "0.18.5" }, skip);
  const linted = await run("node_modules/.bin/publint", "countersign.tgz", "--strict");
  expect([linted.status, linted.out]).toEqual([0, expect.stringContaining("All good!")]);
  const typed = await run("node_modules/.bin/attw", "countersign.tgz", "--no-color", "--no-emoji");
  expect([typed.status, typed.out]).toEqual([0, expect.stringContaining("No problems found")]);
});

testWith(["npm"], "publishes the same npm package that the service hosts", async () => {
  const packed = await runSystem("npm", ["pack", "--json", "--dry-run"], { cwd: "clients/typescript" });
  expect(packed.status, packed.err).toBe(0);
  const [{ files }] = JSON.parse(packed.out.slice(packed.out.indexOf("[\n"))) as [
    { files: { path: string; size: number }[] },
  ];
  const served: [string, number][] = [];
  list({
    file: join("public/client", newestArchive("countersign.tgz")),
    sync: true,
    onReadEntry: ({ path, size }) => served.push([path.replace("package/", ""), size]),
  });
  expect(files.map(({ path, size }) => [path, size]).sort()).toEqual(served.sort());
});

const program = `
const [baseUrl, token, jwks] = process.argv.slice(2);
const owner = new Countersign({ baseUrl, token });
const receipt = { issuer: "http://localhost:3000", jwks: JSON.parse(jwks) };
const options = { receipt, onQuestion: () => undefined };
const main = async () => {
  console.log(await new Gate(owner, options).run({ id: "1", name: "ship", input: { build: 418 } }, () => "shipped"));
  for await (const { question } of owner.approvals.list()) console.log(question);
  await owner.approvals.get("apr_none").catch((error) => console.log(error instanceof CountersignError, error.status));
  await verifyWebhook("{}", {}, "whsec_AAAA").catch((error) => console.log(error.name));
};
main();
`;

testWith(["npm"], "runs the npm package in all supported versions of Node.js", async (skip) => {
  const node = `npm:node-${process.platform}-${process.arch}`;
  const { folder } = await npmFolder({ "node-18": `${node}@18.20.8`, "node-22": `${node}@22.23.3` }, skip);
  const names = "{ Countersign, CountersignError, verifyWebhook }";
  writeFileSync(
    join(folder, "main.mjs"),
    `import ${names} from "countersign";\nimport { Gate } from "countersign/gate";${program}`,
  );
  writeFileSync(
    join(folder, "main.cjs"),
    `const ${names} = require("countersign");\nconst { Gate } = require("countersign/gate");${program}`,
  );
  for (const node of [process.execPath, ...["18", "22"].map((it) => nodeOf(folder, it))]) {
    for (const file of ["main.mjs", "main.cjs"]) {
      const { token, owner } = await anAppWith("approvals:write", "approvals:read");
      const args = [file, `http://127.0.0.1:${port}`, token, JSON.stringify({ keys: await publicKeys() })];
      const running = runSystem(node, args, { cwd: folder });
      const headers = { authorization: `Bearer ${token}` };
      const pending = async () => {
        const reply = await fetch(`http://127.0.0.1:${port}/api/approvals`, { headers });
        return ((await reply.json()) as { data: { _id: string }[] }).data[0]?._id;
      };
      const asked = expect.poll(pending).toBeDefined();
      await Promise.race([asked, running]);
      const id = await pending();
      if (id) await answerApproval(owner, id, { kind: "option", optionId: "approve" });
      const { status, out, err } = await running;
      expect({ node, file, status, out, err: err.replace(/^\(.*Warning.*\n|\(Use `node.*\n/gm, "") }).toEqual({
        ...{ node, file, status: 0, err: "" },
        out: "shipped\nRun ship?\ntrue 404\nVerificationError\n",
      });
    }
  }
});
const nodeOf = (folder: string, version: string) => join(folder, `node_modules/node-${version}/bin/node`);

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
