# A model for CrewAI that deletes the first branch in its prompt, and repeats the tool's result.
import json
import re
import uuid

from crewai import BaseLLM


class Fake(BaseLLM):
    def call(self, messages, *args, **how):
        heard = [it["content"] for it in messages if it["role"] == "tool"]
        if heard:
            return f"Heard: {heard[-1]}"
        branch = re.search(r"branch ([\w-]+)\.", messages[-1]["content"])[1]
        function = {"name": "delete_branch", "arguments": json.dumps({"branch": branch})}
        return [{"id": f"call_{uuid.uuid4()}", "type": "function", "function": function}]

    def supports_function_calling(self):
        return True

    def get_input_tokens_count(self, *args, **how):
        return 1


model = Fake(model="fake")
