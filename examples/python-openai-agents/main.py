import asyncio
import sys
from pathlib import Path

from agents import Agent, RunState, function_tool
from model import model

from countersign.openai_agents import AsyncGate, run


@function_tool(needs_approval=True)
def delete_branch(branch: str) -> str:
    """Delete a branch."""
    return f"Deleted {branch}."


gate = AsyncGate(
    question=lambda call: f"Delete the branch {call.arguments['branch']}?",
)
agent = Agent(name="Gardener", model=model, tools=[delete_branch])

# The program stores the run, so it can stop while it waits, and continue later.
kept = Path("state.json")


async def main() -> None:
    asked = sys.argv[1] if len(sys.argv) > 1 else "Delete the branch old-login."
    start = await RunState.from_string(agent, kept.read_text()) if kept.exists() else asked
    result = await run(agent, start, gate, on_pause=lambda state: kept.write_text(state.to_string()))
    kept.unlink(missing_ok=True)
    print(result.final_output)


asyncio.run(main())
