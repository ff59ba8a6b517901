from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from ._errors import VerificationError
from .types import AnswerSignature, Json

if TYPE_CHECKING:
    from collections.abc import Callable

_PRESENT, _VERIFIED, _CAN_SYNC, _IS_SYNCED, _HAS_MORE = 0x01, 0x04, 0x08, 0x10, 0xC0
"""Flags of the authenticator data (WebAuthn level 3, section 6.1). `_HAS_MORE` are those
of a key and of extensions."""

_HEAD = 37
"""The length of the authenticator data without a key or extensions."""


def verify_assertion(
    assertion: AnswerSignature, *, challenge: bytes, origins: Sequence[str], rp_id: str, public_key: Json
) -> tuple[int, bool]:
    """Verify what a passkey signed (WebAuthn level 3, section 7.2), with user presence
    and user verification. Return the signature counter, and whether the passkey can be
    synced to other devices."""
    try:
        data = _decoded(assertion.authenticator_data)
        client_data = _decoded(assertion.client_data_json)
        signature = _decoded(assertion.signature)
    except ValueError as wrong:
        raise VerificationError("The answer's signature is malformed") from wrong
    _check_client_data(_parsed(client_data), challenge, origins)
    flags, counter = _read_authenticator_data(data, rp_id)
    if not _has_signed(public_key, signature, data + hashlib.sha256(client_data).digest()):
        raise VerificationError("The passkey's signature is invalid")
    return counter, bool(flags & _CAN_SYNC)


def _check_client_data(client: Mapping[str, Any], challenge: bytes, origins: Sequence[str]) -> None:
    if client.get("type") != "webauthn.get":
        raise VerificationError("The client data's type is not webauthn.get")
    if client.get("challenge") != _encoded(challenge):
        raise VerificationError("The client data's challenge is not the hash of the statement")
    origin = client.get("origin")
    if not isinstance(origin, str) or origin not in origins:
        raise VerificationError("The client data's origin is not an expected origin")
    if client.get("crossOrigin", False) is not False:
        raise VerificationError("The passkey signed in a frame of another origin")


def _read_authenticator_data(data: bytes, rp_id: str) -> tuple[int, int]:
    flags = data[32] if len(data) >= _HEAD else 0
    if len(data) < _HEAD or (len(data) > _HEAD) != bool(flags & _HAS_MORE):
        raise VerificationError("The authenticator data is malformed")
    if data[:32] != hashlib.sha256(rp_id.encode()).digest():
        raise VerificationError("The authenticator data is for another RP ID")
    if not flags & _PRESENT:
        raise VerificationError("The passkey did not check that the owner was present")
    if not flags & _VERIFIED:
        raise VerificationError("The passkey did not verify the owner")
    if flags & _IS_SYNCED and not flags & _CAN_SYNC:
        raise VerificationError("The authenticator data is malformed")
    return flags, int.from_bytes(data[33:37], "big")


def _has_signed(jwk: Json, signature: bytes, signed: bytes) -> bool:
    """Whether the key signed the bytes, with the key's algorithm: ES256, Ed25519 or RS256."""
    try:
        from cryptography.exceptions import InvalidSignature
    except ImportError as missing:
        raise ImportError(
            "Signed answers require cryptography. Run: pip install 'countersign-client[receipts]'"
        ) from missing

    try:
        verify = _verifier(jwk)
    except (KeyError, ValueError) as wrong:
        raise VerificationError("The passkey's public key is invalid") from wrong
    try:
        verify(signature, signed)
    except InvalidSignature:
        return False
    return True


def _verifier(jwk: Json) -> Callable[[bytes, bytes], object]:
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
    from cryptography.hazmat.primitives.hashes import SHA256

    def number(name: str) -> int:
        return int.from_bytes(_decoded(jwk[name]), "big")

    kind = (jwk.get("kty"), jwk.get("crv"))
    if kind == ("EC", "P-256"):
        point = ec.EllipticCurvePublicNumbers(number("x"), number("y"), ec.SECP256R1()).public_key()
        return lambda signature, signed: point.verify(signature, signed, ec.ECDSA(SHA256()))
    if kind == ("OKP", "Ed25519"):
        return ed25519.Ed25519PublicKey.from_public_bytes(_decoded(jwk["x"])).verify
    if kind[0] == "RSA":
        modulus = rsa.RSAPublicNumbers(number("e"), number("n")).public_key()
        return lambda signature, signed: modulus.verify(signature, signed, padding.PKCS1v15(), SHA256())
    raise VerificationError("The passkey's public key has an unsupported type")


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decoded(text: object) -> bytes:
    """Decode base64url without padding, in its canonical form only. Raises ValueError."""
    if not isinstance(text, str):
        raise ValueError("The value is not text")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if _encoded(data) != text:
        raise ValueError("The text is not canonical base64url")
    return data


def _refuse(constant: str) -> object:
    """Refuse NaN and Infinity, which Python reads and JSON does not have."""
    raise ValueError(f"{constant} is not JSON")


def _parsed(client_data: bytes) -> Mapping[str, Any]:
    try:
        value: object = json.loads(client_data.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise VerificationError("The client data is not JSON")
    return cast("dict[str, Any]", value)
