from typing import Any

import anyio
import pytest
from fake_service import Service, async_gate

pytest.importorskip("pydantic_ai")
from pydantic_ai import Agent, FunctionToolset  # noqa: E402
from pydantic_ai.messages import (  # noqa: E402
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel  # noqa: E402

from countersign import NoAnswerError  # noqa: E402
from countersign.pydantic_ai import AsyncGate, GatedToolset  # noqa: E402


def model(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
    """A model that wipes a disk and reports the result."""
    part = messages[-1].parts[-1]
    if isinstance(part, ToolReturnPart):
        return ModelResponse(parts=[TextPart(f"I read: {part.content}")])
    return ModelResponse(parts=[ToolCallPart("wipe", {"disk": "sda"}, tool_call_id="call_1")])


def agent(gate: AsyncGate, wiped: list[str]) -> Any:
    """An agent with one tool."""

    def wipe(disk: str) -> str:
        """Wipe a disk."""
        wiped.append(disk)
        return f"Wiped {disk}"

    tools: Any = FunctionToolset(tools=[wipe])
    return Agent(FunctionModel(model), toolsets=[GatedToolset(tools, gate)])


def test_runs_an_approved_call_once_after_a_restart() -> None:
    async def work() -> None:
        service, wiped, kept = Service(), list[str](), b""
        service.pending = True
        with pytest.raises(NoAnswerError):
            async with agent(async_gate(service, timeout=0), wiped).iter("Wipe it") as run:
                async for _ in run:
                    kept = run.all_messages_json()
        assert wiped == []
        service.pending = False
        history = ModelMessagesTypeAdapter.validate_json(kept)
        result = await agent(async_gate(service), wiped).run(message_history=history)
        assert result.output == "I read: Wiped sda" and wiped == ["sda"]
        assert service.keys == ['tool:["","call_1"]'] * 2
        assert service.outcomes == [{"status": "started"}, {"status": "done", "text": "Wiped sda"}]
        assert len(service.use_keys) == 1

    anyio.run(work)


def test_returns_a_refusal_to_the_model() -> None:
    async def work() -> None:
        wiped = list[str]()
        result = await agent(async_gate(Service("reject")), wiped).run("Wipe it")
        assert result.output == "I read: The owner did not approve this call. The owner wrote: Soon" and wiped == []

    anyio.run(work)


@pytest.mark.parametrize(("withdrawn", "words"), [(False, "may have taken effect"), (True, "withdrew the approval")])
def test_does_not_run_a_call_whose_answer_is_used_or_withdrawn(withdrawn: bool, words: str) -> None:
    async def work() -> None:
        service, wiped = Service(), list[str]()
        service.withdrawn, service.use_keys = withdrawn, [] if withdrawn else ["k"]
        result = await agent(async_gate(service), wiped).run("Wipe it")
        assert words in result.output and wiped == [] and service.outcomes == []

    anyio.run(work)


def test_runs_the_arguments_that_the_owner_allowed() -> None:
    async def work() -> None:
        service, wiped = Service(), list[str]()
        service.resolution["values"] = {"disk": "sdb"}
        result = await agent(async_gate(service, edits=True), wiped).run("Wipe it")
        assert result.output == "I read: Wiped sdb" and wiped == ["sdb"]
        assert service.asked["fields"]["required"] == ["disk"]

    anyio.run(work)
