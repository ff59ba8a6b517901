from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Detail:
    """A problem with one field of a request. `reason` is for programs, and `facts` are
    further fields in the API's spelling, such as `usedAt`."""

    path: str
    message: str
    reason: str | None = None
    facts: dict[str, Any] = field(default_factory=lambda: dict[str, Any](), hash=False)


class CountersignError(Exception):
    """The service rejected the request, or could not be reached in time.

    `status` is the HTTP status, 0 if there was no response. Quote `request_id` when you report a problem.
    """

    def __init__(
        self, message: str, status: int, details: tuple[Detail, ...] = (), request_id: str | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.details = details
        self.request_id = request_id

    @property
    def reason(self) -> str | None:
        """The first reason for programs in `details`."""
        return next((it.reason for it in self.details if it.reason), None)


@dataclass(frozen=True)
class Retry:
    """A failed attempt before a retry.

    `attempt` is 1 for the first attempt. `delay` is the number of seconds before the
    next one, and `reason` is the error. If the service is unreachable, the message
    names its address and the cause.
    """

    attempt: int
    delay: float
    reason: CountersignError


class NoAnswerError(Exception):
    """The owner did not answer in time. Either your timeout ended and the question is
    still pending, or its deadline passed.

    `id` is None if the question did not reach the service.
    """

    def __init__(self, id: str | None, deadline_passed: bool = False) -> None:
        super().__init__(
            "The deadline passed without an answer" if deadline_passed else "The owner did not answer in time"
        )
        self.id = id
        self.deadline_passed = deadline_passed


class VerificationError(Exception):
    """A receipt or webhook failed verification."""


class ToolNotRunError(Exception):
    """A guarded action or a tool did not run. The message is for the person or the
    model. `id` is the approval's ID."""

    def __init__(self, message: str, id: str) -> None:
        super().__init__(message)
        self.id = id
