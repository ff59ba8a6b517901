// A fake chat model for LangChain. It calls the tool that deletes the branch named in the prompt,
// and then repeats the tool's result.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";

class Fake extends BaseChatModel {
  _llmType() {
    return "fake";
  }

  bindTools() {
    return this;
  }

  async _generate(messages) {
    const last = messages.at(-1);
    const branch = messages.find(({ type }) => type === "human").content.match(/([\w-]+)\.$/)[1];
    const tool_calls = [{ id: `call_${branch}`, name: "delete_branch", args: { branch } }];
    const message =
      last.type === "tool" ? new AIMessage(`Heard: ${last.content}`) : new AIMessage({ content: "", tool_calls });
    return { generations: [{ text: "", message }] };
  }
}

export const model = new Fake({});
