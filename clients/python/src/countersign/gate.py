"""A gate between a model and its tools. The adapters use it. For other frameworks, use
it directly."""

from __future__ import annotations

import json
import logging
import os
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from . import _flows as flows
from ._async_client import AsyncCountersign
from ._client import Countersign
from ._drivers import Connection
from ._errors import CountersignError, VerificationError
from ._flows import Flow
from ._receipts import claimed_owner, verify_receipt
from .types import Answer, Approval, FactRequest, Json, OptionRequest, Risk

_log = logging.getLogger("countersign")
Status = Literal["started", "done", "failed"]
_OPTIONS: list[OptionRequest] = [{"id": "approve", "label": "Approve"}, {"id": "reject", "label": "Reject"}]


@dataclass(frozen=True)
class ToolCall:
    """A tool call by a model. Calls with the same `id` share one question."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Decision:
    """Whether a call may run. `reason` is for the model, and `id` is the approval's ID."""

    id: str
    approved: bool
    reason: str


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
        timeout: float | None = None,
        allow_simulated: bool | None = None,
    ) -> None:
        self._client: _Client = client or self._new_client()
        at: Connection = self._client.driver.connection
        self._owner = owner or os.environ.get("COUNTERSIGN_OWNER")
        self._issuer = issuer or at.base_url
        self._patience = at.patience
        self.thread = thread
        self._question = question or _asks
        self._facts = facts or _facts
        self._risk: Risk | None = risk
        self._timeout = timeout
        self._allow_simulated = at.allow_simulated if allow_simulated is None else allow_simulated
        self._approvals: dict[str, str] = {}

    def _decide(self, call: ToolCall) -> Flow[Decision]:
        asked = flows.question_body(
            question=self._question(call),
            options=_OPTIONS,
            facts=self._facts(call),
            background_context=f"`{call.name}` with\n\n```json\n{_shown(call.arguments)}\n```",
            recommendation=None,
            expires_at=None,
            default_option_id=None,
            owner_only=True,
            risk=self._risk,
            match=None,
        )
        if not call.id:
            raise ValueError(f"The call of {call.name} must have an id")
        key = f"tool:{json.dumps([self.thread or '', call.id], separators=(',', ':'))}"
        id = yield from flows.create(asked, key, self._patience)
        answer = yield from flows.wait(id, self._timeout, None, self._patience, self._allow_simulated)
        # Simulated answers are rejected below, with the receipt.
        if answer.by != "owner" or answer.chosen != "approve":
            return Decision(id, False, _refusal(answer))
        approval = Approval.of((yield from flows.read(flows.at(id), {}, self._patience)))
        if approval.outcome:
            return Decision(id, False, "An earlier attempt at this call may have taken effect, so the call was not run again.")
        jws = str((yield from flows.read(flows.at(id, "/receipt"), {}, self._patience))["receipt"])
        keys = yield from flows.read("/.well-known/jwks.json", {}, self._patience)
        proven = verify_receipt(
            jws,
            issuer=self._issuer,
            audience=approval.client_id,
            owner=self._owner or claimed_owner(jws),
            approval_id=id,
            content=_with_additions(asked, approval),
            jwks=keys,
            allow_simulated=self._allow_simulated,
        )
        if not proven.yes("approve"):
            raise VerificationError("The receipt does not contain the expected answer")
        self._approvals[call.id] = id
        return Decision(id, True, f"The owner approved this call.{_words(answer)}")

    def _report(self, call_id: str, status: Status, what: object) -> Flow[None]:
        id = self._approvals.get(call_id) if status == "started" else self._approvals.pop(call_id, None)
        if id is None:
            return
        words = "".join(it if it == "\n" or unicodedata.category(it)[0] != "C" else " " for it in str(what)[:1000])
        try:
            yield from flows.report(id, status, words.strip() or None, None, self._patience)
        except CountersignError as refused:
            if status == "started":
                raise
            # The tool has run, so a failed report must not look like a failed tool.
            _log.warning("Could not report the outcome of %s: %s", id, refused)


class Gate(_Gate[Countersign]):
    """Asks the owner before an agent's tools run. The owner sees a call with all its
    arguments, and an approved call runs once.

    The call's ID is the idempotency key, so a program that restarts within 24 hours
    waits for the same answer. `thread` names the conversation, for models whose call
    IDs repeat between conversations. `owner` is the ID of the owner whose answer
    counts. Its default is COUNTERSIGN_OWNER, or otherwise the owner that the service
    names. `allow_simulated` defaults to the client's setting. Set `issuer` to the
    service's public address if you use another address. `question` and `facts` must
    return the same text each time. The facts are the first six arguments by default.
    Raises NoAnswerError after `timeout` seconds, VerificationError and
    CountersignError: the tool must not run then.
    """

    _new_client = Countersign

    def decide(self, call: ToolCall) -> Decision:
        """Ask, wait, and verify the answer."""
        return self._client.driver.run(self._decide(call))

    def report(self, call_id: str, status: Status, what: object = "") -> None:
        """Report the outcome of an approved call to the owner. Other calls are ignored."""
        self._client.driver.run(self._report(call_id, status, what))


class AsyncGate(_Gate[AsyncCountersign]):
    """Like Gate, under asyncio or trio."""

    _new_client = AsyncCountersign

    async def decide(self, call: ToolCall) -> Decision:
        """Ask, wait, and verify the answer."""
        return await self._client.driver.run(self._decide(call))

    async def report(self, call_id: str, status: Status, what: object = "") -> None:
        """Report the outcome of an approved call to the owner. Other calls are ignored."""
        await self._client.driver.run(self._report(call_id, status, what))


def _asks(call: ToolCall) -> str:
    return f"Run {call.name}?"


def _facts(call: ToolCall) -> Sequence[FactRequest]:
    """The first six arguments by name. Each is one line and may be truncated. The
    background has all arguments in full."""
    names = sorted(call.arguments)[:6]
    return [{"label": _line(name, 80), "value": _line(call.arguments[name], 200)} for name in names]


def _line(value: object, limit: int) -> str:
    """A value on one line, without invisible characters. Text without a visible
    character is quoted."""
    text = value if isinstance(value, str) and any(map(_visible, value)) else _json(value)
    line = _unhidden(" ".join(text.split()))
    return f"{line[: limit - 1]}…" if len(line) > limit else line


def _visible(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "LNPS" and letter not in "\u115f\u1160\u2800\u3164\uffa0\U0001d159"


def _json(value: object, indent: int | None = None) -> str:
    separators = (",", ":") if indent is None else None
    return json.dumps(
        value, indent=indent, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=separators
    )


def _shown(arguments: Mapping[str, Any]) -> str:
    """The arguments as stable JSON, without invisible characters."""
    return _unhidden(_json(arguments, indent=2))


def _unhidden(text: str) -> str:
    """The text with its invisible characters written as `\\u…`, except newlines."""
    # Stacked combining marks would cover adjacent text.
    marks = "".join("m" if unicodedata.category(it) in ("Mn", "Me") else "." for it in text)
    covered = {at for run in re.finditer("m{4,}", marks) for at in range(*run.span())}
    return "".join(_escaped(it) if at in covered or _unseen(it) else it for at, it in enumerate(text))


def _unseen(letter: str) -> bool:
    return letter != "\n" and (unicodedata.category(letter)[0] == "C" or letter in "\u2028\u2029")


def _escaped(letter: str) -> str:
    return json.dumps(letter)[1:-1] if letter > "\x7f" else f"\\u{ord(letter):04x}"


def _with_additions(asked: Json, approval: Approval) -> Json:
    """The question, with this app's additions since."""
    additions = approval.raw.get("additions")
    return {**asked, "additions": additions} if additions else asked


def _words(answer: Answer) -> str:
    said = answer.text or answer.note
    return f" The owner wrote: {said}" if said else ""


def _refusal(answer: Answer) -> str:
    return f"The owner did not approve this call.{_words(answer)}"
