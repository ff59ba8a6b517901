from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from time import time
from typing import Any, cast

import httpx

from ._content import chose_option
from ._content import content_hash as hash_of
from ._errors import VerificationError
from .types import Approval, Json, Resolution, is_simulated


@dataclass(frozen=True)
class Receipt:
    """The claims of a receipt: who answered which question of which app, and how. `iat` is in epoch seconds.

    If a passkey signed the answer, pass `resolution` to `verify_signed_answer`.
    """

    iss: str
    aud: str
    owner: str | None
    sub: str
    iat: int
    content_hash: str
    resolution: Resolution
    simulated: bool
    claims: Json

    def yes(self, option_id: str, values: Json | None = None) -> bool:
        """Whether the owner chose this option.

        `values` are all values of the intended action, by field name. The answer must
        have exactly these values. Without `values`, any values count, so read them from
        `resolution.values`.
        """
        return chose_option(self.resolution, option_id, values)


def verify_receipt(
    jws: str,
    *,
    issuer: str,
    audience: str,
    owner: str,
    approval_id: str | None = None,
    content: Approval | Json | None = None,
    content_hash: str | None = None,
    jwks: Json | None = None,
    jwks_url: str | None = None,
    accept_without_owner: bool = False,
    allow_simulated: bool = False,
    received_at: int | datetime | None = None,
) -> Receipt:
    """Verify a receipt offline, with the service's public keys. Needs
    `countersign-client[receipts]`.

    A receipt proves an answer, but not a particular option: proceed only with
    `receipt.yes(option_id)`. If the option takes fields, pass the values of the
    intended action: `receipt.yes(option_id, values)`. Before an action that may happen
    only once, call `client.approvals.use`. `audience` is the client ID of the app that
    asked. `owner` is the ID of the owner whose answer counts. Give at least one of
    `approval_id`, `content` and `content_hash`, from your own records. By default,
    `jwks` is fetched from `jwks_url`, or from the default URL below the issuer.
    `received_at` is when you got a stored receipt (an aware datetime, or epoch
    milliseconds), from your own records, never from the receipt or an agent. With it,
    the receipt stays valid even if the service later revokes its key. Raises
    VerificationError with the reason.
    """
    try:
        import jwt
    except ImportError as missing:
        raise ImportError("Receipts require PyJWT. Run: pip install 'countersign-client[receipts]'") from missing

    for name, value in (("issuer", issuer), ("audience", audience), ("owner", owner)):
        if not isinstance(value, str) or not value:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{name} must be a string")
    if approval_id is None and content is None and content_hash is None:
        raise TypeError("Pass at least one of approval_id, content or content_hash")
    try:
        header = jwt.get_unverified_header(jws)
    except jwt.InvalidTokenError as wrong:
        raise VerificationError("The receipt is not a compact JWS") from wrong
    if header.get("alg") != "EdDSA" or "crit" in header:
        raise VerificationError("The receipt is not signed with EdDSA")
    if header.get("typ") != "countersign-receipt+jwt":
        raise VerificationError("The token is not a receipt")
    received = _seconds(received_at)
    published = jwks if jwks is not None else _fetch(jwks_url or f"{issuer.rstrip('/')}/.well-known/jwks.json")
    key = _find_key(published, header.get("kid"), received)
    try:
        # The exact claims are checked below.
        unchecked = {"verify_aud": False, "verify_iss": False, "verify_sub": False, "verify_iat": False}
        known = jwt.PyJWK(dict(key), "EdDSA")
        claims: dict[str, Any] = jwt.decode(jws, known, algorithms=["EdDSA"], options=cast("Any", unchecked))
    except jwt.InvalidSignatureError as wrong:
        raise VerificationError("The receipt's signature is invalid") from wrong
    except jwt.PyJWTError as wrong:
        raise VerificationError("The receipt is not a compact JWS") from wrong
    _check_times(key, claims.get("iat"), received)
    wanted: dict[str, str | None] = {
        "iss": issuer,
        "aud": audience,
        "owner": owner if "owner" in claims or not accept_without_owner else None,
        "sub": approval_id,
        "contentHash": content_hash,
    }
    for claim, must in wanted.items():
        if must is not None and claims.get(claim) != must:
            raise VerificationError(f"The receipt's claim {claim} does not match the expected value")
    if content is not None and claims.get("contentHash") != hash_of(content):
        raise VerificationError("The receipt's claim contentHash does not match the expected value")
    resolution = claims.get("resolution")
    if not isinstance(resolution, dict):
        raise VerificationError("The receipt has no answer")
    read = Resolution.of(cast("dict[str, Any]", resolution))
    # Older receipts, which do not name an owner, mark a simulated answer only in the
    # note.
    simulated = bool(claims.get("simulated")) or ("owner" not in claims and is_simulated(read.note))
    if simulated and not allow_simulated:
        raise VerificationError("A simulated owner answered, but allow_simulated is not True")
    return Receipt(
        iss=claims["iss"],
        aud=claims["aud"],
        owner=claims.get("owner"),
        sub=claims["sub"],
        iat=claims["iat"],
        content_hash=claims["contentHash"],
        resolution=read,
        simulated=simulated,
        claims=claims,
    )


_CLOCK_SKEW = 300
"""The number of seconds by which clocks may differ."""


def _seconds(received_at: int | datetime | None) -> float | None:
    if isinstance(received_at, datetime):
        if received_at.tzinfo is None:
            raise TypeError("received_at must have a time zone")
        return received_at.timestamp()
    return None if received_at is None else received_at / 1000


def _find_key(jwks: Json, kid: object, received: float | None) -> Mapping[str, Any]:
    """The key that signed a receipt. Raises VerificationError if the service does not
    publish the key, or revoked it before the verifier received the receipt.

    Someone who has stolen a private key can sign any claims, including a false time.
    Therefore, only the verifier's own record of when it received a receipt can show that
    the receipt is older than the theft.
    """

    def find(keys: list[Mapping[str, Any]]) -> Mapping[str, Any] | None:
        return next((it for it in keys if it.get("kid") == kid and it.get("crv") == "Ed25519"), None)

    distrusted = find(jwks.get("revoked_keys") or [])
    key = distrusted if distrusted is not None else find(jwks["keys"])
    if key is None:
        raise VerificationError("The receipt is signed with a key that the service does not publish")
    revoked: Mapping[str, Any] | None = key.get("revoked")
    if revoked is None and distrusted is None:
        return key
    since = _number((revoked or {}).get("revoked_at"))
    if received is None or since is None or received >= since:
        at = "" if since is None else f" since {_iso(since)}"
        raise VerificationError(
            f"The service revoked the receipt's key, because others may have had the key{at}. Get the receipt from the service again"
        )
    return key


def _check_times(key: Mapping[str, Any], iat: object, received: float | None) -> None:
    """Check that a receipt's times are possible for its key. `iat`, when the approval
    was resolved, may precede the key, because the service signs a receipt whenever it is
    read."""
    seen = time() if received is None else received
    nbf, exp, answered = _number(key.get("nbf")), _number(key.get("exp")), _number(iat)
    if nbf is not None and seen + _CLOCK_SKEW < nbf:
        clock = "this computer's time" if received is None else "received_at"
        raise VerificationError(f"The receipt's key is valid from {_iso(nbf)}, which is later than {clock}")
    if exp is not None and (answered is None or answered > exp):
        raise VerificationError(f"The receipt's answer is later than the end of its key at {_iso(exp)}")
    if received is not None and (answered is None or answered > seen + _CLOCK_SKEW):
        raise VerificationError("The receipt's answer is later than received_at")


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _iso(seconds: float) -> str:
    try:
        return datetime.fromtimestamp(seconds, timezone.utc).isoformat().replace("+00:00", "Z")
    except (OverflowError, OSError, ValueError):
        return str(seconds)


def claimed_owner(jws: str) -> str:
    """Return the owner that a receipt claims, before any verification."""
    import jwt

    try:
        claims: dict[str, Any] = jwt.decode(jws, options={"verify_signature": False})
    except jwt.InvalidTokenError as wrong:
        raise VerificationError("The receipt is not a compact JWS") from wrong
    return str(claims.get("owner"))


def _fetch(url: str) -> Json:
    try:
        reply = httpx.get(url, timeout=10).raise_for_status()
        return cast("Json", reply.json())
    except (httpx.HTTPError, ValueError) as failed:
        raise VerificationError(f"Could not read the service's keys: {failed}") from failed
