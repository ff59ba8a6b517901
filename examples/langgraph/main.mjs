import { Command, MemorySaver } from "@langchain/langgraph";
import { Countersign } from "countersign";
import { answered, Gate, gated } from "countersign/langgraph";
import { createAgent, createMiddleware, tool } from "langchain";
import { z } from "zod";
import { model } from "./model.mjs";

const client = new Countersign(); // COUNTERSIGN_URL, COUNTERSIGN_TOKEN
const gate = new Gate(client, {
  question: ({ input }) => `Delete the branch ${input.branch}?`,
});
const deleteBranch = tool(({ branch }) => `Deleted ${branch}.`, {
  name: "delete_branch",
  description: "Delete a branch.",
  schema: z.object({ branch: z.string() }),
});
const agent = createAgent({
  model,
  tools: [deleteBranch],
  middleware: [createMiddleware({ name: "Countersign", wrapToolCall: gated(gate, { tools: ["delete_branch"] }) })],
  // With a checkpointer that writes to a database, the program can stop and continue later.
  checkpointer: new MemorySaver(),
});

const thread = { configurable: { thread_id: "1" } };
const content = process.argv[2] ?? "Delete the branch old-login.";
let result = await agent.invoke({ messages: [{ role: "user", content }] }, thread);
for (let resume; (resume = await answered(gate, result)); )
  result = await agent.invoke(new Command({ resume }), thread);
console.log(result.messages.at(-1).content);
