from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, cast

from .types import Approval, Json, Resolution


def canonical_json(value: object) -> str:
    """Canonical JSON (RFC 8785): each value has one spelling, so its hash is the same everywhere.

    Raises ValueError for values that JSON cannot hold: a number that is not finite, an unpaired surrogate.
    """
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, str):
        value.encode()  # UnicodeEncodeError, a ValueError, for an unpaired surrogate
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        return str(value) if abs(value) < 2**53 else _number(float(value))
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, (list, tuple)):
        return f"[{','.join(canonical_json(it) for it in cast('list[object]', value))}]"
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, object]", value)
        # Keys are sorted by UTF-16 code units, as RFC 8785 requires.
        names = sorted(fields, key=lambda name: name.encode("utf-16-be"))
        return f"{{{','.join(f'{canonical_json(name)}:{canonical_json(fields[name])}' for name in names)}}}"
    raise ValueError(f"Can't encode a value of type {type(value).__name__} as JSON")


def _number(value: float) -> str:
    """Format a number as ECMAScript does."""
    if not math.isfinite(value):
        raise ValueError(f"Can't encode {value} as JSON")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    written, exponent = Decimal(repr(abs(value))).as_tuple()[1:]
    digits = "".join(map(str, written))
    # The value is 0.DIGITS times ten to the power of `point`.
    point = len(digits) + int(exponent)
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return f"{sign}{digits}{'0' * (point - count)}"
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    power = point - 1
    return f"{sign}{digits[0]}{f'.{digits[1:]}' if count > 1 else ''}e{'+' if power > 0 else '-'}{abs(power)}"


def content_hash(content: Approval | Json) -> str:
    """Return the hash of a question: `sha256:` and 64 hex digits. It equals the
    service's `contentHash`.

    Accepts an approval as it was read, or a request body in the API's spelling.
    """
    asked = content.raw if isinstance(content, Approval) else content
    held: dict[str, Any] = {
        name: asked[name]
        for name in ("question", "backgroundContext", "recommendation", "expiresAt", "defaultOptionId", "risk")
        if asked.get(name) is not None
    }
    held["options"] = [
        {name: it[name] for name in ("id", "label", "note", "style") if it.get(name) is not None}
        | ({"fields": True} if it.get("fields") is True else {})
        for it in asked["options"]
    ]
    # The service counts empty fields as absent.
    if asked.get("fields"):
        held["fields"] = asked["fields"]
    if asked.get("facts"):
        held["facts"] = [{"label": it["label"], "value": it["value"]} for it in asked["facts"]]
    # The service turns on ownerOnly for a question that requires a signature.
    signed_by_owner = asked.get("signedByOwner")
    if asked.get("ownerOnly") is True or signed_by_owner is True or signed_by_owner == "in-lens":
        held["ownerOnly"] = True
    if asked.get("once") is True:
        held["once"] = True
    if signed_by_owner:
        held["signedByOwner"] = signed_by_owner
    if asked.get("additions"):
        held["additions"] = [{"text": it["text"], "createdAt": it["createdAt"]} for it in asked["additions"]]
    return f"sha256:{hashlib.sha256(canonical_json(held).encode()).hexdigest()}"


def chose_option(answer: Resolution, option_id: str, values: Json | None) -> bool:
    """Whether the owner chose this option, with exactly these values if they are given."""
    if answer.resolved_by != "owner" or answer.kind != "option" or answer.option_id != option_id:
        return False
    return values is None or canonical_json(answer.values or {}) == canonical_json(values)
