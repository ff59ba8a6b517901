// A fake model for the AI SDK. It calls the tool that deletes the branch named in the prompt, and
// then repeats the tool's result.
export const model = {
  specificationVersion: "v3",
  provider: "fake",
  modelId: "fake",
  supportedUrls: {},
  doGenerate: async ({ prompt }) => {
    const last = prompt.at(-1);
    const heard = last.role === "tool" ? last.content.map(({ output }) => output?.value ?? output?.reason) : undefined;
    const branch = prompt.findLast(({ role }) => role === "user").content[0].text.match(/([\w-]+)\.$/)[1];
    const call = {
      type: "tool-call",
      toolCallId: `call_${branch}`,
      toolName: "delete_branch",
      input: JSON.stringify({ branch }),
    };
    return {
      content: [heard ? { type: "text", text: `Heard: ${heard.join(" ")}` } : call],
      finishReason: { unified: heard ? "stop" : "tool-calls" },
      usage: { inputTokens: {}, outputTokens: {} },
      warnings: [],
    };
  },
};
