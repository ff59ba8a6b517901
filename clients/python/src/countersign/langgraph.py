"""For LangGraph: `ToolNode(tools, wrap_tool_call=wrap_tool_call(Gate()))`.
Needs `countersign-client[langgraph]`.

With a checkpointer, a graph that stopped while it waited continues to wait for the same answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import Any

from langchain_core.messages import ToolMessage
from langgraph.errors import GraphBubbleUp
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from .gate import AsyncGate, Decision, Gate, ToolCall

Result = ToolMessage | Command[Any]


def wrap_tool_call(
    gate: Gate, only: Collection[str] | None = None
) -> Callable[[ToolCallRequest, Callable[[ToolCallRequest], Result]], Result]:
    """Ask the owner before a tool runs. `only` limits this to tools with these names."""

    def wrapped(request: ToolCallRequest, execute: Callable[[ToolCallRequest], Result]) -> Result:
        call = _call(request)
        if only is not None and call.name not in only:
            return execute(request)
        decision = gate.begin(call)
        if not decision.approved:
            return _refused(call, decision)
        try:
            result = execute(_allowed(request, decision))
        except GraphBubbleUp:
            raise
        except Exception as failure:
            gate.report(call.id, "failed", repr(failure))
            raise
        gate.report(call.id, "failed" if _failed(result) else "done", _text(result))
        return result

    return wrapped


def awrap_tool_call(
    gate: AsyncGate, only: Collection[str] | None = None
) -> Callable[[ToolCallRequest, Callable[[ToolCallRequest], Awaitable[Result]]], Awaitable[Result]]:
    """The same for asyncio: `ToolNode(tools,
    awrap_tool_call=awrap_tool_call(AsyncGate()))`."""

    async def wrapped(request: ToolCallRequest, execute: Callable[[ToolCallRequest], Awaitable[Result]]) -> Result:
        call = _call(request)
        if only is not None and call.name not in only:
            return await execute(request)
        decision = await gate.begin(call)
        if not decision.approved:
            return _refused(call, decision)
        try:
            result = await execute(_allowed(request, decision))
        except GraphBubbleUp:
            raise
        except Exception as failure:
            await gate.report(call.id, "failed", repr(failure))
            raise
        await gate.report(call.id, "failed" if _failed(result) else "done", _text(result))
        return result

    return wrapped


def _call(request: ToolCallRequest) -> ToolCall:
    call = request.tool_call
    return ToolCall(call["id"] or "", call["name"], call["args"])


def _allowed(request: ToolCallRequest, decision: Decision) -> ToolCallRequest:
    """The request with the owner's changes."""
    if decision.fields is None:
        return request
    return request.override(tool_call={**request.tool_call, "args": decision.edit(request.tool_call["args"])})


def _refused(call: ToolCall, decision: Decision) -> ToolMessage:
    return ToolMessage(decision.reason, name=call.name, tool_call_id=call.id, status="error")


def _failed(result: Result) -> bool:
    return isinstance(result, ToolMessage) and result.status == "error"


def _text(result: Result) -> str:
    return str(result.text) if isinstance(result, ToolMessage) else ""


__all__ = ["AsyncGate", "Gate", "awrap_tool_call", "wrap_tool_call"]
