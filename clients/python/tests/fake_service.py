"""A fake service that answers every request of a gate with the owner's choice."""

import base64
import json
from typing import Any

import httpx
import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from countersign import AsyncCountersign, Countersign, content_hash
from countersign.gate import AsyncGate, Gate

KEY = Ed25519PrivateKey.generate()
X = base64.urlsafe_b64encode(KEY.public_key().public_bytes_raw()).rstrip(b"=").decode()
URL = "https://yes.example.com"


class Service:
    """The fake service has one approval, apr_1. The owner answers it with an option
    unless it is `pending`."""

    def __init__(self, option: str = "approve", by: str = "owner", **signed: Any) -> None:
        self.resolution = {"kind": "option", "optionId": option, "resolvedBy": by, "resolvedAt": 2, "note": "Soon"}
        self.signed = signed
        self.pending = False
        self.asked: dict[str, Any] = {}
        self.keys: list[str] = []
        self.outcomes: list[dict[str, Any]] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path, body = request.url.path, json.loads(request.content or "{}")
        if path == "/api/approvals":
            self.asked = body
            self.keys.append(request.headers["idempotency-key"])
            return httpx.Response(201, json={"id": "apr_1"})
        if path == "/api/approvals/apr_1/outcome":
            self.outcomes.append(body)
            return httpx.Response(200, json={"ok": True})
        if path == "/.well-known/jwks.json":
            return httpx.Response(200, json={"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "k1", "x": X}]})
        if path == "/api/approvals/apr_1/receipt":
            said = {"iss": URL, "aud": "app_1", "owner": "own_1", "sub": "apr_1", "iat": 1}
            claims = {**said, "contentHash": content_hash(self.asked), "resolution": self.resolution, **self.signed}
            header = {"typ": "countersign-receipt+jwt", "kid": "k1"}
            return httpx.Response(200, json={"receipt": jwt.encode(claims, KEY, "EdDSA", header)})
        fields = {"_id": "apr_1", "_creationTime": 1, "clientId": "app_1", "contentHash": content_hash(self.asked)}
        outcome = {"outcome": {**self.outcomes[-1], "reportedAt": 3}} if self.outcomes else {}
        answered = {"status": "resolved", "resolution": self.resolution}
        more = {"status": "pending"} if self.pending else {**answered, **outcome}
        return httpx.Response(200, json={**self.asked, **fields, **more})


def gate(service: Service, owner: str | None = "own_1", **more: Any) -> Gate:
    """A gate that uses the fake service."""
    http = httpx.Client(transport=httpx.MockTransport(service))
    return Gate(Countersign(URL, "secret", http_client=http), owner=owner, **more)


def async_gate(service: Service, owner: str | None = "own_1", **more: Any) -> AsyncGate:
    """An asyncio gate that uses the fake service."""
    http = httpx.AsyncClient(transport=httpx.MockTransport(service))
    return AsyncGate(AsyncCountersign(URL, "secret", http_client=http), owner=owner, **more)
