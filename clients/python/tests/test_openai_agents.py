from typing import Any

import anyio
import pytest
from fake_service import Service, async_gate

pytest.importorskip("agents")
from agents import (  # noqa: E402
    Agent,
    Model,
    ModelResponse,
    Runner,
    RunState,
    Usage,
    function_tool,
    set_tracing_disabled,
)
from openai.types.responses import (  # noqa: E402
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from countersign import NoAnswerError, ToolNotRunError  # noqa: E402
from countersign.openai_agents import AsyncGate, ReportOutcomes, decide, editable, run  # noqa: E402

set_tracing_disabled(True)


class Wiper(Model):
    """A model that wipes a disk and reports the result."""

    async def get_response(self, system_instructions: Any, input: Any, *args: Any, **how: Any) -> ModelResponse:
        items: list[Any] = [] if isinstance(input, str) else input
        read = [it["output"] for it in items if it.get("type") == "function_call_output"]
        if read:
            text = ResponseOutputText(text=f"I read: {read[-1]}", type="output_text", annotations=[])
            said = ResponseOutputMessage(
                id="msg_1", content=[text], role="assistant", status="completed", type="message"
            )
            return ModelResponse([said], Usage(), None)
        call = ResponseFunctionToolCall(
            call_id="call_1", name="wipe", arguments='{"disk":"sda"}', type="function_call"
        )
        return ModelResponse([call], Usage(), None)

    def stream_response(self, *args: Any, **how: Any) -> Any:
        raise NotImplementedError


def agent(wiped: list[str], editor: AsyncGate | None = None) -> Agent[Any]:
    """An agent with one tool that needs approval."""

    @function_tool(needs_approval=True)
    def wipe(disk: str) -> str:
        """Wipe a disk."""
        wiped.append(disk)
        return f"Wiped {disk}"

    return Agent(name="Wiper", model=Wiper(), tools=[editable(wipe, editor) if editor else wipe])


def test_runs_an_approved_call_once_after_a_restart() -> None:
    async def work() -> None:
        service, wiped, kept = Service(), list[str](), list[str]()
        service.pending = True
        with pytest.raises(NoAnswerError):
            await run(
                agent(wiped), "Wipe it", async_gate(service, timeout=0), on_pause=lambda it: kept.append(it.to_string())
            )
        assert wiped == []
        service.pending = False
        restarted = agent(wiped)
        result = await run(restarted, await RunState.from_string(restarted, kept[-1]), async_gate(service))
        assert result.final_output == "I read: Wiped sda" and wiped == ["sda"]
        assert service.keys == ['tool:["","call_1"]'] * 2
        assert service.outcomes == [{"status": "started"}, {"status": "done", "text": "Wiped sda"}]
        assert len(service.use_keys) == 1

    anyio.run(work)


def test_returns_a_refusal_to_the_model() -> None:
    async def work() -> None:
        wiped = list[str]()
        result = await run(agent(wiped), "Wipe it", async_gate(Service("reject")))
        assert result.final_output == "I read: The owner did not approve this call. The owner wrote: Soon" and wiped == []

    anyio.run(work)


@pytest.mark.parametrize(("withdrawn", "words"), [(False, "may have taken effect"), (True, "withdrew the approval")])
def test_does_not_run_a_call_whose_answer_is_used_or_withdrawn(withdrawn: bool, words: str) -> None:
    async def work() -> None:
        service, wiped = Service(), list[str]()
        service.withdrawn, service.use_keys = withdrawn, [] if withdrawn else ["k"]
        result = await run(agent(wiped), "Wipe it", async_gate(service))
        assert words in result.final_output and wiped == [] and service.outcomes == []

    anyio.run(work)


def test_ends_a_run_whose_answer_is_withdrawn_after_the_decision() -> None:
    async def work() -> None:
        service, wiped = Service(), list[str]()
        gate = async_gate(service)
        paused = await Runner.run(agent(wiped), "Wipe it", hooks=ReportOutcomes(gate))
        state = await decide(paused.to_state(), gate)
        service.withdrawn = True
        with pytest.raises(ToolNotRunError, match="withdrew the approval"):
            await Runner.run(agent(wiped), state, hooks=ReportOutcomes(gate))
        assert wiped == [] and service.outcomes == []

    anyio.run(work)


def test_runs_the_arguments_that_the_owner_allowed() -> None:
    async def work() -> None:
        service, wiped, kept = Service(), list[str](), list[str]()
        service.resolution["values"] = {"disk": "sdb"}
        gate = async_gate(service, edits=True)
        first = agent(wiped, gate)
        result = await run(first, "Wipe it", gate, on_pause=lambda it: kept.append(it.to_string()))
        assert result.final_output == "I read: Wiped sdb" and wiped == ["sdb"]
        assert service.asked["fields"]["properties"] == {"disk": {"type": "string", "default": "sda"}}
        service.outcomes, service.use_keys = [], []
        gate = async_gate(service, edits=True)
        restarted = agent(wiped, gate)
        await run(restarted, await RunState.from_string(restarted, kept[-1]), gate)
        assert wiped == ["sdb", "sdb"]

    anyio.run(work)


def test_does_not_run_a_tool_that_would_ignore_the_allowed_arguments() -> None:
    async def work() -> None:
        service, wiped = Service(), list[str]()
        service.resolution["values"] = {"disk": "sdb"}
        for wrapped in (None, async_gate(service, edits=True)):
            with pytest.raises(ToolNotRunError, match="Wrap the tool with editable"):
                await run(agent(wiped, wrapped), "Wipe it", async_gate(service, edits=True))
        assert wiped == [] and service.use_keys == []

    anyio.run(work)
