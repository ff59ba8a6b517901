"""For the Claude Agent SDK: `await run("…", AsyncGate(), options, only=["Bash"])`.
Needs `countersign-client[claude]`.

`run` is for programs that may stop while the owner decides.
`ClaudeAgentOptions(**permissions(AsyncGate()))` is for programs that keep running. If
such a program stops, Claude forgets the call that was waiting for permission.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from typing import Any, Literal, TypedDict

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, HookContext, HookMatcher, Message
from claude_agent_sdk import PermissionResultAllow, PermissionResultDeny, ResultMessage, ToolPermissionContext
from claude_agent_sdk.types import HookEvent, HookInput, HookJSONOutput, PreToolUseHookSpecificOutput

from .gate import AsyncGate, Decision, ToolCall

# Exceeds the time for which a gate retries an unreachable service.
_HOOK_TIMEOUT = 600


def can_use_tool(
    gate: AsyncGate,
) -> Callable[[str, dict[str, Any], ToolPermissionContext], Awaitable[PermissionResultAllow | PermissionResultDeny]]:
    """Ask the owner when Claude requests permission for a tool. Claude reads the reason of a refusal."""

    async def ask(
        name: str, arguments: dict[str, Any], context: ToolPermissionContext
    ) -> PermissionResultAllow | PermissionResultDeny:
        decision = await gate.begin(ToolCall(context.tool_use_id or "", name, arguments))
        if not decision.approved:
            return PermissionResultDeny(message=decision.reason)
        # Run exactly the arguments that the owner allowed.
        return PermissionResultAllow(updated_input=dict(decision.arguments))

    return ask


def outcome_hooks(gate: AsyncGate) -> dict[HookEvent, list[HookMatcher]]:
    """Report the outcomes of approved calls to the owner."""

    async def after(given: HookInput, tool_use_id: str | None, _: HookContext) -> HookJSONOutput:
        if tool_use_id and given["hook_event_name"] == "PostToolUse":
            await gate.report(tool_use_id, "done", given["tool_response"])
        if tool_use_id and given["hook_event_name"] == "PostToolUseFailure":
            await gate.report(tool_use_id, "failed", given["error"])
        return {}

    return {name: [HookMatcher(hooks=[after], timeout=_HOOK_TIMEOUT)] for name in ("PostToolUse", "PostToolUseFailure")}


class Permissions(TypedDict):
    """Arguments for ClaudeAgentOptions."""

    can_use_tool: Callable[..., Awaitable[PermissionResultAllow | PermissionResultDeny]]
    hooks: dict[HookEvent, list[HookMatcher]]


def permissions(gate: AsyncGate) -> Permissions:
    """Combine `can_use_tool` and `outcome_hooks`."""
    return {"can_use_tool": can_use_tool(gate), "hooks": outcome_hooks(gate)}


class _Deferring:
    """The hook for PreToolUse. Claude stops at an undecided call, so its session is stored before the owner is asked."""

    def __init__(self, gate: AsyncGate, only: Collection[str] | None, decided: tuple[ToolCall, Decision] | None) -> None:
        self._gate = gate
        self._only = only
        self._decided = decided
        self._deferred = False

    async def __call__(self, given: HookInput, tool_use_id: str | None, _: HookContext) -> HookJSONOutput:
        """Run before each call."""
        if given["hook_event_name"] != "PreToolUse" or (self._only is not None and given["tool_name"] not in self._only):
            return {}
        call = ToolCall(given["tool_use_id"], given["tool_name"], given["tool_input"])
        if self._decided and self._decided[0] == call:
            decision = self._decided[1]
            if decision.approved:
                decision = await self._gate.begin(call)
            allowed = decision.edit(call.arguments) if decision.fields else None
            return _says("allow" if decision.approved else "deny", decision.reason, allowed)
        # If several calls are deferred together, Claude remembers only one.
        if self._deferred:
            return _says("deny", "The owner must first decide about another call. Repeat this call after that decision.")
        self._deferred = True
        return _says("defer", "The owner has not decided yet.")


def _says(
    decision: Literal["allow", "deny", "defer"], reason: str, arguments: dict[str, Any] | None = None
) -> HookJSONOutput:
    said: PreToolUseHookSpecificOutput = {
        "hookEventName": "PreToolUse",
        "permissionDecision": decision,
        "permissionDecisionReason": reason,
    }
    if arguments is not None:
        said["updatedInput"] = arguments
    return {"hookSpecificOutput": said}


async def run(
    prompt: str | None,
    gate: AsyncGate,
    options: ClaudeAgentOptions | None = None,
    *,
    only: Collection[str] | None = None,
    on_pause: Callable[[str], object] | None = None,
    on_message: Callable[[Message], object] | None = None,
) -> ResultMessage:
    """Run Claude, and ask the owner before it uses a tool: any tool, or `only` those with these names.

    Claude does not run while the owner decides. `on_pause` receives the session's ID before the owner is asked. Store it, and
    after a restart call `run(None, gate, replace(options, resume=id))` with the same tools to wait for the same answer.
    """
    given = options or ClaudeAgentOptions()
    theirs: dict[HookEvent, list[HookMatcher]] = given.hooks or {}
    decided: tuple[ToolCall, Decision] | None = None
    while True:
        before = HookMatcher(hooks=[_Deferring(gate, only, decided)], timeout=_HOOK_TIMEOUT, on_failure="block")
        ours: dict[HookEvent, list[HookMatcher]] = {"PreToolUse": [before], **outcome_hooks(gate)}
        hooks: dict[HookEvent, list[HookMatcher]] = {
            **theirs,
            **{name: [*theirs.get(name, []), *matchers] for name, matchers in ours.items()},
        }
        result = await _turn(prompt, replace(given, hooks=hooks), on_message)
        if result.stop_reason == "tool_deferred_unavailable":
            raise RuntimeError(result.result or "The tool of the waiting call is not available")
        waiting = result.deferred_tool_use
        if waiting is None:
            return result
        if on_pause:
            on_pause(result.session_id)
        call = ToolCall(waiting.id, waiting.name, waiting.input)
        decided = call, await gate.decide(call)
        prompt = None
        given = replace(given, resume=result.session_id, session_id=None, continue_conversation=False, fork_session=False)


async def _turn(
    prompt: str | None, options: ClaudeAgentOptions, on_message: Callable[[Message], object] | None
) -> ResultMessage:
    """Run until Claude finishes, or stops at a call."""
    result: ResultMessage | None = None
    async with ClaudeSDKClient(options) as client:
        if prompt is not None:
            await client.query(prompt)
        async for message in client.receive_response():
            if on_message:
                on_message(message)
            if isinstance(message, ResultMessage):
                result = message
    if result is None:
        raise RuntimeError("Claude stopped without a result")
    return result


__all__ = ["AsyncGate", "can_use_tool", "outcome_hooks", "permissions", "run"]
