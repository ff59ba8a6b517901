import asyncio
import sys
from pathlib import Path

from claude_agent_sdk import ClaudeAgentOptions, create_sdk_mcp_server, tool

from countersign.claude import AsyncGate, run


@tool("delete_branch", "Delete a branch.", {"branch": str})
async def delete_branch(args: dict[str, str]) -> dict[str, object]:
    return {"content": [{"type": "text", "text": f"Deleted {args['branch']}."}]}


gate = AsyncGate(
    question=lambda call: f"Delete the branch {call.arguments['branch']}?",
)

# The program stores the session's ID, so it can stop while it waits, and continue later.
kept = Path("session.txt")


async def main() -> None:
    session = kept.read_text() if kept.exists() else None
    options = ClaudeAgentOptions(
        mcp_servers={"git": create_sdk_mcp_server("git", tools=[delete_branch])},
        tools=[],
        setting_sources=[],
        resume=session,
    )
    asked = sys.argv[1] if len(sys.argv) > 1 else "Delete the branch old-login."
    only = ["mcp__git__delete_branch"]
    result = await run(None if session else asked, gate, options, only=only, on_pause=kept.write_text)
    kept.unlink(missing_ok=True)
    print(result.result)


asyncio.run(main())
