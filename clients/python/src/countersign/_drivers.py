from __future__ import annotations

import inspect
import os
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

import anyio
import httpx

from ._errors import Retry
from ._flows import Flow, Reply, Send, Sleep, Step

_API_VERSION = "1"
"""The API version that this package uses."""

T = TypeVar("T")
Token = str | Callable[[], str]
AsyncToken = str | Callable[[], str] | Callable[[], Awaitable[str]]


class Connection:
    """The service's address, the token, and the client's settings."""

    def __init__(
        self,
        base_url: str | None,
        token: AsyncToken | None,
        timeout: float,
        patience: float,
        on_retry: Callable[[Retry], object] | None,
        allow_simulated: bool | None,
    ) -> None:
        url = base_url or os.environ.get("COUNTERSIGN_URL")
        bearer = token or os.environ.get("COUNTERSIGN_TOKEN")
        if not url:
            raise ValueError("The service address is missing. Pass base_url, or set COUNTERSIGN_URL.")
        if not bearer:
            raise ValueError("The token is missing. Pass token, or set COUNTERSIGN_TOKEN.")
        self.base_url = url.rstrip("/")
        self.token = bearer
        self.timeout = timeout
        self.patience = patience
        self.on_retry = on_retry
        if allow_simulated is None:
            allow_simulated = os.environ.get("COUNTERSIGN_ALLOW_SIMULATED") == "1"
        self.allow_simulated = allow_simulated

    def unreachable(self, failure: Exception) -> Reply:
        """A Reply for a request without a response."""
        return Reply(0, {}, "", failure, self.base_url)

    def retrying(self, step: Sleep) -> None:
        """Report a retry to the caller before the pause."""
        if step.retry and self.on_retry:
            self.on_retry(step.retry)

    def arguments(self, step: Send, bearer: str) -> dict[str, Any]:
        """The arguments of an httpx request."""
        request = step.request
        headers = {
            "authorization": f"Bearer {bearer}",
            "accept": "application/json",
            "countersign-version": _API_VERSION,
        }
        if request.key is not None:
            headers["idempotency-key"] = request.key
        reply_in = self.timeout + request.waits
        return {
            "method": request.method,
            "url": f"{self.base_url}{request.path}",
            "params": {name: value for name, value in request.query.items() if value is not None},
            "headers": headers,
            **({} if request.body is None else {"json": request.body}),
            "timeout": min(reply_in, step.patience),
            # The token must not go to any other address.
            "follow_redirects": False,
        }


def _reply(response: httpx.Response) -> Reply:
    return Reply(response.status_code, response.headers, response.text)


class SyncDriver:
    """Executes the steps of a flow one by one."""

    def __init__(self, connection: Connection, client: httpx.Client | None) -> None:
        self.connection = connection
        self.client = client or httpx.Client()
        self.owned = client is None

    def run(self, flow: Flow[T]) -> T:
        """Run a flow to its end."""
        given: object = None
        while True:
            try:
                step = flow.send(given)
            except StopIteration as end:
                return cast("T", end.value)
            given = self._take(step)

    def _take(self, step: Step) -> object:
        if isinstance(step, Sleep):
            self.connection.retrying(step)
            time.sleep(step.seconds)
            return None
        if not isinstance(step, Send):
            return step.function(*step.arguments)
        token = self.connection.token
        bearer = token if isinstance(token, str) else cast("str", token())
        try:
            return _reply(self.client.request(**self.connection.arguments(step, bearer)))
        except httpx.TransportError as failure:
            return self.connection.unreachable(failure)


class AsyncDriver:
    """Executes the steps of a flow with asyncio or trio."""

    def __init__(self, connection: Connection, client: httpx.AsyncClient | None) -> None:
        self.connection = connection
        self.client = client or httpx.AsyncClient()
        self.owned = client is None

    async def run(self, flow: Flow[T]) -> T:
        """Run a flow to its end."""
        given: object = None
        while True:
            try:
                step = flow.send(given)
            except StopIteration as end:
                return cast("T", end.value)
            given = await self._take(step)

    async def _take(self, step: Step) -> object:
        if isinstance(step, Sleep):
            self.connection.retrying(step)
            await anyio.sleep(step.seconds)
            return None
        if not isinstance(step, Send):
            return await _awaited(step.function(*step.arguments))
        token = self.connection.token
        bearer = token if isinstance(token, str) else cast("str", await _awaited(token()))
        try:
            return _reply(await self.client.request(**self.connection.arguments(step, bearer)))
        except httpx.TransportError as failure:
            return self.connection.unreachable(failure)


async def _awaited(value: object) -> object:
    return await cast("Awaitable[object]", value) if inspect.isawaitable(value) else value
