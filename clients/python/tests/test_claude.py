from collections.abc import AsyncIterator
from typing import Any

import anyio
import pytest
from fake_service import Service, async_gate

pytest.importorskip("claude_agent_sdk")
from claude_agent_sdk import (  # noqa: E402
    ClaudeAgentOptions,
    DeferredToolUse,
    PermissionResultAllow,
    PermissionResultDeny,
    ResultMessage,
    ToolPermissionContext,
)

from countersign import NoAnswerError, claude  # noqa: E402
from countersign.claude import can_use_tool, permissions, run  # noqa: E402
from countersign.gate import Decision, ToolCall  # noqa: E402

CONTEXT = ToolPermissionContext(tool_use_id="toolu_1")


def test_continues_to_wait_after_a_restart() -> None:
    async def work() -> None:
        service = Service()
        service.pending = True
        with pytest.raises(NoAnswerError):
            await can_use_tool(async_gate(service, timeout=0))("Bash", {"command": "wipe"}, CONTEXT)
        service.pending = False
        options = ClaudeAgentOptions(**permissions(async_gate(service)))
        assert options.can_use_tool and options.hooks
        allowed = await options.can_use_tool("Bash", {"command": "wipe"}, CONTEXT)
        assert allowed == PermissionResultAllow(updated_input={"command": "wipe"})
        assert service.keys == ['tool:["","toolu_1"]'] * 2
        [after] = options.hooks["PostToolUse"][0].hooks
        given = {"session_id": "s", "transcript_path": "", "cwd": "", "tool_name": "Bash", "tool_use_id": "toolu_1"}
        done: dict[str, Any] = {**given, "hook_event_name": "PostToolUse", "tool_input": {}, "tool_response": "Wiped"}
        await after(done, "toolu_1", {"signal": None})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        assert service.outcomes == [{"status": "started"}, {"status": "done", "text": "Wiped"}]

    anyio.run(work)


def test_returns_a_refusal_to_claude() -> None:
    async def work() -> None:
        refused = await can_use_tool(async_gate(Service("reject")))("Bash", {}, CONTEXT)
        assert refused == PermissionResultDeny(message="The owner did not approve this call. The owner wrote: Soon")

    anyio.run(work)


class Claude:
    """Replaces Claude Code: reads once, wipes two disks, and stops as Claude Code does."""

    said: list[tuple[str, str]] = []
    has_tools = True

    def __init__(self, options: ClaudeAgentOptions) -> None:
        self.options = options

    async def __aenter__(self) -> "Claude":
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def query(self, prompt: str) -> None:
        assert self.options.resume is None

    async def receive_response(self) -> AsyncIterator[ResultMessage]:
        """Run one turn."""
        calls = [("1", "Read"), ("2", "wipe"), ("3", "wipe")] if self.options.resume is None else [("2", "wipe")]
        assert self.options.hooks
        [matcher] = self.options.hooks["PreToolUse"]
        assert matcher.on_failure == "block"
        waiting = None
        for id, name in calls:
            disk = {"disk": f"sd{id}"}
            given: Any = {
                "hook_event_name": "PreToolUse",
                "tool_name": name,
                "tool_use_id": id,
                "tool_input": disk,
            }
            says: Any = await matcher.hooks[0](given, id, {"signal": None})
            decision = says.get("hookSpecificOutput", {}).get("permissionDecision", "no opinion")
            Claude.said.append((id, decision))
            if decision == "defer":
                waiting = DeferredToolUse(id, name, disk)
        yield ResultMessage(
            stop_reason=None if Claude.has_tools else "tool_deferred_unavailable",
            result=None if Claude.has_tools else "wipe isn't available",
            subtype="success",
            duration_ms=1,
            duration_api_ms=1,
            is_error=False,
            num_turns=1,
            session_id="s1",
            deferred_tool_use=waiting,
        )


def test_resumes_a_paused_call_with_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claude, "ClaudeSDKClient", Claude)

    async def work() -> None:
        Claude.said = []
        service, kept = Service(), list[str]()
        service.pending = True

        def keep(session: str) -> None:
            # The session is stored before the owner is asked.
            assert service.keys == []
            kept.append(session)

        with pytest.raises(NoAnswerError):
            await run("Wipe", async_gate(service, timeout=0), only=["wipe"], on_pause=keep)
        assert Claude.said == [("1", "no opinion"), ("2", "defer"), ("3", "deny")] and kept == ["s1"]
        service.pending, Claude.said = False, []
        await run(None, async_gate(service), ClaudeAgentOptions(resume=kept[0]), only=["wipe"])
        assert Claude.said == [("2", "defer"), ("2", "allow")]
        assert service.keys == ['tool:["","2"]'] * 2 and service.outcomes == [{"status": "started"}]
        Claude.said = []
        again = await run(None, async_gate(service), ClaudeAgentOptions(resume=kept[0]), only=["wipe"])
        assert Claude.said == [("2", "defer"), ("2", "deny")] and again.deferred_tool_use is None
        monkeypatch.setattr(Claude, "has_tools", False)
        with pytest.raises(RuntimeError, match="isn't available"):
            await run(None, async_gate(service), ClaudeAgentOptions(resume=kept[0]))

    anyio.run(work)


@pytest.mark.parametrize(("withdrawn", "words"), [(False, "may have taken effect"), (True, "withdrew the approval")])
def test_denies_a_call_whose_answer_is_used_or_withdrawn(
    withdrawn: bool, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claude, "ClaudeSDKClient", Claude)

    async def work() -> None:
        service = Service()
        service.withdrawn, service.use_keys = withdrawn, [] if withdrawn else ["k"]
        denied = await can_use_tool(async_gate(service))("Bash", {}, CONTEXT)
        assert isinstance(denied, PermissionResultDeny) and words in denied.message
        # Here, the answer is used or withdrawn after the decision, and before Claude runs the tool.
        service.withdrawn, service.use_keys, Claude.said = False, [], []
        gate = async_gate(service)
        decide = gate.decide

        async def decided(call: ToolCall) -> Decision:
            decision = await decide(call)
            service.withdrawn, service.use_keys = withdrawn, [] if withdrawn else ["k"]
            return decision

        monkeypatch.setattr(gate, "decide", decided)
        await run(None, gate, ClaudeAgentOptions(resume="s1"), only=["wipe"])
        assert Claude.said == [("2", "defer"), ("2", "deny")] and service.outcomes == []

    anyio.run(work)


def test_runs_the_arguments_that_the_owner_allowed() -> None:
    async def work() -> None:
        service = Service()
        service.resolution["values"] = {"disk": "sdb"}
        allowed = await can_use_tool(async_gate(service, edits=True))("wipe", {"disk": "sda"}, CONTEXT)
        assert allowed == PermissionResultAllow(updated_input={"disk": "sdb"})
        service.outcomes, service.use_keys = [], []
        gate = async_gate(service, edits=True)
        call = ToolCall("2", "wipe", {"disk": "sda"})
        hook = claude._Deferring(gate, None, (call, await gate.decide(call)))  # pyright: ignore[reportPrivateUsage]
        given: Any = {"hook_event_name": "PreToolUse", "tool_name": "wipe", "tool_use_id": "2", "tool_input": {"disk": "sda"}}
        says: Any = await hook(given, "2", {"signal": None})
        assert says["hookSpecificOutput"]["updatedInput"] == {"disk": "sdb"}

    anyio.run(work)
