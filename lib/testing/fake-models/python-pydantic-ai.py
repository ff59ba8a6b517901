# A model for Pydantic AI that deletes the last branch in its prompt, and repeats the tool's
# result.
import re

from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel


def respond(messages, _):
    last = messages[-1].parts[-1]
    if isinstance(last, ToolReturnPart):
        return ModelResponse(parts=[TextPart(f"Heard: {last.content}")])
    branch = re.search(r"([\w-]+)\.$", last.content)[1]
    return ModelResponse(parts=[ToolCallPart("delete_branch", {"branch": branch}, tool_call_id=f"call_{branch}")])


model = FunctionModel(respond)
