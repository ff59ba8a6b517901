"""A tool call's arguments as fields of a question, so that the owner can change the
arguments before approving the call. Nested arguments, blank texts, and values that a
field can't hold stay unchanged."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from .fields import Field, Fields

_MOST = 20
"""The largest number of fields."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
_RESERVED = ("constructor", "prototype")
_LOOKALIKES = str.maketrans("01i58", "ollsb")


def fields_of(arguments: Mapping[str, Any]) -> Fields | None:
    """The editable arguments as required fields, with the proposed values as defaults:
    texts, numbers, integers and booleans. None if no argument is editable."""
    properties: dict[str, Field] = {}
    taken: set[str] = set()
    for name in sorted(arguments):
        field = _field(arguments[name]) if _NAME.fullmatch(name) and name not in _RESERVED else None
        if field is None or _folded(name) in taken or len(taken) == _MOST:
            continue
        taken.add(_folded(name))
        properties[name] = field
    return {"type": "object", "properties": properties, "required": list(properties)} if properties else None


def _folded(name: str) -> str:
    """Fold a field's name like the service, which rejects fields whose labels look alike."""
    letters = name.lower().translate(_LOOKALIKES).replace("rn", "m").replace("vv", "w")
    return re.sub("_+", "_", letters).rstrip("_")


def _field(value: object) -> Field | None:
    if isinstance(value, bool):
        return {"type": "boolean", "default": value}
    if isinstance(value, str):
        # A required field must not be blank, so the owner could not keep a blank text.
        fits = value.strip() and len(value) <= 10_000 and _is_safe(value)
        return {"type": "string", "default": value} if fits else None
    if not isinstance(value, (int, float)) or not (value == 0 or 1e-6 <= abs(value) <= 1e15):
        return None
    if isinstance(value, int):
        return {"type": "integer", "default": value}
    return {"type": "number", "default": value} if math.copysign(1, value) > 0 or value else None


def _is_safe(text: str) -> bool:
    """Whether the service accepts the text's characters as a default."""
    kinds = [unicodedata.category(it) for it in text]
    if any(kind[0] == "C" and it not in "\n\t" or kind in ("Zl", "Zp") for it, kind in zip(text, kinds, strict=True)):
        return False
    return not re.search("m{4}", "".join("m" if kind in ("Mn", "Me") else "." for kind in kinds))


def without_fields(arguments: Mapping[str, Any], fields: Fields | None) -> dict[str, Any]:
    """The arguments that are no fields, which the question shows as facts."""
    names: Mapping[str, Field] = fields["properties"] if fields else {}
    return {name: value for name, value in arguments.items() if name not in names}


def edited(arguments: Mapping[str, Any], fields: Fields, values: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """The arguments with the owner's values. An optional field without a value removes
    its argument."""
    given = {name: values[name] for name in fields["properties"] if values and name in values}
    for name, value in given.items():
        # JSON does not distinguish 3.0 from 3.
        if fields["properties"][name]["type"] == "number":
            given[name] = float(value)
    return {**without_fields(arguments, fields), **given}
