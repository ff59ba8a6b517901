"""For the Claude Agent SDK: `ClaudeAgentOptions(**permissions(AsyncGate()))`. Needs `countersign[claude]`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypedDict

from claude_agent_sdk import (
    HookContext,
    HookMatcher,
    PermissionResultAllow,
    PermissionResultDeny,
    ToolPermissionContext,
)
from claude_agent_sdk.types import HookEvent, HookInput, HookJSONOutput

from .gate import AsyncGate, ToolCall


def can_use_tool(
    gate: AsyncGate,
) -> Callable[[str, dict[str, Any], ToolPermissionContext], Awaitable[PermissionResultAllow | PermissionResultDeny]]:
    """Ask the owner about every tool that Claude asks permission for. Claude reads why one was refused."""

    async def ask(
        name: str, arguments: dict[str, Any], context: ToolPermissionContext
    ) -> PermissionResultAllow | PermissionResultDeny:
        id = context.tool_use_id or ""
        decision = await gate.decide(ToolCall(id, name, arguments))
        if not decision.approved:
            return PermissionResultDeny(message=decision.reason)
        await gate.report(id, "started")
        # What was shown to the owner runs, and nothing else.
        return PermissionResultAllow(updated_input=arguments)

    return ask


def outcome_hooks(gate: AsyncGate) -> dict[HookEvent, list[HookMatcher]]:
    """Tell the owner what came of the calls that they allowed."""

    async def after(given: HookInput, tool_use_id: str | None, _: HookContext) -> HookJSONOutput:
        if tool_use_id and given["hook_event_name"] == "PostToolUse":
            await gate.report(tool_use_id, "done", given["tool_response"])
        if tool_use_id and given["hook_event_name"] == "PostToolUseFailure":
            await gate.report(tool_use_id, "failed", given["error"])
        return {}

    return {name: [HookMatcher(hooks=[after])] for name in ("PostToolUse", "PostToolUseFailure")}


class Permissions(TypedDict):
    """What ClaudeAgentOptions takes."""

    can_use_tool: Callable[..., Awaitable[PermissionResultAllow | PermissionResultDeny]]
    hooks: dict[HookEvent, list[HookMatcher]]


def permissions(gate: AsyncGate) -> Permissions:
    """Both at once."""
    return {"can_use_tool": can_use_tool(gate), "hooks": outcome_hooks(gate)}


__all__ = ["AsyncGate", "can_use_tool", "outcome_hooks", "permissions"]
