from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Detail:
    """What is wrong with one field of a request."""

    path: str
    message: str


class CountersignError(Exception):
    """The service refused, or could not be reached for as long as was waited.

    `status` is the HTTP status, 0 where there was no reply. Quote `request_id` when you report a problem.
    """

    def __init__(
        self, message: str, status: int, details: tuple[Detail, ...] = (), request_id: str | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.details = details
        self.request_id = request_id


@dataclass(frozen=True)
class Retry:
    """A failed attempt that is followed by another one.

    `attempt` is 1 for the first, `delay` the seconds before the next attempt, and `reason` why it failed. The message of an
    unreachable service names its address and the cause.
    """

    attempt: int
    delay: float
    reason: CountersignError


class NoAnswerError(Exception):
    """The owner has not answered in time: in the caller's, after which the question still waits, or before its deadline.

    `id` is None when the service could not even be asked.
    """

    def __init__(self, id: str | None, deadline_passed: bool = False) -> None:
        super().__init__(
            "The deadline passed without an answer" if deadline_passed else "The owner has not answered in time"
        )
        self.id = id
        self.deadline_passed = deadline_passed


class VerificationError(Exception):
    """A receipt or a webhook that does not prove what it should."""
