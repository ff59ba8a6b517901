import base64
from datetime import datetime, timezone
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from countersign import VerificationError, content_hash, verify_receipt

KEY = Ed25519PrivateKey.generate()
X = base64.urlsafe_b64encode(KEY.public_key().public_bytes_raw()).rstrip(b"=").decode()
JWKS = {"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "k1", "x": X}]}
ASKED = {"question": "Wipe?", "options": [{"id": "yes", "label": "Yes"}], "ownerOnly": True}
CLAIMS: dict[str, Any] = {
    "iss": "https://yes.example.com",
    "aud": "app_1",
    "owner": "own_1",
    "sub": "apr_1",
    # The receipt's time is ahead of our clock, which does not invalidate the answer.
    "iat": 4_000_000_000,
    "contentHash": content_hash(ASKED),
    "resolution": {"kind": "option", "optionId": "yes", "resolvedBy": "owner", "resolvedAt": 1},
}
WANTED: dict[str, Any] = {
    "issuer": "https://yes.example.com",
    "audience": "app_1",
    "owner": "own_1",
    "approval_id": "apr_1",
    "content": ASKED,
    "jwks": JWKS,
}


def signed(header: dict[str, Any] | None = None, key: Any = KEY, **claims: Any) -> str:
    said = {name: value for name, value in {**CLAIMS, **claims}.items() if value is not None}
    return jwt.encode(said, key, "EdDSA", {"typ": "countersign-receipt+jwt", "kid": "k1", **(header or {})})


def test_verifies_a_receipt() -> None:
    receipt = verify_receipt(signed(), **WANTED)
    assert receipt.yes("yes") and not receipt.yes("no")
    assert receipt.resolution.resolved_by == "owner"


@pytest.mark.parametrize(
    ("jws", "why"),
    [
        (signed(iss="https://evil.example"), "iss does not match"),
        (signed(aud="app_2"), "aud does not match"),
        (signed(aud=["app_1", "app_2"]), "aud does not match"),
        (signed(owner="own_2"), "owner does not match"),
        (signed(owner=None), "owner does not match"),
        (signed(sub="apr_2"), "sub does not match"),
        (signed(contentHash="sha256:00"), "contentHash does not match"),
        (signed(simulated=True), "simulated"),
        (signed(resolution=None), "no answer"),
        (signed({"typ": "JWT"}), "not a receipt"),
        (signed({"kid": "k2"}), "does not publish"),
        (signed(key=Ed25519PrivateKey.generate()), "signature"),
        (signed()[:-8] + "AAAAAAAA", "signature|compact"),
        ("not.a.receipt", "compact"),
        (jwt.encode(CLAIMS, "s" * 32, "HS256", {"typ": "countersign-receipt+jwt", "kid": "k1"}), "EdDSA"),
        (jwt.encode(CLAIMS, "", "none", {"typ": "countersign-receipt+jwt", "kid": "k1"}), "EdDSA"),
    ],
)
def test_rejects_an_invalid_receipt(jws: str, why: str) -> None:
    with pytest.raises(VerificationError, match=why):
        verify_receipt(jws, **WANTED)


def test_applies_each_receipt_check() -> None:
    assert verify_receipt(signed(simulated=True), **WANTED, allow_simulated=True).simulated
    assert verify_receipt(signed(owner=None), **WANTED, accept_without_owner=True).owner is None
    with pytest.raises(VerificationError, match="owner does not match"):
        verify_receipt(signed(owner="own_2"), **WANTED, accept_without_owner=True)
    unsaid: dict[str, Any] = {**WANTED, "approval_id": None, "content": None}
    with pytest.raises(TypeError, match="Pass at least one of"):
        verify_receipt(signed(), **unsaid)
    unsaid = {**WANTED, "owner": ""}
    with pytest.raises(TypeError, match="owner"):
        verify_receipt(signed(), **unsaid)


VALUES: dict[str, Any] = {"amount": {"amount": "86.40", "currency": "EUR"}, "when": "2026-12-01", "retries": 1}


@pytest.mark.parametrize(
    "values",
    [
        {**VALUES, "amount": {"amount": "86.41", "currency": "EUR"}},
        {**VALUES, "amount": {"amount": "86.40", "currency": "USD"}},
        {**VALUES, "retries": True},
        {**VALUES, "express": True},
        {"when": "2026-12-01"},
        {},
    ],
)
def test_accepts_only_exactly_the_values_that_the_owner_allowed(values: dict[str, Any]) -> None:
    receipt = verify_receipt(signed(resolution={**CLAIMS["resolution"], "values": VALUES}), **WANTED)
    assert receipt.yes("yes") and receipt.yes("yes", {**VALUES, "retries": 1.0})
    assert not receipt.yes("yes", values) and not receipt.yes("no", VALUES)
    assert not verify_receipt(signed(), **WANTED).yes("yes", VALUES)


def test_rejects_a_receipt_for_other_fields() -> None:
    when = {"type": "string", "format": "date", "default": "2026-12-01"}

    def asked(field: Any) -> Any:
        return {**ASKED, "fields": {"type": "object", "properties": {"when": field}}}

    jws = signed(contentHash=content_hash(asked(when)))
    assert verify_receipt(jws, **{**WANTED, "content": asked(when)}).yes("yes")
    others: list[Any] = [ASKED, asked({**when, "default": "2026-12-02"}), asked({"type": "string"})]
    for other in others:
        with pytest.raises(VerificationError, match="contentHash"):
            verify_receipt(jws, **{**WANTED, "content": other})


IAT = 1_795_000_000
KEY_NOW: dict[str, Any] = JWKS["keys"][0]


def verified(jwks: Any, received_at: Any = None, iat: Any = IAT) -> str:
    try:
        verify_receipt(signed(iat=iat), **{**WANTED, "jwks": jwks}, received_at=received_at)
    except VerificationError as refused:
        return str(refused)
    return "accepted"


@pytest.mark.parametrize("trusted", [[], [KEY_NOW]])
def test_rejects_receipts_of_a_revoked_key(trusted: list[Any]) -> None:
    revoked = {**KEY_NOW, "revoked": {"revoked_at": IAT + 60, "reason": "compromised"}}
    for jwks in ({"keys": trusted, "revoked_keys": [revoked]}, {"keys": [revoked]}):
        assert "others may have had the key since 2026-11-18T" in verified(jwks)
        assert "Get the receipt from the service again" in verified(jwks, (IAT + 60) * 1000)
        assert verified(jwks, (IAT + 60) * 1000 - 1) == "accepted"
        assert verified(jwks, datetime.fromtimestamp(IAT + 59, timezone.utc)) == "accepted"
    for unknown in ({}, {"revoked_at": "soon"}, None):
        jwks = {"keys": trusted, "revoked_keys": [{**KEY_NOW, "revoked": unknown}]}
        assert "others may have had the key. Get" in verified(jwks, (IAT + 1) * 1000)
    with pytest.raises(TypeError, match="time zone"):
        verified(JWKS, datetime.fromtimestamp(IAT))


def test_rejects_receipts_with_impossible_times() -> None:
    ended = {"keys": [{**KEY_NOW, "exp": IAT}]}
    assert verified(ended) == "accepted"
    assert "later than the end of its key" in verified(ended, iat=IAT + 1)
    assert "later than the end of its key" in verified(ended, iat=None)
    started = {"keys": [{**KEY_NOW, "nbf": IAT + 1000}]}
    assert verified(started, (IAT + 701) * 1000) == "accepted"
    assert "later than received_at" in verified(started, (IAT + 600) * 1000)
    assert "later than this computer's time" in verified({"keys": [{**KEY_NOW, "nbf": 4_000_000_000}]})
    assert "answer is later than received_at" in verified(JWKS, (IAT - 301) * 1000)
    assert verified(JWKS, (IAT - 300) * 1000) == "accepted"
