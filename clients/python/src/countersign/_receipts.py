from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import httpx

from ._content import canonical_json
from ._content import content_hash as hash_of
from ._errors import VerificationError
from .types import Approval, Json, Resolution, is_simulated


@dataclass(frozen=True)
class Receipt:
    """The claims of a receipt: who answered which question of which app, and how. `iat` is in epoch seconds."""

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
        it = self.resolution
        if it.resolved_by != "owner" or it.kind != "option" or it.option_id != option_id:
            return False
        return values is None or canonical_json(it.values or {}) == canonical_json(values)


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
) -> Receipt:
    """Verify a receipt offline, with the service's public keys. Needs
    `countersign[receipts]`.

    A receipt proves an answer, but not a particular option: proceed only with
    `receipt.yes(option_id)`. If the option takes fields, pass the values of the
    intended action: `receipt.yes(option_id, values)`. Before an action that may happen
    only once, call `client.approvals.use`. `audience` is the client ID of the app that
    asked. `owner` is the ID of the owner whose answer counts. Give at least one of
    `approval_id`, `content` and `content_hash`, from your own records. By default,
    `jwks` is fetched from `jwks_url`, or from the default URL below the issuer. Raises
    VerificationError with the reason.
    """
    try:
        import jwt
    except ImportError as missing:
        raise ImportError("Receipts require PyJWT. Run: pip install 'countersign[receipts]'") from missing

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
    keys = (jwks if jwks is not None else _fetch(jwks_url or f"{issuer.rstrip('/')}/.well-known/jwks.json"))["keys"]
    key = next((it for it in keys if it.get("kid") == header.get("kid") and it.get("crv") == "Ed25519"), None)
    if key is None:
        raise VerificationError("The receipt is signed with a key that the service does not publish")
    try:
        # The exact claims are checked below.
        unchecked = {"verify_aud": False, "verify_iss": False, "verify_sub": False, "verify_iat": False}
        known = jwt.PyJWK(dict(cast("Mapping[str, Any]", key)), "EdDSA")
        claims: dict[str, Any] = jwt.decode(jws, known, algorithms=["EdDSA"], options=cast("Any", unchecked))
    except jwt.InvalidSignatureError as wrong:
        raise VerificationError("The receipt's signature is invalid") from wrong
    except jwt.PyJWTError as wrong:
        raise VerificationError("The receipt is not a compact JWS") from wrong
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
