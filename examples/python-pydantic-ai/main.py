import asyncio
import sys
from pathlib import Path

from model import model
from pydantic_ai import Agent, FunctionToolset
from pydantic_ai.messages import ModelMessagesTypeAdapter

from countersign.pydantic_ai import AsyncGate, GatedToolset


def delete_branch(branch: str) -> str:
    """Delete a branch."""
    return f"Deleted {branch}."


gate = AsyncGate(
    question=lambda call: f"Delete the branch {call.arguments['branch']}?",
)
agent = Agent(model, toolsets=[GatedToolset(FunctionToolset(tools=[delete_branch]), gate)])

# The program stores its messages, so it can stop while it waits, and continue later.
kept = Path("messages.json")


async def main() -> None:
    asked = sys.argv[1] if len(sys.argv) > 1 else "Delete the branch old-login."
    history = ModelMessagesTypeAdapter.validate_json(kept.read_bytes()) if kept.exists() else []
    async with agent.iter(None if history else asked, message_history=history) as run:
        async for _ in run:
            kept.write_bytes(run.all_messages_json())
    kept.unlink()
    print(run.result.output)


asyncio.run(main())
