"""For Pydantic AI: `Agent(model, toolsets=[GatedToolset(toolset, AsyncGate())])`. Needs
`countersign-client[pydantic-ai]`.

If an agent stopped while it waited, run it again with the messages so far. It then
waits for the same answer.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset

from .gate import AsyncGate, ToolCall


@dataclass
class GatedToolset(WrapperToolset[AgentDepsT]):
    """Asks the owner before a tool runs. `only` limits this to tools with these names."""

    gate: AsyncGate
    only: Collection[str] | None = None

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[AgentDepsT], tool: ToolsetTool[AgentDepsT]
    ) -> Any:
        """Run the tool if the owner allows it. Otherwise, the model reads the reason."""
        if self.only is not None and name not in self.only:
            return await super().call_tool(name, tool_args, ctx, tool)
        id = ctx.tool_call_id or ""
        decision = await self.gate.begin(ToolCall(id, name, tool_args))
        if not decision.approved:
            return decision.reason
        try:
            result = await super().call_tool(name, decision.edit(tool_args), ctx, tool)
        except (ApprovalRequired, CallDeferred):
            raise
        except Exception as failure:
            await self.gate.report(id, "failed", repr(failure))
            raise
        await self.gate.report(id, "done", result)
        return result


__all__ = ["AsyncGate", "GatedToolset"]
