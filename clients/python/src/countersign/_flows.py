"""The client's logic without I/O. Each flow yields the steps that it needs, and
`_drivers` executes them, with or without asyncio."""

from __future__ import annotations

import json
import random
import re
import time
import uuid
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar, cast
from urllib.parse import quote

from typing_extensions import Unpack

from ._errors import CountersignError, Detail, NoAnswerError, Retry
from .fields import Values
from .types import Answer, Approval, Json, QuestionRequest, Use

T = TypeVar("T")

_PASSING = {408, 425, 429, 502, 503, 504}
"""Temporary errors: too many requests, a service that is starting, a database that is unavailable."""
_LONGEST_WAIT = 60
"""Maximum seconds that one call waits."""


@dataclass(frozen=True)
class Request:
    """One request. With a `key`, a retry is safe. Without one, only reads are retried."""

    method: str
    path: str
    query: Mapping[str, str | int | None] = field(default_factory=lambda: dict[str, Any]())
    body: Json | None = None
    key: str | None = None
    waits: int = 0
    """Seconds that the service may wait before it responds, in addition to the usual timeout."""
    deadline: float | None = None
    """When to stop retrying, on the clock of `time.monotonic()`."""


@dataclass(frozen=True)
class Send:
    """Send the request once, and return the Reply."""

    request: Request
    patience: float
    """Maximum seconds left for the request."""


@dataclass(frozen=True)
class Sleep:
    """Wait for some seconds, before a `retry` or before the next poll."""

    seconds: float
    retry: Retry | None = None


@dataclass(frozen=True)
class Consult:
    """Call one of the caller's functions, and return its result."""

    function: Callable[..., object]
    arguments: tuple[object, ...]


@dataclass(frozen=True)
class Reply:
    """A response. The status is 0 if there was none."""

    status: int
    headers: Mapping[str, str]
    text: str
    failure: Exception | None = None
    address: str = ""
    """The address of the service."""


Step = Send | Sleep | Consult
Flow = Generator[Step, object, T]


def call(request: Request, patience: float) -> Flow[tuple[Json, Mapping[str, str]]]:
    """Send a request until it succeeds or must not be retried. Raises CountersignError."""
    deadline = time.monotonic() + patience if request.deadline is None else request.deadline
    again = request.method == "GET" or request.key is not None
    attempt = 0
    while True:
        left = deadline - time.monotonic()
        reply = cast("Reply", (yield Send(request, max(0.0, left) + 1)))
        value = _parse(reply.text)
        if 200 <= reply.status < 300 and value is not None:
            return value, reply.headers
        refused = _refusal(reply, value)
        left = deadline - time.monotonic()
        if not again or left <= 0 or not (refused.status == 0 or refused.status in _PASSING):
            raise refused from reply.failure
        told = reply.headers.get("retry-after", "")
        if re.fullmatch(r"[0-9]{1,6}", told):
            delay = min(300, int(told)) * (1 + random.random() / 4)
        else:
            delay = random.random() * min(10, 0.25 * 2.0 ** min(attempt, 10))
        attempt += 1
        pause = min(delay, left)
        yield Sleep(pause, Retry(attempt, pause, refused))


def _parse(text: str) -> Json | None:
    try:
        value: object = json.loads(text)
    except ValueError:
        return None
    return cast("Json", value) if isinstance(value, dict) else None


def _refusal(reply: Reply, value: Json | None) -> CountersignError:
    if reply.status == 0:
        reason = str(reply.failure) or type(reply.failure).__name__
        return CountersignError(f"Could not connect to the service at {reply.address} ({reason})", 0)
    said = value or {}
    details = tuple(map(_detail, cast("list[Json]", said.get("details") or [])))
    what = "; ".join(f"{it.path}: {it.message}" if it.path else it.message for it in details)
    ok = 200 <= reply.status < 300
    summary = "The response is not JSON" if ok else f"The service responded with HTTP status {reply.status}"
    message = str(said.get("error") or summary)
    return CountersignError(
        f"{message}: {what}" if what else message,
        502 if ok else reply.status,
        details,
        reply.headers.get("x-request-id"),
    )


def _detail(it: Json) -> Detail:
    facts = {name: value for name, value in it.items() if name not in ("path", "message", "reason")}
    return Detail(it["path"], it["message"], it.get("reason"), facts)


def new_key() -> str:
    """A new idempotency key for one call."""
    return str(uuid.uuid4())


def at(id: str, more: str = "") -> str:
    """An approval's path. Raises ValueError if the ID is missing."""
    return f"/api/approvals/{segment(id, 'approval')}{more}"


def segment(id: str, what: str) -> str:
    """An ID as a path segment. Raises ValueError if it is missing."""
    if not isinstance(id, str) or not id:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"The {what} ID is missing")
    return quote(id, safe="")


def question_body(**asked: Unpack[QuestionRequest]) -> dict[str, Any]:
    """The request body of an approval."""
    facts, expires_at = asked.get("facts"), asked.get("expires_at")
    body = {
        "question": asked["question"],
        "options": asked["options"],
        "facts": list(facts) if facts else None,
        "fields": asked.get("fields"),
        "backgroundContext": asked.get("background_context"),
        "recommendation": asked.get("recommendation"),
        "expiresAt": round(expires_at.timestamp() * 1000) if isinstance(expires_at, datetime) else expires_at,
        "defaultOptionId": asked.get("default_option_id"),
        "ownerOnly": asked.get("owner_only"),
        "once": asked.get("once"),
        "risk": asked.get("risk"),
        "signedByOwner": asked.get("signed_by_owner"),
        "match": asked.get("match"),
    }
    return {name: value for name, value in body.items() if value is not None}


def create(body: Json, key: str | None, patience: float, deadline: float | None = None) -> Flow[str]:
    """Ask without waiting, and return the approval's ID."""
    request = Request("POST", "/api/approvals", body=body, key=key or new_key(), deadline=deadline)
    value, _ = yield from call(request, patience)
    return str(value["id"])


OnQuestion = Callable[[str, str], object]


def wait(
    id: str, timeout: float | None, on_question: OnQuestion | None, patience: float, allow_simulated: bool
) -> Flow[Answer]:
    """Wait for the answer. Raises NoAnswerError."""
    return (yield from _wait(id, deadline_in(timeout), on_question, patience, allow_simulated))


def ask(
    body: Json,
    key: str | None,
    timeout: float | None,
    on_asked: Callable[[str], object] | None,
    on_question: OnQuestion | None,
    patience: float,
    allow_simulated: bool,
) -> Flow[Answer]:
    """Ask, and wait for the answer. Survives restarts of the service, broken connections and temporary errors."""
    deadline = deadline_in(timeout)
    id = yield from _unless_late(None, deadline, create(body, key, patience, deadline))
    if on_asked:
        yield Consult(on_asked, (id,))
    return (yield from _wait(id, deadline, on_question, patience, allow_simulated))


def deadline_in(timeout: float | None) -> float:
    """When a wait ends, on the clock of `time.monotonic()`."""
    return float("inf") if timeout is None else time.monotonic() + timeout


def _wait(
    id: str, deadline: float, on_question: OnQuestion | None, patience: float, allow_simulated: bool
) -> Flow[Answer]:
    heard = 0
    while True:
        seconds = min(_LONGEST_WAIT, int(max(0.0, min(deadline - time.monotonic(), _LONGEST_WAIT))))
        request = Request("GET", at(id), {"wait": seconds or None}, waits=seconds, deadline=deadline)
        value, headers = yield from _unless_late(id, deadline, call(request, patience))
        approval = Approval.of(value)
        if approval.resolution:
            return Answer(id, approval.resolution, allow_simulated)
        if approval.deadline_passed:
            raise NoAnswerError(id, deadline_passed=True)
        left = deadline - time.monotonic()
        if left <= 0:
            raise NoAnswerError(id)
        # If an addition is newer than a question, this program may have replied to it before a restart.
        said = approval.additions[-1].created_at if approval.additions else 0
        for asked in approval.questions[heard:]:
            if on_question and asked.created_at > said:
                text = yield Consult(on_question, (asked.text, id))
                if isinstance(text, str):
                    yield from _reply(id, text, patience)
        if len(approval.questions) == heard:
            # An early response states when to retry. The pause prevents a tight polling
            # loop.
            told = headers.get("retry-after", "")
            yield Sleep(min(left, int(told) if re.fullmatch(r"[0-9]{1,6}", told) else 1))
        heard = len(approval.questions)


def _reply(id: str, text: str, patience: float) -> Flow[None]:
    try:
        yield from add(id, text, patience)
    except CountersignError as refused:
        # The owner has answered in the meantime, so the next poll returns the answer.
        if refused.status != 409:
            raise


def _unless_late(id: str | None, deadline: float, work: Flow[T]) -> Flow[T]:
    """Turn a failure after the deadline into a NoAnswerError."""
    try:
        return (yield from work)
    except CountersignError as failed:
        passing = failed.status in (0, 429) or failed.status >= 500
        if passing and time.monotonic() >= deadline:
            raise NoAnswerError(id) from failed
        raise


def add(id: str, text: str, patience: float) -> Flow[None]:
    """Add information to a pending question."""
    yield from call(Request("POST", at(id, "/additions"), body={"text": text}, key=new_key()), patience)


def report(id: str, status: str, text: str | None, link: str | None, patience: float) -> Flow[None]:
    """Report the outcome to the owner."""
    body = {name: value for name, value in (("status", status), ("text", text), ("link", link)) if value is not None}
    yield from call(Request("POST", at(id, "/outcome"), body=body, key=new_key()), patience)


def use(id: str, content_hash: str, values: Mapping[str, Any] | None, key: str | None, patience: float) -> Flow[Use]:
    """Use the owner's answer for one action."""
    body: Json = {"contentHash": content_hash, **({} if values is None else {"values": dict(values)})}
    value, _ = yield from call(Request("POST", at(id, "/use"), body=body, key=key or new_key()), patience)
    return Use(value["usedAt"], value["receipt"])


def resolve(
    id: str,
    option_id: str | None,
    other_text: str | None,
    note: str | None,
    values: Values | None,
    key: str | None,
    patience: float,
) -> Flow[None]:
    """Answer the app's own question."""
    body: dict[str, Any] = {"kind": "other" if option_id is None else "option"}
    for name, value in (("optionId", option_id), ("otherText", other_text), ("note", note), ("values", values)):
        if value is not None:
            body[name] = value
    yield from call(Request("POST", at(id, "/resolve"), body=body, key=key or new_key()), patience)


def freeze(patience: float) -> Flow[None]:
    """Freeze the app. A retry finds that the first attempt froze it."""
    try:
        yield from call(Request("POST", "/api/freeze", body={}, key=new_key()), patience)
    except CountersignError as refused:
        if all(it.reason != "frozen" for it in refused.details):
            raise


def push(
    title: str, body: str | None, type: str | None, data: Json | None, key: str | None, patience: float
) -> Flow[str]:
    """Send a notification, and return its ID."""
    fields = {"title": title, "body": body, "type": type, "data": data}
    sent = {name: value for name, value in fields.items() if value is not None}
    value, _ = yield from call(Request("POST", "/api/notifications", body=sent, key=key or new_key()), patience)
    return str(value["id"])


def read(path: str, query: Mapping[str, str | int | None], patience: float) -> Flow[Json]:
    """Read one resource."""
    value, _ = yield from call(Request("GET", path, query), patience)
    return value


def read_events(after: str | None) -> Flow[Json]:
    """Wait for the next page of events, without a time limit."""
    query = {"after": after, "wait": _LONGEST_WAIT}
    request = Request("GET", "/api/events", query, waits=_LONGEST_WAIT, deadline=float("inf"))
    value, _ = yield from call(request, 0)
    return value
