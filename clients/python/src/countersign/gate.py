"""A gate between a model and its tools. The adapters use it. For other frameworks, use
it directly."""

from __future__ import annotations

import json
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from . import _flows as flows
from . import _using as using
from ._async_client import AsyncCountersign
from ._client import Countersign
from ._edits import edited, fields_of, without_fields
from ._errors import ToolNotRunError
from ._flows import Flow
from ._tool_arguments import facts_of, shown
from .fields import Field, Fields
from .types import Answer, FactRequest, OptionRequest, Risk

T = TypeVar("T")
Status = Literal["started", "done", "failed"]
_APPROVE: OptionRequest = {"id": "approve", "label": "Approve"}
_REJECT: OptionRequest = {"id": "reject", "label": "Reject"}


@dataclass(frozen=True)
class ToolCall:
    """A tool call by a model. Calls with the same `id` share one question."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Decision:
    """Whether a call may run. `reason` is for the model, and `id` is the approval's ID.
    `arguments` are those that the owner allowed. Run the tool with them."""

    id: str
    approved: bool
    reason: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    fields: Fields | None = None
    """The arguments that the owner could change."""

    def edit(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Make the owner's changes in another form of the arguments, such as parsed ones."""
        names: Mapping[str, Field] = self.fields["properties"] if self.fields else {}
        given = {name: self.arguments[name] for name in names if name in self.arguments}
        return {**without_fields(arguments, self.fields), **given}


_Client = TypeVar("_Client", bound=Countersign | AsyncCountersign)


class _Gate(Generic[_Client]):
    _new_client: Callable[[], _Client]

    def __init__(
        self,
        client: _Client | None = None,
        *,
        owner: str | None = None,
        issuer: str | None = None,
        thread: str | None = None,
        question: Callable[[ToolCall], str] | None = None,
        facts: Callable[[ToolCall], Sequence[FactRequest]] | None = None,
        risk: Risk | None = None,
        edits: bool | Callable[[ToolCall], Fields | None] = False,
        once: bool | None = None,
        timeout: float | None = None,
        allow_simulated: bool | None = None,
    ) -> None:
        self._client: _Client = client or self._new_client()
        at = self._client.driver.connection
        self._checks = using.Checks.of(at, issuer, None, owner or os.environ.get("COUNTERSIGN_OWNER"), allow_simulated)
        self._patience = at.patience
        self.thread = thread
        self._question = question or _asks
        self._facts = facts
        self._risk: Risk | None = risk
        self._edits = edits
        self._once = once
        self._timeout = timeout
        self._approved: dict[str, tuple[ToolCall, Decision, using.Proven]] = {}

    def _decide(self, call: ToolCall) -> Flow[Decision]:
        fields = self._fields(call)
        approve: OptionRequest = {**_APPROVE, "fields": True} if fields else _APPROVE
        asked = flows.question_body(
            question=self._question(call),
            options=[approve, _REJECT],
            facts=self._facts(call) if self._facts else facts_of(without_fields(call.arguments, fields)),
            fields=fields,
            background_context=f"`{call.name}` with\n\n```json\n{shown(call.arguments)}\n```",
            owner_only=True,
            once=self._once,
            risk=self._risk,
        )
        if not call.id:
            raise ValueError(f"The call of {call.name} must have an id")
        key = f"tool:{json.dumps([self.thread or '', call.id], separators=(',', ':'))}"
        id = yield from flows.create(asked, key, self._patience)
        answer = yield from flows.wait(id, self._timeout, None, self._patience, self._checks.allow_simulated)
        # Simulated answers are rejected below, with the receipt.
        if answer.by != "owner" or answer.chosen != "approve":
            return Decision(id, False, _refusal(answer))
        try:
            proven = yield from using.prove(id, asked, "approve", self._checks)
        except ToolNotRunError as stopped:
            return Decision(id, False, str(stopped))
        allowed = edited(call.arguments, fields, proven.values) if fields else call.arguments
        decision = Decision(id, True, f"The owner approved this call.{_words(answer)}", allowed, fields)
        self._approved[call.id] = call, decision, proven
        return decision

    def _fields(self, call: ToolCall) -> Fields | None:
        """The arguments that the owner can change."""
        if callable(self._edits):
            return self._edits(call)
        return fields_of(call.arguments) if self._edits else None

    def _begin(self, call: ToolCall) -> Flow[Decision]:
        known = self._approved.get(call.id)
        decision = known[1] if known and known[0] == call else (yield from self._decide(call))
        if not decision.approved:
            return decision
        return (yield from self._begin_approved(call.id)) or decision

    def _begin_approved(self, call_id: str) -> Flow[Decision | None]:
        known = self._approved.get(call_id)
        if known is None:
            return None
        _, decision, proven = known
        try:
            yield from using.begin(proven, self._patience)
        except ToolNotRunError as stopped:
            return Decision(decision.id, False, str(stopped))
        return decision

    def approved(self, call_id: str) -> Decision | None:
        """Return this gate's decision about an approved call that is not reported yet."""
        known = self._approved.get(call_id)
        return known[1] if known else None

    def _report(self, call_id: str, status: Status, what: object) -> Flow[None]:
        known = self._approved.get(call_id) if status == "started" else self._approved.pop(call_id, None)
        if known is not None:
            yield from using.report(known[1].id, status, what, self._patience)


class Gate(_Gate[Countersign]):
    """Asks the owner before an agent's tools run. The owner sees a call with all its
    arguments, and an approved call runs at most once.

    The call's ID is the idempotency key, so a program that restarts within 24 hours
    waits for the same answer. `thread` names the conversation, for models whose call
    IDs repeat between conversations. `owner` is the ID of the owner whose answer
    counts. Its default is COUNTERSIGN_OWNER, or otherwise the owner that the service
    names. `allow_simulated` defaults to the client's setting. With `once`, the owner
    can withdraw an approval until the tool starts. Set `issuer` to the service's public
    address if you use another address. `question` and `facts` must return the same text
    each time. The facts are the first six arguments by default.

    With `edits`, the owner can change a call's arguments before approving it. Each
    text, number, integer and boolean argument becomes a field, with the proposed value
    as default; blank texts and other arguments are not editable. `edits` can also be a
    function that returns the fields of a call, named like arguments. The tool must check
    the allowed arguments as any others. Raises NoAnswerError after `timeout` seconds,
    VerificationError and CountersignError: the tool must not run then.
    """

    _new_client = Countersign

    def decide(self, call: ToolCall) -> Decision:
        """Ask, wait, and verify the answer."""
        return self._client.driver.run(self._decide(call))

    def begin(self, call: ToolCall) -> Decision:
        """Decide, unless this gate already has, and use the answer immediately before
        the tool runs. Run the tool only if the decision is `approved`, and call `report`
        afterward. The decision is a refusal if the answer was withdrawn, or if an earlier
        attempt used it."""
        return self._client.driver.run(self._begin(call))

    def begin_approved(self, call_id: str) -> Decision | None:
        """Like `begin`, for a call that `decide` approved. None for other calls."""
        return self._client.driver.run(self._begin_approved(call_id))

    def run(self, call: ToolCall, work: Callable[..., T]) -> T:
        """Run the tool if the owner approves, and report the outcome. With `edits`,
        `work` receives the allowed arguments as a mapping; otherwise, it has no
        parameter. Raises ToolNotRunError with a message for the model, and the errors of
        `work`."""
        decision = self.begin(call)
        if not decision.approved:
            raise ToolNotRunError(decision.reason, decision.id)
        try:
            result = work(decision.arguments) if self._edits else work()
        except Exception as failure:
            self.report(call.id, "failed", repr(failure))
            raise
        self.report(call.id, "done", result)
        return result

    def report(self, call_id: str, status: Status, what: object = "") -> None:
        """Report the outcome of an approved call to the owner. Other calls are ignored."""
        self._client.driver.run(self._report(call_id, status, what))


class AsyncGate(_Gate[AsyncCountersign]):
    """Like Gate, under asyncio or trio."""

    _new_client = AsyncCountersign

    async def decide(self, call: ToolCall) -> Decision:
        """Ask, wait, and verify the answer."""
        return await self._client.driver.run(self._decide(call))

    async def begin(self, call: ToolCall) -> Decision:
        """Decide, unless this gate already has, and use the answer immediately before
        the tool runs. Run the tool only if the decision is `approved`, and call `report`
        afterward. The decision is a refusal if the answer was withdrawn, or if an earlier
        attempt used it."""
        return await self._client.driver.run(self._begin(call))

    async def begin_approved(self, call_id: str) -> Decision | None:
        """Like `begin`, for a call that `decide` approved. None for other calls."""
        return await self._client.driver.run(self._begin_approved(call_id))

    async def run(self, call: ToolCall, work: Callable[..., Awaitable[T]]) -> T:
        """Run the tool if the owner approves, and report the outcome. With `edits`,
        `work` receives the allowed arguments as a mapping; otherwise, it has no
        parameter. Raises ToolNotRunError with a message for the model, and the errors of
        `work`."""
        decision = await self.begin(call)
        if not decision.approved:
            raise ToolNotRunError(decision.reason, decision.id)
        try:
            result = await (work(decision.arguments) if self._edits else work())
        except Exception as failure:
            await self.report(call.id, "failed", repr(failure))
            raise
        await self.report(call.id, "done", result)
        return result

    async def report(self, call_id: str, status: Status, what: object = "") -> None:
        """Report the outcome of an approved call to the owner. Other calls are ignored."""
        await self._client.driver.run(self._report(call_id, status, what))


def _asks(call: ToolCall) -> str:
    return f"Run {call.name}?"


def _words(answer: Answer) -> str:
    said = answer.text or answer.note
    return f" The owner wrote: {said}" if said else ""


def _refusal(answer: Answer) -> str:
    return f"The owner did not approve this call.{_words(answer)}"
