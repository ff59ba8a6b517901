import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from countersign import canonical_json, content_hash

CONTENTS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "signed_answers.json").read_text("utf-8"))["contents"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        # The examples of RFC 8785, appendix B.
        (0.0, "0"),
        (-0.0, "0"),
        (5e-324, "5e-324"),
        (-1.7976931348623157e308, "-1.7976931348623157e+308"),
        (9007199254740992.0, "9007199254740992"),
        (295147905179352830000.0, "295147905179352830000"),
        (9.999999999999997e22, "9.999999999999997e+22"),
        (1e23, "1e+23"),
        (999999999999999700000.0, "999999999999999700000"),
        (1e21, "1e+21"),
        (9.999999999999997e-7, "9.999999999999997e-7"),
        (0.000001, "0.000001"),
        (333333333.3333332, "333333333.3333332"),
        (-0.0000033333333333333333, "-0.0000033333333333333333"),
        (1.0, "1"),
        (100, "100"),
        (12.5, "12.5"),
        ({"b": [True, None], "a": "ä\n\u2028"}, '{"a":"ä\\n\u2028","b":[true,null]}'),
        # Keys are sorted by UTF-16 code units: an emoji's surrogates sort before
        # U+FB33.
        ({"\ufb33": 1, "\U0001f600": 2}, '{"\U0001f600":2,"\ufb33":1}'),
    ],
)
def test_writes_canonical_json_as_in_rfc_8785(value: object, text: str) -> None:
    assert canonical_json(value) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800", {1, 2}])
def test_rejects_values_that_json_cannot_hold(value: object) -> None:
    with pytest.raises(ValueError):
        canonical_json(value)


def test_hashes_content_without_facts_like_earlier_versions() -> None:
    options = [
        {"id": "ship", "label": "Ship now"},
        {"id": "wait", "label": "Wait for the soak test", "note": "Ends at 18:00"},
    ]
    asked = {"question": "Ship build 418 to production?", "options": options}
    old = "sha256:d4018122bda266e3431208bba5ab72ce384ea7d16eeea4e040dfd5e3a2624da1"
    assert content_hash(asked) == content_hash({**asked, "facts": []}) == old


def test_hashes_facts_in_their_order() -> None:
    asked = {"question": "Pay?", "options": [{"id": "yes", "label": "Yes"}]}
    facts = [{"value": "86.40 €", "label": "Amount"}, {"label": "To", "value": '"Ada"'}]
    text = '{"facts":[{"label":"Amount","value":"86.40 €"},{"label":"To","value":"\\"Ada\\""}],'
    text += '"options":[{"id":"yes","label":"Yes"}],"question":"Pay?"}'
    assert content_hash({**asked, "facts": facts}) == f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def test_hashes_only_the_content_of_a_question() -> None:
    asked = {"question": "Ship?", "options": [{"id": "yes", "label": "Yes"}]}
    read = {**asked, "status": "pending", "clientId": "app_1", "ownerOnly": False, "additions": []}
    assert content_hash(asked) == content_hash(read)
    assert content_hash(asked) != content_hash({**asked, "ownerOnly": True})


def test_hashes_once_only_if_true() -> None:
    asked = {"question": "Pay?", "options": [{"id": "yes", "label": "Yes"}], "ownerOnly": True}
    text = '{"once":true,"options":[{"id":"yes","label":"Yes"}],"ownerOnly":true,"question":"Pay?"}'
    assert content_hash({**asked, "once": True}) == f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
    assert content_hash({**asked, "once": False}) == content_hash(asked)


@pytest.mark.parametrize("shared", CONTENTS, ids=[it["name"] for it in CONTENTS])
def test_computes_the_same_hash_as_every_client(shared: dict[str, Any]) -> None:
    assert content_hash(shared["content"]) == f"sha256:{hashlib.sha256(shared['canonical'].encode()).hexdigest()}"


def test_hashes_fields_whatever_the_order_of_their_keys() -> None:
    amount = {"type": "object", "format": "money", "currency": "EUR", "default": {"currency": "EUR", "amount": "86.40"}}
    rate = {"type": "number", "minimum": 1e-6, "maximum": 1e15, "default": 0.1 + 0.2}
    asked = {
        "question": "Ship?",
        "fields": {"type": "object", "required": ["rate"], "properties": {"rate": rate, "Zebra": {"type": "boolean"}, "amount": amount}},
        "options": [{"label": "Pay", "id": "pay", "fields": True}, {"id": "no", "label": "No", "fields": False}],
    }
    text = '{"fields":{"properties":{"Zebra":{"type":"boolean"},"amount":{"currency":"EUR","default":{"amount":"86.40","currency":"EUR"},'
    text += '"format":"money","type":"object"},"rate":{"default":0.30000000000000004,"maximum":1000000000000000,"minimum":0.000001,'
    text += '"type":"number"}},"required":["rate"],"type":"object"},"options":[{"fields":true,"id":"pay","label":"Pay"},'
    text += '{"id":"no","label":"No"}],"question":"Ship?"}'
    assert content_hash(asked) == f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
