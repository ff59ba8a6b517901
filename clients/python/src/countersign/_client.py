# Generated from _async_client.py by "npm run derive". Do not edit.
from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Literal, TypeVar

import httpx
from typing_extensions import Self

from . import _flows as flows
from ._drivers import Connection, SyncDriver, Token
from ._errors import Retry
from .fields import Fields, Values
from .types import Answer, Approval, Event, FactRequest, Integration, Json, Notification, OptionRequest, OwnerKeys
from .types import Risk, SignedByOwner, Use

_LARGEST_PAGE = 200
T = TypeVar("T")


class Approvals:
    """This app's questions to its owner."""

    def __init__(self, driver: SyncDriver) -> None:
        self._driver = driver
        self._patience = driver.connection.patience
        self._allow_simulated = driver.connection.allow_simulated

    def create(
        self,
        question: str,
        options: Sequence[OptionRequest],
        *,
        facts: Sequence[FactRequest] | None = None,
        fields: Fields | None = None,
        background_context: str | None = None,
        recommendation: str | None = None,
        expires_at: int | datetime | None = None,
        default_option_id: str | None = None,
        owner_only: bool | None = None,
        once: bool | None = None,
        risk: Risk | None = None,
        signed_by_owner: SignedByOwner | None = None,
        match: str | None = None,
        key: str | None = None,
    ) -> str:
        """Ask without waiting, and return the approval's ID. The same `key` within 24
        hours never asks twice.

        `match` is two digits that this program shows. The owner picks them before
        answering. It needs `risk="high"`. With `once`, the owner can withdraw the answer
        until `use` succeeds. `fields` are the values that the owner fills in. At least
        one option must have `fields`. With `signed_by_owner`, the owner's passkey must
        sign the answer, and `verify_signed_answer` can verify it.
        """
        body = flows.question_body(
            question=question,
            options=list(options),
            facts=facts,
            fields=fields,
            background_context=background_context,
            recommendation=recommendation,
            expires_at=expires_at,
            default_option_id=default_option_id,
            owner_only=owner_only,
            once=once,
            risk=risk,
            signed_by_owner=signed_by_owner,
            match=match,
        )
        return self._driver.run(flows.create(body, key, self._patience))

    def get(self, id: str) -> Approval:
        """Return one approval in its current state."""
        return Approval.of(self._driver.run(flows.read(flows.at(id), {}, self._patience)))

    def list(
        self, *, status: Literal["pending", "resolved"] | None = None, limit: int | None = None
    ) -> Iterator[Approval]:
        """Iterate over this app's approvals, newest first: all of them, page by page, or at most `limit`."""
        return _of(Approval.of, _pages(self._driver, "/api/approvals", {"status": status}, limit))

    def wait(
        self, id: str, *, timeout: float | None = None, on_question: Callable[[str, str], str | None] | None = None
    ) -> Answer:
        """Wait for the answer. Survives restarts of the service and of this program.

        `timeout` is in seconds. By default, there is none. `on_question` receives the
        owner's question back and the approval's ID, and can return a reply. Raises
        NoAnswerError.
        """
        return self._driver.run(flows.wait(id, timeout, on_question, self._patience, self._allow_simulated))

    def add(self, id: str, text: str) -> None:
        """Add information to a pending approval, for example after a question back. It appears below the question."""
        self._driver.run(flows.add(id, text, self._patience))

    def report(
        self, id: str, status: Literal["started", "done", "failed"], text: str | None = None, *, link: str | None = None
    ) -> None:
        """Report the outcome to the owner. The latest report is shown. `link` is an
        https URL."""
        self._driver.run(flows.report(id, status, text, link, self._patience))

    def receipt(self, id: str) -> str:
        """Return the signed receipt of an answer: a compact JWS that `verify_receipt` can check anywhere."""
        return str(self._driver.run(flows.read(flows.at(id, "/receipt"), {}, self._patience))["receipt"])

    def use(
        self, id: str, content_hash: str, *, values: Values | None = None, key: str | None = None
    ) -> Use:
        """Use the owner's answer for one action, immediately before the action. The
        first use wins.

        `content_hash` is the approval's, so that the use is for what the owner saw.
        `values` are the resolution's, if it has some. The service repeats its reply to
        the same `key`, which is a new one by default. Raises CountersignError with the
        `reason` `used`, `withdrawn`, `not_owner`, `content_mismatch` or
        `values_mismatch`.
        """
        return self._driver.run(flows.use(id, content_hash, values, key, self._patience))

    def resolve(
        self,
        id: str,
        option_id: str | None = None,
        *,
        other_text: str | None = None,
        note: str | None = None,
        values: Values | None = None,
        key: str | None = None,
    ) -> None:
        """Answer your own question. It needs `approvals:resolve`, and is recorded as
        `api`, never as the owner's answer. An option with `fields` requires `values`."""
        self._driver.run(flows.resolve(id, option_id, other_text, note, values, key, self._patience))


class Notifications:
    """This app's notifications to its owner."""

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
        """Send a notification, and return its ID."""
        return self._driver.run(flows.push(title, body, type, data, key, self._patience))

    def get(self, id: str) -> Notification:
        """Return one notification."""
        path = f"/api/notifications/{flows.segment(id, 'notification')}"
        return Notification.of(self._driver.run(flows.read(path, {}, self._patience)))

    def list(self, *, type: str | None = None, limit: int | None = None) -> Iterator[Notification]:
        """Iterate over this app's notifications, newest first: all of them, page by page, or at most `limit`."""
        return _of(Notification.of, _pages(self._driver, "/api/notifications", {"type": type}, limit))


class Integrations:
    """The owner's linked accounts."""

    def __init__(self, driver: SyncDriver) -> None:
        self._driver = driver

    def list(self) -> tuple[Integration, ...]:
        """Return the accounts that the owner shares with this app."""
        read = self._driver.run(flows.read("/api/integrations", {}, self._driver.connection.patience))
        return tuple(map(Integration.of, read["data"]))


class Countersign:
    """The client of a Countersign service: asks an owner, and waits for the answer.

    `base_url` and `token` default to COUNTERSIGN_URL and COUNTERSIGN_TOKEN. `token` can
    be a function, for tokens that change. `timeout` limits each response, and
    `patience` the retries while the service is unavailable, both in seconds. `on_retry`
    is called before the pause of each retry. `allow_simulated` lets `answer.yes` and
    the gates accept answers from `countersign simulate`, for tests only. It is on by
    default if COUNTERSIGN_ALLOW_SIMULATED is 1. `http_client` is your own httpx client.
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
        facts: Sequence[FactRequest] | None = None,
        fields: Fields | None = None,
        background_context: str | None = None,
        recommendation: str | None = None,
        expires_at: int | datetime | None = None,
        default_option_id: str | None = None,
        owner_only: bool | None = None,
        once: bool | None = None,
        risk: Risk | None = None,
        signed_by_owner: SignedByOwner | None = None,
        match: str | None = None,
        key: str | None = None,
        timeout: float | None = None,
        on_asked: Callable[[str], object] | None = None,
        on_question: Callable[[str, str], str | None] | None = None,
    ) -> Answer:
        """Ask, and wait for the answer: `if client.ask("Ship?", options).yes("ship"): …`.

        Survives restarts and broken connections, and never asks twice. With the same
        `key` within 24 hours, a restarted program does not ask again either. `on_asked`
        receives the approval's ID as soon as it is known. `match` is two digits that
        this program shows. The owner picks them before answering. It needs
        `risk="high"`. `fields` are the values that the owner fills in: `answer.values`.
        With `signed_by_owner`, the owner's passkey must sign the answer.
        Raises NoAnswerError after `timeout` seconds, and CountersignError when the
        service rejects the request.
        """
        body = flows.question_body(
            question=question,
            options=list(options),
            facts=facts,
            fields=fields,
            background_context=background_context,
            recommendation=recommendation,
            expires_at=expires_at,
            default_option_id=default_option_id,
            owner_only=owner_only,
            once=once,
            risk=risk,
            signed_by_owner=signed_by_owner,
            match=match,
        )
        at = self.driver.connection
        return self.driver.run(flows.ask(body, key, timeout, on_asked, on_question, at.patience, at.allow_simulated))

    def events(self, after: str | None = None) -> Iterator[Event]:
        """Iterate over events after `after`, or from the oldest, without end.

        Store the `id` of the last event that you handled, and pass it next time, so
        that no event is skipped.
        """
        while True:
            page = self.driver.run(flows.read_events(after))
            for it in page["data"]:
                yield Event.of(it)
            after = page["nextCursor"]

    def owner_keys(self) -> OwnerKeys:
        """Return the owner's passkeys, including removed ones. Pin them, and pass them to
        `verify_signed_answer`."""
        return OwnerKeys.of(self.driver.run(flows.read("/api/owner/keys", {}, self.driver.connection.patience)))

    def freeze(self) -> None:
        """Freeze this app's access to the owner, for example after an attack. Every later
        call fails with the reason "frozen" until the owner ends the freeze."""
        self.driver.run(flows.freeze(self.driver.connection.patience))

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
        for it in page["data"]:
            yield it
        left -= len(page["data"])
        cursor = page.get("nextCursor")
        if cursor is None:
            return


def _of(read: Callable[[Json], T], pages: Iterator[Json]) -> Iterator[T]:
    for it in pages:
        yield read(it)
