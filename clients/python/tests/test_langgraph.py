from typing import Any

import anyio
import pytest
from fake_service import Service, async_gate, gate

pytest.importorskip("langgraph")
from langchain_core.messages import AIMessage, HumanMessage  # noqa: E402
from langchain_core.tools import BaseTool, StructuredTool  # noqa: E402
from langgraph.checkpoint.memory import InMemorySaver  # noqa: E402
from langgraph.graph import START, MessagesState, StateGraph  # noqa: E402  # pyright: ignore[reportMissingTypeStubs]
from langgraph.prebuilt import ToolNode, tools_condition  # noqa: E402

from countersign import NoAnswerError  # noqa: E402
from countersign.langgraph import awrap_tool_call, wrap_tool_call  # noqa: E402

THREAD: Any = {"configurable": {"thread_id": "t"}}


def model(state: MessagesState) -> dict[str, Any]:
    """A model that wipes a disk and reports the result."""
    last = state["messages"][-1]
    if isinstance(last, HumanMessage):
        call = {"id": "call_1", "name": "wipe", "args": {"disk": "sda"}, "type": "tool_call"}
        return {"messages": [AIMessage("", tool_calls=[call])]}
    return {"messages": [AIMessage(f"I read: {last.text}")]}


def graph(saver: InMemorySaver, wiped: list[str], **how: Any) -> Any:
    """A graph with one tool, which fails for the disk in `breaks`."""

    def wipe(disk: str) -> str:
        wiped.append(disk)
        return f"Wiped {disk}"

    tool: BaseTool = StructuredTool.from_function(wipe, description="Wipe a disk.")
    built: Any = StateGraph(MessagesState)
    built.add_node("model", model)
    built.add_node("tools", ToolNode([tool], **how))
    built.add_edge(START, "model")
    built.add_conditional_edges("model", tools_condition)
    built.add_edge("tools", "model")
    return built.compile(checkpointer=saver)


ASKED: Any = {"messages": [("user", "Wipe it")]}


def test_runs_an_approved_call_once_after_a_restart() -> None:
    service, saver, wiped = Service(), InMemorySaver(), list[str]()
    service.pending = True
    with pytest.raises(NoAnswerError):
        graph(saver, wiped, wrap_tool_call=wrap_tool_call(gate(service, timeout=0))).invoke(ASKED, THREAD)
    assert wiped == []
    service.pending = False
    result = graph(saver, wiped, wrap_tool_call=wrap_tool_call(gate(service))).invoke(None, THREAD)
    assert result["messages"][-1].text == "I read: Wiped sda" and wiped == ["sda"]
    assert service.keys == ['tool:["","call_1"]'] * 2
    assert service.outcomes == [{"status": "started"}, {"status": "done", "text": "Wiped sda"}]
    assert len(service.use_keys) == 1


def test_returns_a_refusal_to_the_model() -> None:
    service, wiped = Service("reject"), list[str]()
    refused = graph(InMemorySaver(), wiped, wrap_tool_call=wrap_tool_call(gate(service))).invoke(ASKED, THREAD)
    assert refused["messages"][-1].text == "I read: The owner did not approve this call. The owner wrote: Soon"
    assert wiped == [] and service.outcomes == []
    free = wrap_tool_call(gate(service), only=["format"])
    graph(InMemorySaver(), wiped, wrap_tool_call=free).invoke(ASKED, THREAD)
    assert wiped == ["sda"]


def test_supports_asyncio() -> None:
    async def work() -> None:
        service, wiped = Service(), list[str]()
        wrapped = awrap_tool_call(async_gate(service))
        result = await graph(InMemorySaver(), wiped, awrap_tool_call=wrapped).ainvoke(ASKED, THREAD)
        assert result["messages"][-1].text == "I read: Wiped sda" and wiped == ["sda"]
        assert [it["status"] for it in service.outcomes] == ["started", "done"]

    anyio.run(work)


@pytest.mark.parametrize(("withdrawn", "words"), [(False, "may have taken effect"), (True, "withdrew the approval")])
def test_does_not_run_a_call_whose_answer_is_used_or_withdrawn(withdrawn: bool, words: str) -> None:
    service, wiped = Service(), list[str]()
    service.withdrawn, service.use_keys = withdrawn, [] if withdrawn else ["k"]
    result = graph(InMemorySaver(), wiped, wrap_tool_call=wrap_tool_call(gate(service))).invoke(ASKED, THREAD)
    assert words in result["messages"][-1].text and wiped == [] and service.outcomes == []

    async def work() -> None:
        wrapped = awrap_tool_call(async_gate(service))
        result = await graph(InMemorySaver(), wiped, awrap_tool_call=wrapped).ainvoke(ASKED, THREAD)
        assert words in result["messages"][-1].text and wiped == []

    anyio.run(work)


def test_runs_the_arguments_that_the_owner_allowed() -> None:
    service, wiped = Service(), list[str]()
    service.resolution["values"] = {"disk": "sdb"}
    built = graph(InMemorySaver(), wiped, wrap_tool_call=wrap_tool_call(gate(service, edits=True)))
    assert built.invoke(ASKED, THREAD)["messages"][-1].text == "I read: Wiped sdb" and wiped == ["sdb"]

    async def work() -> None:
        again = Service()
        again.resolution["values"] = {"disk": "sdc"}
        built = graph(InMemorySaver(), wiped, awrap_tool_call=awrap_tool_call(async_gate(again, edits=True)))
        await built.ainvoke(ASKED, THREAD)
        assert wiped == ["sdb", "sdc"]

    anyio.run(work)
