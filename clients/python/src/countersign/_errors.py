from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Detail:
    """A problem with one field of a request.

    `reason` is a code for programs: "frozen" if the owner froze the app.
    """

    path: str
    message: str
    reason: str | None = None


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
