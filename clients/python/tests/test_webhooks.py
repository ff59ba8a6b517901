import base64
import json
from collections.abc import Callable
from datetime import datetime, timezone

import pytest
from standardwebhooks.webhooks import Webhook

from countersign import VerificationError, verify_webhook

SECRET = "whsec_" + base64.b64encode(b"a secret of thirty-two characters").decode()
OTHER = "whsec_" + base64.b64encode(b"another one of the same length...").decode()
NOW = 1_795_000_000
BODY = json.dumps({"id": "evt_1", "type": "approval.resolved", "createdAt": 1, "data": {"id": "apr_ä"}})
HEADERS = {
    "Webhook-Id": "evt_1",
    "webhook-timestamp": str(NOW),
    "webhook-signature": Webhook(SECRET).sign("evt_1", datetime.fromtimestamp(NOW, timezone.utc), BODY),
}


def test_reads_a_webhook_signed_by_another_library() -> None:
    event = verify_webhook(BODY.encode(), HEADERS, SECRET, now=NOW + 299)
    assert (event.id, event.type, event.data) == ("evt_1", "approval.resolved", {"id": "apr_ä"})
    assert verify_webhook(BODY, HEADERS, [OTHER, SECRET], now=NOW) == event


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda: verify_webhook(BODY + " ", HEADERS, SECRET, now=NOW), "No signature in webhook-signature is valid"),
        (lambda: verify_webhook(BODY, {**HEADERS, "Webhook-Id": "evt_2"}, SECRET, now=NOW), "No signature in webhook-signature is valid"),
        (lambda: verify_webhook(BODY, HEADERS, OTHER, now=NOW), "No signature in webhook-signature is valid"),
        (lambda: verify_webhook(BODY, HEADERS, [], now=NOW), "No signature in webhook-signature is valid"),
        (lambda: verify_webhook(BODY, HEADERS, "whsec_", now=NOW), "followed by Base64"),
        (lambda: verify_webhook(BODY, HEADERS, SECRET, now=NOW + 301), "too far"),
        (lambda: verify_webhook(BODY, HEADERS, SECRET), "too far"),
        (lambda: verify_webhook(BODY, {**HEADERS, "webhook-timestamp": "²"}, SECRET, now=NOW), "not a Unix time"),
        (lambda: verify_webhook(BODY, {}, SECRET, now=NOW), "missing"),
    ],
)
def test_rejects_an_invalid_webhook(change: Callable[[], object], why: str) -> None:
    with pytest.raises(VerificationError, match=why):
        change()
