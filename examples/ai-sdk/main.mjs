import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { generateText, stepCountIs, tool } from "ai";
import { Countersign } from "countersign";
import { answers, Gate, gated } from "countersign/ai-sdk";
import { z } from "zod";
import { model } from "./model.mjs";

const client = new Countersign(); // COUNTERSIGN_URL, COUNTERSIGN_TOKEN
const gate = new Gate(client, {
  question: ({ input }) => `Delete the branch ${input.branch}?`,
});
const tools = gated(gate, {
  delete_branch: tool({
    description: "Delete a branch.",
    inputSchema: z.object({ branch: z.string() }),
    execute: ({ branch }) => `Deleted ${branch}.`,
  }),
});

// The program stores its messages, so it can stop while it waits, and continue later.
const kept = "messages.json";
const messages = existsSync(kept)
  ? JSON.parse(readFileSync(kept, "utf8"))
  : [{ role: "user", content: process.argv[2] ?? "Delete the branch old-login." }];

let result;
do {
  const answered = await answers(gate, messages);
  if (answered) messages.push(answered);
  result = await generateText({ model, tools, messages, stopWhen: stepCountIs(10) });
  messages.push(...result.response.messages);
  writeFileSync(kept, JSON.stringify(messages));
} while (result.content.some(({ type }) => type === "tool-approval-request"));
rmSync(kept);
console.log(result.text);
