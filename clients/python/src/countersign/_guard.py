from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from . import _flows as flows
from . import _using as using
from ._async_client import AsyncCountersign
from ._client import Countersign
from ._drivers import Connection
from ._errors import ToolNotRunError
from ._flows import Flow
from .types import Json, QuestionRequest

T = TypeVar("T")


@dataclass(frozen=True)
class ExpectedReceipt:
    """The values that the receipt must have.

    `issuer` is the service's public address, by default the client's. `audience` is the
    client ID of the app, by default the one that asked. `owner` is the ID of the owner
    whose answer counts, by default COUNTERSIGN_OWNER or the owner that the service
    names. `allow_simulated` is by default the client's setting.
    """

    issuer: str | None = None
    audience: str | None = None
    owner: str | None = None
    allow_simulated: bool | None = None

    def checks(self, at: Connection) -> using.Checks:
        """These values, or the defaults."""
        owner = self.owner or os.environ.get("COUNTERSIGN_OWNER")
        return using.Checks.of(at, self.issuer, self.audience, owner, self.allow_simulated)


def guard(
    client: Countersign,
    question: QuestionRequest,
    work: Callable[..., T],
    *,
    key: str,
    option: str = "approve",
    receipt: ExpectedReceipt | None = None,
    timeout: float | None = None,
    on_question: Callable[[str, str], str | None] | None = None,
) -> T:
    """Run `work` only with the owner's approval, and at most once: ask, verify the
    receipt, use the answer, run, and report the outcome. Needs
    `countersign-client[receipts]`.

    If the program ends after the answer was used, the next start does not run `work`
    again. If the question has `fields`, `work` receives the allowed values as a
    mapping; otherwise, it has no parameter. `key` identifies the action. A program that
    restarts within 24 hours with the same key waits for the same answer. `option` is
    the ID of the option that permits the action. `timeout` is in seconds. Raises
    ToolNotRunError if the owner did not approve, or if the answer was withdrawn or
    already used. Raises ValueError without a key, or if the question does not have the
    option. Raises NoAnswerError, VerificationError, CountersignError, and the errors of
    `work`.
    """
    at, run = client.driver.connection, client.driver.run
    id, values = run(_begin(at, question, key, option, receipt, timeout, on_question))
    try:
        result = work(values) if question.get("fields") else work()
    except Exception as failure:
        run(using.report(id, "failed", repr(failure), at.patience))
        raise
    run(using.report(id, "done", "", at.patience))
    return result


async def async_guard(
    client: AsyncCountersign,
    question: QuestionRequest,
    work: Callable[..., Awaitable[T]],
    *,
    key: str,
    option: str = "approve",
    receipt: ExpectedReceipt | None = None,
    timeout: float | None = None,
    on_question: Callable[[str, str], str | None | Awaitable[str | None]] | None = None,
) -> T:
    """Like `guard`, under asyncio or trio."""
    at, run = client.driver.connection, client.driver.run
    id, values = await run(_begin(at, question, key, option, receipt, timeout, on_question))
    try:
        result = await (work(values) if question.get("fields") else work())
    except Exception as failure:
        await run(using.report(id, "failed", repr(failure), at.patience))
        raise
    await run(using.report(id, "done", "", at.patience))
    return result


def _begin(
    at: Connection,
    question: QuestionRequest,
    key: str,
    option: str,
    receipt: ExpectedReceipt | None,
    timeout: float | None,
    on_question: flows.OnQuestion | None,
) -> Flow[tuple[str, Json]]:
    """Ask, wait, verify and use the answer. Returns the approval's ID and the allowed values."""
    if not key:
        raise ValueError("The guarded action must have a key")
    if all(it["id"] != option for it in question["options"]):
        raise ValueError(f'The question has no option "{option}". Pass the ID of the option that permits the action')
    asked = flows.question_body(**question)
    id = yield from flows.create(asked, key, at.patience)
    answer = yield from flows.wait(id, timeout, on_question, at.patience, at.allow_simulated)
    if answer.chosen != option:
        raise ToolNotRunError("The owner did not approve this action.", id)
    checks = (receipt or ExpectedReceipt()).checks(at)
    proven = yield from using.prove(id, asked, option, checks)
    yield from using.begin(proven, at.patience)
    return id, proven.values or {}

