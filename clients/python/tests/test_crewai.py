import json
import os
import re
from typing import Any

import pytest
from fake_service import Service, gate

os.environ["CREWAI_DISABLE_TELEMETRY"] = os.environ["CREWAI_DISABLE_VERSION_CHECK"] = "true"
pytest.importorskip("crewai")
from crewai import Agent, BaseLLM, Crew, Task  # noqa: E402
from crewai.tools import BaseTool, tool  # noqa: E402

from countersign import NoAnswerError  # noqa: E402
from countersign.crewai import gated  # noqa: E402


class Wiper(BaseLLM):
    """A model that wipes a disk and reports the result."""

    def call(self, messages: Any, *args: Any, **how: Any) -> Any:
        read = [it["content"] for it in messages if it["role"] == "tool"]
        if read:
            return f"I read: {read[-1]}"
        call = {"name": "wipe", "arguments": json.dumps({"disk": "sda"})}
        return [{"id": "call_1", "type": "function", "function": call}]

    def supports_function_calling(self) -> bool:
        return True


class Talker(BaseLLM):
    """A model that writes its tool calls as text."""

    def call(self, messages: Any, *args: Any, **how: Any) -> Any:
        read = re.findall(r"Observation: (.*times)", "\n".join(str(it["content"]) for it in messages))
        if read:
            return f"Thought: I now know the final answer\nFinal Answer: I read: {read[-1]}"
        return 'Thought: I wipe it\nAction: wipe\nAction Input: {"disk": "sda"}\n'

    def supports_function_calling(self) -> bool:
        return False


def wiper(wiped: list[str]) -> BaseTool:

    @tool("wipe")
    def wipe(disk: str, passes: int = 3) -> str:
        """Wipe a disk."""
        if disk == "broken":
            raise OSError("It is away")
        wiped.append(disk)
        return f"Wiped {disk} {passes} times"

    return wipe


def said_by_crew(tools: list[BaseTool], llm: type[BaseLLM] = Wiper) -> str:
    """The final output of one agent with one task."""
    agent = Agent(role="Wiper", goal="Wipe", backstory="Wipes", llm=llm(model="made-up"), tools=tools)
    task = Task(description="Wipe sda", expected_output="What came of it", agent=agent)
    crew: Any = Crew(agents=[agent], tasks=[task])
    return str(crew.kickoff().raw)


def test_runs_an_approved_call_once_after_a_restart() -> None:
    service, wiped = Service(), list[str]()
    service.pending = True
    with pytest.raises(NoAnswerError):
        gated([wiper(wiped)], gate(service, timeout=0, thread="t"))[0].run(disk="sda")
    service.pending = False
    said = said_by_crew(gated([wiper(wiped)], gate(service, thread="t")))
    assert said == "I read: Wiped sda 3 times" and wiped == ["sda"]
    assert '"passes": 3' in service.asked["backgroundContext"]
    assert len(service.keys) == 2 and len(set(service.keys)) == 1 and service.keys[0].startswith('tool:["t",')
    assert service.outcomes == [{"status": "started"}, {"status": "done", "text": "Wiped sda 3 times"}]
    assert len(service.use_keys) == 1
    again = said_by_crew(gated([wiper(wiped)], gate(service, thread="t")))
    assert "the call was not run again." in again and wiped == ["sda"]


def test_asks_again_for_a_repeated_call_after_an_answer() -> None:
    service, wiped = Service(), list[str]()
    asking = gate(service, timeout=0, thread="t")
    [tool] = gated([wiper(wiped)], asking)
    service.pending = True
    for _ in range(2):
        with pytest.raises(NoAnswerError):
            tool.run(disk="sda")
    service.pending = False
    tool.run(disk="sda")
    # The fake service has one approval, so the second call has an unused answer.
    service.outcomes, service.use_keys = [], []
    tool.run(disk="sda")
    first, again, answered, second = service.keys
    assert first == again == answered != second


def test_returns_a_refusal_to_the_crew() -> None:
    service, wiped = Service("reject"), list[str]()
    refused = said_by_crew(gated([wiper(wiped)], gate(service, thread="t")))
    assert refused == "I read: The owner did not approve this call. The owner wrote: Soon" and wiped == []
    service = Service()
    with pytest.raises(OSError, match="away"):
        gated([wiper(wiped)], gate(service, thread="t"))[0].run(disk="broken")
    assert service.outcomes[-1] == {"status": "failed", "text": "OSError('It is away')"}
    [free] = gated([wiper(wiped)], gate(Service(), thread="t"), only=["format"])
    assert free.run(disk="sdb") == "Wiped sdb 3 times"


def test_asks_for_approval_of_calls_in_plain_text() -> None:
    service, wiped = Service(), list[str]()
    [wipe] = gated([wiper(wiped)], gate(service, thread="t"))
    assert said_by_crew([wipe], Talker) == "I read: Wiped sda 3 times"
    assert wiped == ["sda"] and [it["status"] for it in service.outcomes] == ["started", "done"]
    once = wiper(wiped)
    once.max_usage_count = 1
    [limited] = gated([once], gate(Service("reject"), thread="u"))
    assert "did not approve" in limited.run(disk="sdb")
    assert "usage limit" in str(limited.run(disk="sdb"))


def test_requires_a_thread_name() -> None:
    with pytest.raises(ValueError, match="thread"):
        gated([], gate(Service()))


@pytest.mark.parametrize(("withdrawn", "words"), [(False, "may have taken effect"), (True, "withdrew the approval")])
def test_does_not_run_a_call_whose_answer_is_used_or_withdrawn(withdrawn: bool, words: str) -> None:
    service, wiped = Service(), list[str]()
    service.withdrawn, service.use_keys = withdrawn, [] if withdrawn else ["k"]
    said = said_by_crew(gated([wiper(wiped)], gate(service, thread="t")))
    assert words in said and wiped == [] and service.outcomes == []


def test_runs_the_arguments_that_the_owner_allowed() -> None:
    service, wiped = Service(), list[str]()
    service.resolution["values"] = {"disk": "sdb", "passes": 5}
    said = said_by_crew(gated([wiper(wiped)], gate(service, thread="t", edits=True)))
    assert said == "I read: Wiped sdb 5 times" and wiped == ["sdb"]
    assert service.asked["fields"]["properties"]["passes"] == {"type": "integer", "default": 3}
