from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from urllib.parse import urlsplit

from ._assertions import verify_assertion
from ._content import canonical_json, chose_option
from ._content import content_hash as hash_of
from ._errors import VerificationError
from .types import Approval, Json, OwnerKey, Resolution


@dataclass(frozen=True)
class SignedAnswer:
    """An answer that the owner's passkey signed.

    `synced` is whether the passkey can be synced to other devices of the owner. Store
    `counter` as the next `last_counter`. `offered_at` is when the service offered the
    statement for signing, in epoch milliseconds.
    """

    credential_id: str
    synced: bool
    counter: int
    offered_at: int
    resolution: Resolution

    def yes(self, option_id: str, values: Json | None = None) -> bool:
        """Whether the owner chose this option.

        `values` are all values of the intended action, by field name. The answer must
        have exactly these values. Without `values`, any values count.
        """
        return chose_option(self.resolution, option_id, values)


def verify_signed_answer(
    resolution: Resolution | Json,
    *,
    issuer: str,
    owner: str,
    app: str,
    approval_id: str,
    keys: Sequence[OwnerKey | Json],
    content: Approval | Json | None = None,
    content_hash: str | None = None,
    rp_id: str | None = None,
    origins: Sequence[str] | None = None,
    asked_at: int | datetime | None = None,
    accept_new_keys: bool = False,
    last_counter: int = 0,
) -> SignedAnswer:
    """Verify that the owner's passkey signed exactly this answer. Needs
    `countersign-client[receipts]`, and no network.

    The proof depends only on the owner's pinned `keys`, from `client.owner_keys()`, and
    not on the service or its operator. A valid signature can be of any answer: proceed
    only with `signed.yes(option_id)`. If the option takes fields, pass the values of the
    intended action. Before an action that may happen only once, call
    `client.approvals.use`. Take every expected value from your own records. `app` is the
    client ID of the app that asked. Give `content`, `content_hash` or both. `rp_id` and
    `origins` default to the host and the origin of `issuer`. `asked_at` is when you asked
    (an aware datetime, or epoch milliseconds). A passkey that was added later is
    rejected, because the operator may have added it. It is required unless
    `accept_new_keys` is True. `last_counter` is the last counter that you stored for this
    passkey. After a counter above 0, only a higher one is accepted. Raises
    VerificationError with the reason.
    """
    for name, value in (("issuer", issuer), ("owner", owner), ("app", app), ("approval_id", approval_id)):
        if not isinstance(value, str) or not value:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{name} must be a string")
    if content is None and content_hash is None:
        raise TypeError("Pass at least one of content or content_hash")
    if asked_at is None and accept_new_keys is not True:
        raise TypeError("Pass asked_at, or set accept_new_keys to True")
    if isinstance(origins, str):
        raise TypeError("origins must be a sequence of strings")
    try:
        answer = resolution if isinstance(resolution, Resolution) else Resolution.of(resolution)
    except KeyError as wrong:
        raise VerificationError("The answer is malformed") from wrong
    if answer.resolved_by != "owner":
        raise VerificationError("The owner did not give this answer")
    signature = answer.signature
    if signature is None:
        raise VerificationError("The answer has no signature of a passkey")
    statement = _parse_statement(signature.statement)
    for name, value in (("issuer", issuer), ("owner", owner), ("app", app)):
        if statement[name] != value:
            raise VerificationError(f"The signed statement's {name} does not match the expected value")
    hashes = [it for it in (content_hash, None if content is None else hash_of(content)) if it is not None]
    for expected in hashes:
        _check_entry(statement, answer, approval_id, expected)
    offered_at: int = statement["offeredAt"]
    key = _pinned_key(keys, signature.credential_id, offered_at, _milliseconds(asked_at), accept_new_keys)
    counter, synced = verify_assertion(
        signature,
        challenge=hashlib.sha256(signature.statement.encode()).digest(),
        origins=[_origin(issuer)] if origins is None else origins,
        rp_id=urlsplit(issuer).hostname or "" if rp_id is None else rp_id,
        public_key=key.public_key,
    )
    if last_counter != 0 and not counter > last_counter:
        raise VerificationError("The passkey's counter did not increase, so a copy of the passkey may have signed")
    return SignedAnswer(key.credential_id, synced, counter, offered_at, answer)


def _origin(url: str) -> str:
    at = urlsplit(url)
    usual = {"https": 443, "http": 80}.get(at.scheme)
    port = "" if at.port in (None, usual) else f":{at.port}"
    return f"{at.scheme}://{at.hostname}{port}"


def _milliseconds(asked_at: int | datetime | None) -> float | None:
    if not isinstance(asked_at, datetime):
        return asked_at
    if asked_at.tzinfo is None:
        raise TypeError("asked_at must have a time zone")
    return asked_at.timestamp() * 1000


_MEMBERS = ["answers", "app", "issuer", "offeredAt", "owner", "type", "version"]
_ENTRY_MEMBERS = {"approval", "contentHash", "option", "textHash", "values", "noteHash"}
_ABSENT = object()


def _parse_statement(text: str) -> Mapping[str, Any]:
    try:
        value: object = json.loads(text)
        canonical = canonical_json(value) == text
    except (TypeError, ValueError, OverflowError, RecursionError):
        value, canonical = None, False
    if not canonical or not isinstance(value, dict):
        raise VerificationError("The signed statement is not canonical JSON")
    statement = cast("dict[str, Any]", value)
    if statement.get("type") != "countersign-answer":
        raise VerificationError("The signed statement's type is not countersign-answer")
    if not _same(statement.get("version", _ABSENT), 1):
        raise VerificationError("The signed statement's version is not supported")
    # A member that this version does not know could change the meaning.
    if list(statement) != _MEMBERS:
        raise VerificationError("The signed statement is malformed")
    answers, offered_at = statement["answers"], statement["offeredAt"]
    is_time = isinstance(offered_at, int) and not isinstance(offered_at, bool) and abs(offered_at) < 2**53
    if not is_time or not isinstance(answers, list) or not all(isinstance(it, dict) for it in cast("list[object]", answers)):
        raise VerificationError("The signed statement is malformed")
    return statement


def _check_entry(statement: Mapping[str, Any], answer: Resolution, approval_id: str, content_hash: str) -> None:
    """Check that the statement has one entry for the approval, with the content and
    exactly this answer."""
    entries: list[dict[str, Any]] = [it for it in statement["answers"] if it.get("approval") == approval_id]
    if len(entries) != 1:
        raise VerificationError("The signed statement does not have this approval exactly once")
    entry = entries[0]
    if not _ENTRY_MEMBERS.issuperset(entry) or ("option" in entry) == ("textHash" in entry):
        raise VerificationError("The signed statement is malformed")

    def same(name: str, wanted: object, what: str = "answer") -> None:
        if not _same(entry.get(name, _ABSENT), _ABSENT if wanted is None else wanted):
            raise VerificationError(f"The signed statement's {name} does not match the {what}")

    # An empty text counts as absent.
    option, text, note = (None if it == "" else it for it in (answer.option_id, answer.other_text, answer.note))
    same("contentHash", content_hash, "expected value")
    same("option", option if answer.kind == "option" else None)
    same("textHash", _hashed(text) if answer.kind == "other" else None)
    if (text if answer.kind == "option" else option) is not None:
        raise VerificationError("The answer has an option and a text, but only one of them is signed")
    same("values", answer.values)
    same("noteHash", _hashed(note))


def _same(one: object, other: object) -> bool:
    """Whether two JSON values are equal. An absent value equals only an absent one."""
    if one is _ABSENT or other is _ABSENT:
        return one is other
    try:
        return canonical_json(one) == canonical_json(other)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return False


def _hashed(text: object) -> str | None:
    if text is None:
        return None
    try:
        return f"sha256:{hashlib.sha256(cast('str', text).encode()).hexdigest()}"
    except (AttributeError, ValueError) as wrong:
        raise VerificationError("The answer is not valid Unicode text") from wrong


def _pinned_key(
    keys: Sequence[OwnerKey | Json], credential_id: str, offered_at: int, asked_at: float | None, accept_new_keys: bool
) -> OwnerKey:
    """The owner's key that may have signed a statement at this time."""
    pinned = (it if isinstance(it, OwnerKey) else OwnerKey.of(it) for it in keys)
    key = next((it for it in pinned if it.credential_id == credential_id), None)
    if key is None:
        raise VerificationError("The passkey is not one of the owner's keys")
    # NaN is neither earlier nor later, so each comparison must be true to accept the key.
    if not accept_new_keys and (asked_at is None or not key.since <= asked_at):
        raise VerificationError("The passkey was added after the question was asked")
    # Anyone who has a removed passkey can sign an earlier time, so the verifier's own time counts too.
    if key.until is not None and not (key.until > offered_at and (asked_at is None or key.until > asked_at)):
        raise VerificationError("The passkey was removed before the answer")
    return key
