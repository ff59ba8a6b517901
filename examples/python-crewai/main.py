import sys
import uuid
from pathlib import Path

from crewai import Agent, Crew, Task
from crewai.tools import tool
from model import model

from countersign.crewai import Gate, gated


@tool("delete_branch")
def delete_branch(branch: str) -> str:
    """Delete a branch."""
    return f"Deleted {branch}."


# The program stores the run's name and task, so it can stop while it waits, and continue later.
kept = Path("run.txt")
if not kept.exists():
    kept.write_text(f"{uuid.uuid4()}\n{sys.argv[1] if len(sys.argv) > 1 else 'Delete the branch old-login.'}")
name, asked = kept.read_text().split("\n")

gate = Gate(
    thread=name,
    question=lambda call: f"Delete the branch {call.arguments['branch']}?",
)
gardener = Agent(
    role="Gardener",
    goal="Keep the repository tidy.",
    backstory="You look after a repository.",
    llm=model,
    tools=gated([delete_branch], gate),
)
task = Task(description=asked, expected_output="What came of it.", agent=gardener)
result = Crew(agents=[gardener], tasks=[task]).kickoff()
kept.unlink()
print(result.raw)
