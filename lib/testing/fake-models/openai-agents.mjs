// A fake model for the OpenAI Agents SDK. It calls the tool that deletes the branch named in the
// prompt, and then repeats the tool's result.
import { setTracingDisabled, Usage } from "@openai/agents";

setTracingDisabled(true);
export const model = {
  getResponse: async ({ input }) => {
    const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
    const last = items.at(-1);
    const heard = last.type === "function_call_result" ? (last.output.text ?? last.output) : undefined;
    const branch = JSON.stringify(items.find(({ role }) => role === "user")).match(/([\w-]+)\./)[1];
    const call = {
      type: "function_call",
      callId: `call_${branch}`,
      name: "delete_branch",
      status: "completed",
      arguments: JSON.stringify({ branch }),
    };
    const content = [{ type: "output_text", text: `Heard: ${heard}` }];
    const said = { type: "message", role: "assistant", status: "completed", content };
    return { usage: new Usage(), output: [heard === undefined ? call : said] };
  },
};
