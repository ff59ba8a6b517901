import base64
import builtins
import hashlib
import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from webauthn import verify_authentication_response
from webauthn.helpers.exceptions import WebAuthnException

from countersign import OwnerKeys, Resolution, VerificationError, verify_signed_answer

FILE: dict[str, Any] = json.loads((Path(__file__).parent / "signed_answers.json").read_text("utf-8"))
VECTORS: list[dict[str, Any]] = FILE["vectors"]
NAMES = {
    "approvalId": "approval_id",
    "contentHash": "content_hash",
    "rpId": "rp_id",
    "askedAt": "asked_at",
    "acceptNewKeys": "accept_new_keys",
    "lastCounter": "last_counter",
}


def named(name: str) -> dict[str, Any]:
    return next(it for it in VECTORS if it["name"] == name)


def checks_of(vector: dict[str, Any]) -> dict[str, Any]:
    """The checks of a vector. None omits a check."""
    given: dict[str, Any] = {**FILE["checks"], **vector["checks"]}
    return {NAMES.get(name, name): value for name, value in given.items() if value is not None}


ES256 = named("a signature with ES256")
CHECKS = checks_of(ES256)


def verdict(resolution: Any, checks: dict[str, Any]) -> str:
    try:
        verify_signed_answer(resolution, **checks)
    except VerificationError as refused:
        return str(refused)
    return "accepted"


@pytest.mark.parametrize("vector", VECTORS, ids=[it["name"] for it in VECTORS])
def test_verifies_the_vector(vector: dict[str, Any]) -> None:
    said = verdict(vector["resolution"], checks_of(vector))
    assert vector.get("refused", "accepted") in said[0].lower() + said[1:]


def test_returns_the_signed_facts() -> None:
    vector = named("an increased counter")
    signed = verify_signed_answer(Resolution.of(vector["resolution"]), **checks_of(vector))
    assert signed.credential_id == vector["resolution"]["signature"]["credentialId"]
    assert (signed.counter, signed.synced, signed.offered_at) == (8, False, 1_795_000_060_000)
    values = {"rate": 0.5, "amount": {"amount": "86.40", "currency": "EUR"}}
    assert signed.yes("pay") and signed.yes("pay", values)
    assert not signed.yes("keep") and not signed.yes("pay", {**values, "rate": 1})
    synced = verify_signed_answer(named("a passkey that can be synced")["resolution"], **CHECKS)
    assert synced.synced


@pytest.mark.parametrize("note", ["\ud800", "a\udc00b", 7])
def test_rejects_texts_that_utf_8_cannot_encode(note: Any) -> None:
    assert verdict({**ES256["resolution"], "note": note}, CHECKS) == "The answer is not valid Unicode text"


@pytest.mark.parametrize("name", ["a signature with ES256", "a signature with Ed25519", "a signature with RS256"])
@pytest.mark.parametrize("member", ["statement", "authenticatorData", "clientDataJSON", "signature"])
def test_rejects_a_signed_answer_after_a_change_of_any_byte(name: str, member: str) -> None:
    resolution = named(name)["resolution"]
    text: str = resolution["signature"][member]
    data = text.encode() if member == "statement" else base64.urlsafe_b64decode(text + "==")
    accepted: list[tuple[int, int]] = []
    for at in range(len(data)):
        for mask in (0x01, 0x20, 0x80, 0xFF):
            altered = bytearray(data)
            altered[at] ^= mask
            value = altered.decode("utf-8", "replace")
            if member != "statement":
                value = base64.urlsafe_b64encode(altered).rstrip(b"=").decode()
            other = {**resolution, "signature": {**resolution["signature"], member: value}}
            if verdict(other, CHECKS) == "accepted":
                accepted.append((at, mask))
    assert accepted == []


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"owner": ""}, "owner must be a string"),
        ({"app": None}, "app must be a string"),
        ({"content_hash": None}, "Pass at least one of content or content_hash"),
        ({"asked_at": None}, "Pass asked_at, or set accept_new_keys to True"),
        ({"asked_at": datetime.fromtimestamp(1_795_000_000)}, "asked_at must have a time zone"),
        ({"origins": "https://yes.example.com"}, "origins must be a sequence of strings"),
        ({"approvalId": "apr_1"}, "approvalId"),
    ],
)
def test_requires_the_checks(other: dict[str, Any], why: str) -> None:
    with pytest.raises(TypeError, match=why):
        verify_signed_answer(ES256["resolution"], **{**CHECKS, **other})


def test_accepts_the_time_of_the_question_as_a_datetime() -> None:
    at = datetime.fromtimestamp(CHECKS["asked_at"] / 1000, timezone.utc)
    assert verdict(ES256["resolution"], {**CHECKS, "asked_at": at}) == "accepted"


@pytest.mark.parametrize("name", ["kind", "resolvedBy", "resolvedAt"])
def test_rejects_an_answer_without_a_member(name: str) -> None:
    without = {key: value for key, value in ES256["resolution"].items() if key != name}
    assert verdict(without, CHECKS) == "The answer is malformed"


def test_rejects_times_and_counters_that_are_not_numbers() -> None:
    nan = float("nan")
    assert "added after the question" in verdict(ES256["resolution"], {**CHECKS, "asked_at": nan})
    assert "counter did not increase" in verdict(ES256["resolution"], {**CHECKS, "last_counter": nan})
    removed = {**CHECKS, "accept_new_keys": True, "keys": [{**CHECKS["keys"][0], "until": 1_795_000_090_000}]}
    assert verdict(ES256["resolution"], removed) == "accepted"
    assert "removed before the answer" in verdict(ES256["resolution"], {**removed, "asked_at": nan})


def test_accepts_parsed_keys() -> None:
    body = {"keys": CHECKS["keys"], "owner": "own_1", "rpId": "yes.example.com", "origins": ["https://yes.example.com"]}
    keys = OwnerKeys.of(body)
    assert keys.raw is body and keys.keys[0].until is None
    checks = {**CHECKS, "keys": keys.keys, "rp_id": keys.rp_id, "origins": keys.origins}
    assert verdict(ES256["resolution"], checks) == "accepted"


def test_explains_a_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name.startswith("cryptography"):
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=r"pip install 'countersign-client\[receipts\]'"):
        verify_signed_answer(ES256["resolution"], **CHECKS)


def library_accepts(vector: dict[str, Any]) -> bool:
    """Whether the package webauthn accepts the assertion."""
    checks, signature = checks_of(vector), vector["resolution"]["signature"]
    response = {name: signature[name] for name in ("authenticatorData", "clientDataJSON", "signature")}
    key = FILE["cose"][signature["credentialId"]]
    try:
        verify_authentication_response(
            credential={"id": signature["credentialId"], "rawId": signature["credentialId"], "type": "public-key", "response": response},
            expected_challenge=hashlib.sha256(signature["statement"].encode()).digest(),
            expected_rp_id=checks.get("rp_id") or str(urlsplit(str(checks["issuer"])).hostname),
            expected_origin=checks.get("origins", [checks["issuer"]]),
            credential_public_key=base64.urlsafe_b64decode(key + "=="),
            credential_current_sign_count=checks.get("last_counter", 0),
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError):
        return False
    return True


COMPARED = [it for it in VECTORS if "assertion" in it and "signature" in it["resolution"]]


@pytest.mark.parametrize("vector", COMPARED, ids=[it["name"] for it in COMPARED])
def test_agrees_with_the_package_webauthn_about_the_assertion(vector: dict[str, Any]) -> None:
    assert library_accepts(vector) == vector["assertion"]
