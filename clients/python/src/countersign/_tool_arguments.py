"""How a question shows a tool call's arguments."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from .types import FactRequest


def facts_of(arguments: Mapping[str, Any]) -> Sequence[FactRequest]:
    """The first six arguments by name. Each is one line and may be truncated. The
    background has all arguments in full."""
    names = sorted(arguments)[:6]
    return [{"label": _line(name, 80), "value": _line(arguments[name], 200)} for name in names]


def _line(value: object, limit: int) -> str:
    """A value on one line, without invisible characters. Text without a visible
    character is quoted."""
    text = value if isinstance(value, str) and any(map(_visible, value)) else _json(value)
    line = _unhidden(" ".join(text.split()))
    return f"{line[: limit - 1]}…" if len(line) > limit else line


def _visible(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "LNPS" and letter not in "\u115f\u1160\u2800\u3164\uffa0\U0001d159"


def _json(value: object, indent: int | None = None) -> str:
    separators = (",", ":") if indent is None else None
    return json.dumps(
        value, indent=indent, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=separators
    )


def shown(arguments: Mapping[str, Any]) -> str:
    """The arguments as stable JSON, without invisible characters."""
    return _unhidden(_json(arguments, indent=2))


def _unhidden(text: str) -> str:
    """The text with its invisible characters written as `\\u…`, except newlines."""
    # Stacked combining marks would cover adjacent text.
    marks = "".join("m" if unicodedata.category(it) in ("Mn", "Me") else "." for it in text)
    covered = {at for run in re.finditer("m{4,}", marks) for at in range(*run.span())}
    return "".join(_escaped(it) if at in covered or _unseen(it) else it for at, it in enumerate(text))


def _unseen(letter: str) -> bool:
    return letter != "\n" and (unicodedata.category(letter)[0] == "C" or letter in "\u2028\u2029")


def _escaped(letter: str) -> str:
    return json.dumps(letter)[1:-1] if letter > "\x7f" else f"\\u{ord(letter):04x}"
