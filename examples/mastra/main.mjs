import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { LibSQLStore } from "@mastra/libsql";
import { Countersign } from "countersign";
import { Gate, gated, resume, settle } from "countersign/mastra";
import { z } from "zod";
import { model } from "./model.mjs";

const client = new Countersign(); // COUNTERSIGN_URL, COUNTERSIGN_TOKEN
const gate = new Gate(client, {
  question: ({ input }) => `Delete the branch ${input.branch}?`,
});
const delete_branch = gated(
  gate,
  createTool,
)({
  id: "delete_branch",
  description: "Delete a branch.",
  inputSchema: z.object({ branch: z.string(), force: z.boolean().default(false) }),
  execute: async ({ branch }) => `Deleted ${branch}.`,
});
const instructions = "You look after a repository.";
const agent = new Agent({ id: "gardener", name: "Gardener", instructions, model, tools: { delete_branch } });
// Mastra stores pending calls, so the program can stop while it waits, and continue later.
new Mastra({ agents: { agent }, storage: new LibSQLStore({ id: "kept", url: "file:mastra.db" }) });

let [result] = await resume(gate, agent);
result ??= await settle(gate, agent, await agent.generate(process.argv[2] ?? "Delete the branch old-login."));
console.log(result.text);
