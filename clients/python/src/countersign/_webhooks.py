from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence

from ._errors import VerificationError
from .types import Event


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance: float = 300,
    now: float | None = None,
) -> Event:
    """Verify a webhook's signature (Standard Webhooks 1.0), and return its event.

    `body` is the raw body, neither parsed nor serialized again. `secret` is `whsec_…`,
    or several during a replacement. `tolerance` is the maximum difference in seconds
    between the webhook's time and yours. `now` is your time in epoch seconds. Raises
    VerificationError with the reason. In that case, respond with 400.
    """
    given = {name.lower(): value for name, value in headers.items()}
    id, timestamp, signatures = (given.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not id or not timestamp or not signatures:
        raise VerificationError("One of the headers webhook-id, webhook-timestamp and webhook-signature is missing")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise VerificationError("The header webhook-timestamp is not a Unix time")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise VerificationError("The time in the header webhook-timestamp is too far in the past or future")
    raw = body.encode() if isinstance(body, str) else body
    said = [part for it in signatures.split(" ") if it.startswith("v1,") and (part := _bytes(it[3:]))]
    proven = False
    for each in [secret] if isinstance(secret, str) else secret:
        key = _bytes(each.removeprefix("whsec_"))
        if not key:
            raise VerificationError("The secret must be whsec_ followed by Base64 text")
        wanted = hmac.new(key, f"{id}.{timestamp}.".encode() + raw, hashlib.sha256).digest()
        for signature in said:
            proven = hmac.compare_digest(signature, wanted) or proven
    if not proven:
        raise VerificationError("No signature in webhook-signature is valid for this webhook")
    return Event.of(json.loads(raw))


def _bytes(text: str) -> bytes | None:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except binascii.Error:
        return None
