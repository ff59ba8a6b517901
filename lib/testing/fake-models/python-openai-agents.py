# A model for the OpenAI Agents SDK that deletes the last branch in its prompt, and repeats the
# tool's result.
import json
import re

from agents import Model, ModelResponse, Usage, set_tracing_disabled
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

set_tracing_disabled(True)


class Fake(Model):
    async def get_response(self, system_instructions, input, *args, **how):
        items = [{"role": "user", "content": input}] if isinstance(input, str) else input
        if items[-1].get("type") == "function_call_output":
            heard = f"Heard: {items[-1]['output']}"
            text = ResponseOutputText(text=heard, type="output_text", annotations=[])
            said = ResponseOutputMessage(
                id="msg_1", content=[text], role="assistant", status="completed", type="message"
            )
            return ModelResponse([said], Usage(), None)
        branch = re.search(r"([\w-]+)\.$", items[-1]["content"])[1]
        call = ResponseFunctionToolCall(
            call_id=f"call_{branch}",
            name="delete_branch",
            arguments=json.dumps({"branch": branch}),
            type="function_call",
        )
        return ModelResponse([call], Usage(), None)

    def stream_response(self, *args, **how):
        raise NotImplementedError


model = Fake()
