"""For the OpenAI Agents SDK: `await run(agent, "…", AsyncGate())`, for tools with `needs_approval`. Needs `countersign-client[openai-agents]`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from agents import Agent, FunctionTool, RunHooks, Runner, RunResult, RunState, TResponseInputItem
from agents.exceptions import AgentsException
from agents.run_context import RunContextWrapper
from agents.tool import Tool
from agents.tool_context import ToolContext

from ._errors import ToolNotRunError
from .gate import AsyncGate, ToolCall


async def decide(state: RunState[Any, Any], gate: AsyncGate) -> RunState[Any, Any]:
    """Ask the owner about every call that needs approval. The model reads the reason of a refusal."""
    for item in state.get_interruptions():
        call = ToolCall(item.call_id or "", item.name or "", json.loads(item.arguments or "{}"))
        decision = await gate.decide(call)
        if decision.approved:
            state.approve(item)
        else:
            state.reject(item, rejection_message=decision.reason)
    return state


class _Edited:
    """Invokes a tool with the arguments that the owner allowed."""

    def __init__(self, tool: FunctionTool, gate: AsyncGate) -> None:
        self._invoke = tool.on_invoke_tool
        self.gate = gate

    async def __call__(self, context: ToolContext[Any], given: str) -> Any:
        decision = self.gate.approved(context.tool_call_id)
        if decision and decision.fields:
            given = json.dumps(decision.edit(json.loads(given or "{}")))
        return await self._invoke(context, given)


def editable(tool: FunctionTool, gate: AsyncGate) -> FunctionTool:
    """Let a tool run with the arguments that the owner allowed, for a gate with `edits`. A tool that is not editable does
    not run if the owner can change its arguments."""
    return replace(tool, on_invoke_tool=_Edited(tool, gate))


class _NotRun(ToolNotRunError, AgentsException):
    """The SDK passes on only its own exceptions unchanged."""


class ReportOutcomes(RunHooks[Any]):
    """Uses the answer to an approved call before its tool runs, and reports the outcome to the owner."""

    def __init__(self, gate: AsyncGate) -> None:
        self._gate = gate

    async def on_tool_start(self, context: RunContextWrapper[Any], agent: Agent[Any], tool: Tool) -> None:
        """Run before each call. Raises ToolNotRunError, which ends the run, if the answer was withdrawn or already used.
        A restarted run passes the reason to the model."""
        if isinstance(context, ToolContext):
            known = self._gate.approved(context.tool_call_id)
            invoke = tool.on_invoke_tool if isinstance(tool, FunctionTool) else None
            if known and known.fields and not (isinstance(invoke, _Edited) and invoke.gate is self._gate):
                raise _NotRun(f"The owner can change the arguments of {tool.name}. Wrap the tool with editable().", known.id)
            decision = await self._gate.begin_approved(context.tool_call_id)
            if decision and not decision.approved:
                raise _NotRun(decision.reason, decision.id)

    async def on_tool_end(
        self, context: RunContextWrapper[Any], agent: Agent[Any], tool: Tool, result: object
    ) -> None:
        """Run after each call."""
        if isinstance(context, ToolContext):
            await self._gate.report(context.tool_call_id, "done", result)


async def run(
    agent: Agent[Any],
    input: str | list[TResponseInputItem] | RunState[Any, Any],
    gate: AsyncGate,
    *,
    on_pause: Callable[[RunState[Any, Any]], object] | None = None,
    **how: Any,
) -> RunResult:
    """Run an agent to its end, and ask the owner whenever a tool needs approval.

    `on_pause` receives the state before the wait. Store `state.to_string()`. After a restart, pass the result of
    `RunState.from_string` as `input` to wait for the same answer. `how` is passed to `Runner.run`.
    """
    hooks = ReportOutcomes(gate)
    while True:
        if isinstance(input, RunState) and input.get_interruptions():
            input = await decide(input, gate)
        result = await Runner.run(agent, input, hooks=hooks, **how)
        if not result.interruptions:
            return result
        input = result.to_state()
        if on_pause:
            on_pause(input)


__all__ = ["AsyncGate", "ReportOutcomes", "decide", "editable", "run"]
