from typing import Any

import anyio
import pytest
from made_up import Service, async_gate

pytest.importorskip("claude_agent_sdk")
from claude_agent_sdk import (  # noqa: E402
    ClaudeAgentOptions,
    PermissionResultAllow,
    PermissionResultDeny,
    ToolPermissionContext,
)

from countersign import NotAnswered  # noqa: E402
from countersign.claude import can_use_tool, permissions  # noqa: E402

CONTEXT = ToolPermissionContext(tool_use_id="toolu_1")


def test_waits_on_after_a_restart_and_reports() -> None:
    async def work() -> None:
        service = Service()
        service.pending = True
        with pytest.raises(NotAnswered):
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


def test_a_refusal_reaches_claude() -> None:
    async def work() -> None:
        refused = await can_use_tool(async_gate(Service("reject")))("Bash", {}, CONTEXT)
        assert refused == PermissionResultDeny(message="The owner did not approve this. They said: Soon")

    anyio.run(work)
