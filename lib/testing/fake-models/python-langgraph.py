# A chat model of LangChain that deletes the branch named last in what it is told, and says what it heard of that.
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
