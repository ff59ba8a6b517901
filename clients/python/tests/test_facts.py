"""Tests for the facts that a gate derives from a call's arguments."""

from collections.abc import Mapping
from typing import Any

import pytest
from fake_service import Service, gate

from countersign import FactRequest
from countersign.gate import ToolCall


def facts_of(arguments: Mapping[str, Any]) -> object:
    service = Service()
    gate(service).decide(ToolCall("call_1", "pay", arguments))
    return service.asked.get("facts")


def test_converts_arguments_to_facts_with_labels() -> None:
    assert facts_of({"to": "Ada", "amount": 86.4, "deep": {"b": 1, "a": ["x"]}, "none": None, "yes": True}) == [
        {"label": "amount", "value": "86.4"},
        {"label": "deep", "value": '{"a":["x"],"b":1}'},
        {"label": "none", "value": "null"},
        {"label": "to", "value": "Ada"},
        {"label": "yes", "value": "true"},
    ]


def test_sends_no_facts_for_a_call_without_arguments() -> None:
    assert facts_of({}) is None


def test_limits_facts_to_six_short_arguments() -> None:
    facts = facts_of({name: "\U0001f642" * 300 for name in "abcdefgh"})
    assert facts == [{"label": name, "value": "\U0001f642" * 199 + "…"} for name in "abcdef"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("", '""'),
        (" \n", '" \\n"'),
        ("\u200b", '"\\u200b"'),
        ("\u3164", '"\u3164"'),
        ("a\nb\tc", "a b c"),
        ("pay \u202e001$", "pay \\u202e001$"),
        ("a\0b", "a\\u0000b"),
        ("a" + "\u0301" * 4, "a" + "\\u0301" * 4),
    ],
)
def test_shows_invisible_characters_as_escapes(value: str, shown: str) -> None:
    assert facts_of({"a": value}) == [{"label": "a", "value": shown}]


def test_accepts_a_function_that_returns_facts() -> None:
    def tool(call: ToolCall) -> list[FactRequest]:
        return [{"label": "Tool", "value": call.name}]

    service = Service()
    gate(service, facts=tool).decide(ToolCall("call_1", "pay", {"amount": 1}))
    assert service.asked["facts"] == [{"label": "Tool", "value": "pay"}]
