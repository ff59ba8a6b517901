# A chat model for LangChain that deletes the last branch in its prompt, and repeats the tool's
# result.
import re

from langchain_core.messages import AIMessage, HumanMessage


class Model:
    def bind_tools(self, tools):
        return self

    def invoke(self, messages):
        last = messages[-1]
        if not isinstance(last, HumanMessage):
            return AIMessage(f"Heard: {last.text}")
        branch = re.search(r"([\w-]+)\.$", last.text)[1]
        call = {"id": f"call_{branch}", "name": "delete_branch", "args": {"branch": branch}, "type": "tool_call"}
        return AIMessage("", tool_calls=[call])


model = Model()
