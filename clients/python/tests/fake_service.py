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
        self.resolution: dict[str, Any] = {"kind": "option", "optionId": option, "resolvedBy": by, "resolvedAt": 2, "note": "Soon"}
        self.signed = signed
        self.pending = False
        self.asked: dict[str, Any] = {}
        self.keys: list[str] = []
        self.outcomes: list[dict[str, Any]] = []
        self.use_keys: list[str] = []
        self.withdrawn = False
        self.reports_fail = False

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path, body = request.url.path, json.loads(request.content or "{}")
        if path == "/api/approvals":
            self.asked = body
            self.keys.append(request.headers["idempotency-key"])
            return httpx.Response(201, json={"id": "apr_1"})
        if path == "/api/approvals/apr_1/use":
            return self.use(body, request.headers["idempotency-key"])
        if path == "/api/approvals/apr_1/outcome":
            if self.reports_fail:
                return httpx.Response(403, json={"error": "Forbidden"})
            self.outcomes.append(body)
            return httpx.Response(200, json={"ok": True})
        if path == "/.well-known/jwks.json":
            return httpx.Response(200, json={"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "k1", "x": X}]})
        if path == "/api/approvals/apr_1/receipt":
            said = {"iss": URL, "aud": "app_1", "owner": "own_1", "sub": "apr_1", "iat": 1}
            claims = {**said, "contentHash": content_hash(self.asked), "resolution": self.resolution, **self.signed}
            header = {"typ": "countersign-receipt+jwt", "kid": "k1"}
            return httpx.Response(200, json={"receipt": jwt.encode(claims, KEY, "EdDSA", header)})
        fields = {"_id": "apr_1", "_creationTime": 1, "clientId": "app_1", "dueAt": 7, "contentHash": content_hash(self.asked)}
        outcome = {"outcome": {**self.outcomes[-1], "reportedAt": 3}} if self.outcomes else {}
        answered = {"status": "resolved", "resolution": self.resolution}
        use = {"usedAt": 4} if self.use_keys else {"withdrawnAt": 5} if self.withdrawn else {}
        more = {"status": "pending"} if self.pending else {**answered, **outcome, **use}
        return httpx.Response(200, json={**self.asked, **fields, **more})

    def use(self, body: dict[str, Any], key: str) -> httpx.Response:
        """Use the answer, as the service does."""
        detail: dict[str, Any] = {"path": "", "message": "No"}
        if body["contentHash"] != content_hash(self.asked):
            detail["reason"] = "content_mismatch"
        elif self.withdrawn:
            detail |= {"reason": "withdrawn", "withdrawnAt": 5}
        elif self.use_keys and key != self.use_keys[0]:
            detail |= {"reason": "used", "usedAt": 4, "usedBy": "app"}
        else:
            self.use_keys.append(key)
            return httpx.Response(200, json={"usedAt": 4, "receipt": "a.b.c"})
        return httpx.Response(409, json={"error": "Conflict", "details": [detail]})


def client(service: Service) -> Countersign:
    """A client of the fake service."""
    return Countersign(URL, "secret", http_client=httpx.Client(transport=httpx.MockTransport(service)))


def async_client(service: Service) -> AsyncCountersign:
    """An asyncio client of the fake service."""
    return AsyncCountersign(URL, "secret", http_client=httpx.AsyncClient(transport=httpx.MockTransport(service)))


def gate(service: Service, owner: str | None = "own_1", **more: Any) -> Gate:
    """A gate that uses the fake service."""
    return Gate(client(service), owner=owner, **more)


def async_gate(service: Service, owner: str | None = "own_1", **more: Any) -> AsyncGate:
    """An asyncio gate that uses the fake service."""
    return AsyncGate(async_client(service), owner=owner, **more)
