from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Literal

import httpx
from typing_extensions import Self

from . import _flows as flows
from ._drivers import Connection, SyncDriver, Token
from ._errors import Retry
from .types import Answer, Approval, Event, Integration, Json, Notification, OptionRequest, Risk

_LARGEST_PAGE = 200


class Approvals:
    """What this app asks its owner."""

    def __init__(self, driver: SyncDriver) -> None:
        self._driver = driver
        self._patience = driver.connection.patience
        self._allow_simulated = driver.connection.allow_simulated

    def create(
        self,
        question: str,
        options: Sequence[OptionRequest],
        *,
        background_context: str | None = None,
        recommendation: str | None = None,
        expires_at: int | datetime | None = None,
        default_option_id: str | None = None,
        owner_only: bool | None = None,
        risk: Risk | None = None,
        key: str | None = None,
    ) -> str:
        """Ask without waiting. Gives the approval's id; with the same `key` within 24 hours it asks nothing new."""
        body = flows.question_body(
            question=question,
            options=list(options),
            background_context=background_context,
            recommendation=recommendation,
            expires_at=expires_at,
            default_option_id=default_option_id,
            owner_only=owner_only,
            risk=risk,
        )
        return self._driver.run(flows.create(body, key, self._patience))

    def get(self, id: str) -> Approval:
        """One approval as it is now."""
        return Approval.of(self._driver.run(flows.read(flows.at(id), {}, self._patience)))

    def list(
        self, *, status: Literal["pending", "resolved"] | None = None, limit: int | None = None
    ) -> Iterator[Approval]:
        """What this app has asked, newest first: all of it, page after page, or `limit` at most."""
        return map(Approval.of, _pages(self._driver, "/api/approvals", {"status": status}, limit))

    def wait(
        self, id: str, *, timeout: float | None = None, on_question: Callable[[str, str], str | None] | None = None
    ) -> Answer:
        """Wait for the answer, over restarts of the service and of this program.

        `timeout` in seconds, as long as it takes unless told. `on_question` hears what the owner wants to know first,
        with the approval's id, and may give the text to tell them.
        Raises NoAnswerError.
        """
        return self._driver.run(flows.wait(id, timeout, on_question, self._patience, self._allow_simulated))

    def add(self, id: str, text: str) -> None:
        """Tell the owner more about what waits, for one thing when they asked back. It is shown beneath the question."""
        self._driver.run(flows.add(id, text, self._patience))

    def report(
        self, id: str, status: Literal["started", "done", "failed"], text: str | None = None, *, link: str | None = None
    ) -> None:
        """Tell the owner what came of their answer. The latest report counts; `link` is an https address."""
        self._driver.run(flows.report(id, status, text, link, self._patience))

    def receipt(self, id: str) -> str:
        """The signed receipt of an answer as text, a compact JWS, which `verify_receipt` checks anywhere."""
        return str(self._driver.run(flows.read(flows.at(id, "/receipt"), {}, self._patience))["receipt"])

    def resolve(
        self,
        id: str,
        option_id: str | None = None,
        *,
        other_text: str | None = None,
        note: str | None = None,
        key: str | None = None,
    ) -> None:
        """Answer one's own question, which needs `approvals:resolve`: recorded as `api`, never as the owner's."""
        self._driver.run(flows.resolve(id, option_id, other_text, note, key, self._patience))


class Notifications:
    """What this app tells its owner, without a question."""

    def __init__(self, driver: SyncDriver) -> None:
        self._driver = driver
        self._patience = driver.connection.patience

    def create(
        self,
        title: str,
        body: str | None = None,
        *,
        type: str | None = None,
        data: Mapping[str, object] | None = None,
        key: str | None = None,
    ) -> str:
        """Tell the owner something. Gives the notification's id."""
        return self._driver.run(flows.push(title, body, type, data, key, self._patience))

    def get(self, id: str) -> Notification:
        """One notification."""
        path = f"/api/notifications/{flows.segment(id, 'notification')}"
        return Notification.of(self._driver.run(flows.read(path, {}, self._patience)))

    def list(self, *, type: str | None = None, limit: int | None = None) -> Iterator[Notification]:
        """What this app has told, newest first: all of it, page after page, or `limit` at most."""
        return map(Notification.of, _pages(self._driver, "/api/notifications", {"type": type}, limit))


class Integrations:
    """The accounts that the owner linked."""

    def __init__(self, driver: SyncDriver) -> None:
        self._driver = driver

    def list(self) -> tuple[Integration, ...]:
        """Those that the owner shares with this app."""
        read = self._driver.run(flows.read("/api/integrations", {}, self._driver.connection.patience))
        return tuple(map(Integration.of, read["data"]))


class Countersign:
    """The client of a Countersign service: it asks an owner, and waits for the answer.

    `base_url` and `token` are COUNTERSIGN_URL and COUNTERSIGN_TOKEN of the environment unless told; a function gives a
    token that changes. `timeout` is how long any reply may take, `patience` how long a call is tried again while the
    service is away, both in seconds. `on_retry` is called before each pause after which a call is tried again.
    `allow_simulated` lets `answer.yes` and the gates accept answers of `countersign simulate`, for tests only; unless given,
    it is on where COUNTERSIGN_ALLOW_SIMULATED is 1. `http_client` is an httpx client of your own.
    """

    def __init__(
        self,
        base_url: str | None = None,
        token: Token | None = None,
        *,
        timeout: float = 20,
        patience: float = 60,
        on_retry: Callable[[Retry], object] | None = None,
        allow_simulated: bool | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        self.driver = SyncDriver(Connection(base_url, token, timeout, patience, on_retry, allow_simulated), http_client)
        self.approvals = Approvals(self.driver)
        self.notifications = Notifications(self.driver)
        self.integrations = Integrations(self.driver)

    def ask(
        self,
        question: str,
        options: Sequence[OptionRequest],
        *,
        background_context: str | None = None,
        recommendation: str | None = None,
        expires_at: int | datetime | None = None,
        default_option_id: str | None = None,
        owner_only: bool | None = None,
        risk: Risk | None = None,
        key: str | None = None,
        timeout: float | None = None,
        on_asked: Callable[[str], object] | None = None,
        on_question: Callable[[str, str], str | None] | None = None,
    ) -> Answer:
        """Ask, and wait for the answer: `if client.ask("Ship?", options).yes("ship"): …`.

        It goes on over restarts and broken connections, and never asks twice: with the same `key` within 24 hours not
        even a program that was started again does. `on_asked` hears the approval's id as soon as it is known.
        Raises NoAnswerError when `timeout` (seconds) is over, CountersignError when the service refuses.
        """
        body = flows.question_body(
            question=question,
            options=list(options),
            background_context=background_context,
            recommendation=recommendation,
            expires_at=expires_at,
            default_option_id=default_option_id,
            owner_only=owner_only,
            risk=risk,
        )
        at = self.driver.connection
        return self.driver.run(flows.ask(body, key, timeout, on_asked, on_question, at.patience, at.allow_simulated))

    def events(self, after: str | None = None) -> Iterator[Event]:
        """What happens after an event, or from the first there is, for ever.

        Keep the `id` of the last one that was dealt with, and begin after it next time: nothing is passed over.
        """
        while True:
            page = self.driver.run(flows.read_events(after))
            yield from map(Event.of, page["data"])
            after = page["nextCursor"]

    def close(self) -> None:
        """Close the connections, unless the httpx client is your own."""
        if self.driver.owned:
            self.driver.client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _pages(driver: SyncDriver, path: str, query: Mapping[str, str | None], limit: int | None) -> Iterator[Json]:
    cursor: str | None = None
    left = sys.maxsize if limit is None else limit
    while left > 0:
        most = None if limit is None else min(left, _LARGEST_PAGE)
        page = driver.run(flows.read(path, {**query, "limit": most, "cursor": cursor}, driver.connection.patience))
        yield from page["data"]
        left -= len(page["data"])
        cursor = page.get("nextCursor")
        if cursor is None:
            return
