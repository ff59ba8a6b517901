"""For CrewAI: `Agent(…, tools=gated([delete_branch], Gate(thread="cleanup-7")))`. Needs
`countersign-client[crewai]`.

CrewAI's calls have no IDs. A call is identified by the gate's thread, the tool, its
arguments, and its number among equal calls. Give each run its own `thread`, and reuse
the name when you restart a run. The restarted run finds the same answers, and a started
call does not run again.
"""

from __future__ import annotations

import hashlib
import threading
from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import count
from typing import Any

from crewai.tools import BaseTool, ToolFailure
from pydantic import PrivateAttr
from pydantic_core import to_jsonable_python

from ._content import canonical_json
from .gate import Decision, Gate, ToolCall


class _Calls:
    """Begins the calls of one run."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self._taken: defaultdict[str, set[int]] = defaultdict(set)
        self._lock = threading.Lock()

    def begin(self, name: str, arguments: dict[str, Any]) -> tuple[str, Decision]:
        """Return the call's ID and the decision. The answer to an approved call is used."""
        same = hashlib.sha256(canonical_json([name, arguments]).encode()).hexdigest()
        # CrewAI may run several calls concurrently.
        with self._lock:
            which = next(it for it in count(1) if it not in self._taken[same])
            self._taken[same].add(which)
        id = f"{same}:{which}"
        try:
            return id, self.gate.begin(ToolCall(id, name, arguments))
        except BaseException:
            # Calling it again repeats the same question.
            with self._lock:
                self._taken[same].remove(which)
            raise


class GatedTool(BaseTool):
    """A tool that runs only if the owner approves. The model reads the reason of a refusal."""

    _inner: BaseTool = PrivateAttr()
    _calls: _Calls = PrivateAttr()

    def __init__(self, inner: BaseTool, calls: _Calls) -> None:
        # A cached result would be returned without a question.
        super().__init__(cache_function=_never, **{name: getattr(inner, name) for name in _SAME})
        self._inner = inner
        self._calls = calls

    def _run(self, *args: Any, **kwargs: Any) -> Any:
        if args:
            raise TypeError(f"{self.name} accepts only named arguments, so that the owner can see them")
        id, decision = self._calls.begin(self.name, to_jsonable_python(kwargs))
        if not decision.approved:
            return decision.reason
        report = self._calls.gate.report
        try:
            result = self._inner.run(**decision.edit(kwargs))
        except Exception as failure:
            report(id, "failed", repr(failure))
            raise
        report(id, "failed" if isinstance(result, ToolFailure) else "done", result)
        return result


_SAME = "name description args_schema result_schema result_as_answer max_usage_count tool_failure_policy".split()


def _never(_arguments: object = None, _result: object = None) -> bool:
    return False


def gated(tools: Sequence[BaseTool], gate: Gate, only: Collection[str] | None = None) -> list[BaseTool]:
    """Wrap tools so that they ask the owner before they run. `only` limits this to
    tools with these names."""
    if not gate.thread:
        raise ValueError("CrewAI's calls have no IDs. Name the run with Gate(thread=…).")
    calls = _Calls(gate)
    return [GatedTool(tool, calls) if only is None or tool.name in only else tool for tool in tools]


__all__ = ["Gate", "GatedTool", "gated"]
