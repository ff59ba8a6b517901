import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, RunState, run, tool } from "@openai/agents";
import { Countersign } from "countersign";
import { Gate, gated, settle } from "countersign/openai-agents";
import { z } from "zod";
import { model } from "./model.mjs";

const client = new Countersign(); // COUNTERSIGN_URL, COUNTERSIGN_TOKEN
const gate = new Gate(client, {
  question: ({ input }) => `Delete the branch ${input.branch}?`,
});
const deleteBranch = gated(
  gate,
  tool,
)({
  name: "delete_branch",
  description: "Delete a branch.",
  parameters: z.object({ branch: z.string() }),
  execute: ({ branch }) => `Deleted ${branch}.`,
});
const agent = new Agent({ name: "Gardener", model, tools: [deleteBranch] });

// The program stores the run, so it can stop while it waits, and continue later.
const kept = "state.json";
let result;
let next = existsSync(kept)
  ? await RunState.fromString(agent, readFileSync(kept, "utf8"))
  : (process.argv[2] ?? "Delete the branch old-login.");
do {
  if (next instanceof RunState) await settle(gate, next);
  result = await run(agent, next);
  next = result.state;
  writeFileSync(kept, next.toString());
} while (result.interruptions.length > 0);
rmSync(kept);
console.log(result.finalOutput);
