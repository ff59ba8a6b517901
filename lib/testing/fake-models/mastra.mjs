// A fake model for Mastra. It calls the tool that deletes the branches named in the prompt, and
// then repeats the tool's results.
export const model = {
  specificationVersion: "v2",
  provider: "fake",
  modelId: "fake",
  supportedUrls: {},
  doGenerate: async ({ prompt }) => {
    const last = prompt.at(-1);
    const heard = last.role === "tool" ? last.content.map(({ output }) => output.value) : undefined;
    const branches = prompt.findLast(({ role }) => role === "user").content[0].text.match(/([\w-]+)(?=\.$| and )/g);
    const calls = branches.map((branch) => ({
      type: "tool-call",
      toolCallId: `call_${branch}`,
      toolName: "delete_branch",
      input: JSON.stringify({ branch }),
    }));
    return {
      content: heard ? [{ type: "text", text: `Heard: ${heard.join(" ")}` }] : calls,
      finishReason: heard ? "stop" : "tool-calls",
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      warnings: [],
    };
  },
};
