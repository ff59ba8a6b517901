"""Tests for the gate between a model and its tools."""

from typing import Any

import pytest
from fake_service import Service, gate

from countersign import VerificationError
from countersign.gate import ToolCall


@pytest.fixture(autouse=True)
def as_in_production(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COUNTERSIGN_ALLOW_SIMULATED", raising=False)


CALL = ToolCall("call_1", "wipe", {"b": [1, "ä\u202e"], "a": "x\u0301\u0301\u0301\u0301\x7f"})


def test_shows_the_owner_the_whole_call() -> None:
    service = Service()
    assert gate(service, thread="t", risk="high").decide(CALL).approved
    assert service.keys == ['tool:["t","call_1"]']
    assert service.asked["ownerOnly"] is True and service.asked["risk"] == "high"
    marks = "\\u0301" * 4
    lines = ["`wipe` with", "", "```json", "{", f'  "a": "x{marks}\\u007f",']
    lines += ['  "b": [', "    1,", '    "ä\\u202e"', "  ]", "}", "```"]
    assert service.asked["backgroundContext"] == "\n".join(lines)


def test_rejects_a_call_that_has_already_started() -> None:
    service = Service()
    first = gate(service)
    assert first.decide(CALL).approved
    first.report(CALL.id, "started")
    again = gate(service).decide(CALL)
    assert not again.approved and "not run again" in again.reason
    first.report(CALL.id, "done", "Wiped\x00 it")
    first.report(CALL.id, "done", "once more")
    first.report("call_of_another", "done")
    assert service.outcomes == [{"status": "started"}, {"status": "done", "text": "Wiped  it"}]


def test_returns_the_owners_reason_to_the_model() -> None:
    refused = gate(Service("reject")).decide(CALL)
    assert not refused.approved and refused.reason == "The owner did not approve this call. The owner wrote: Soon"
    assert not gate(Service(by="api")).decide(CALL).approved


@pytest.mark.parametrize(
    "signed",
    [
        {"contentHash": "sha256:0"},
        {"sub": "apr_2"},
        {"aud": "app_2"},
        {"iss": "https://evil.example"},
        {"owner": "own_2"},
        {"simulated": True},
        {"resolution": {"kind": "option", "optionId": "reject", "resolvedBy": "owner", "resolvedAt": 2}},
    ],
)
def test_rejects_a_yes_without_a_valid_receipt(signed: dict[str, Any]) -> None:
    with pytest.raises(VerificationError):
        gate(Service(**signed), owner="own_1").decide(CALL)


def test_accepts_a_simulated_yes_only_if_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service(simulated=True)
    service.resolution["note"] = "Simulated: rule 1"
    with pytest.raises(VerificationError, match="simulated"):
        gate(service).decide(CALL)
    assert gate(service, allow_simulated=True).decide(CALL).approved
    monkeypatch.setenv("COUNTERSIGN_ALLOW_SIMULATED", "1")
    assert gate(service).decide(CALL).approved
    with pytest.raises(VerificationError, match="simulated"):
        gate(service, allow_simulated=False).decide(CALL)


def test_accepts_a_yes_only_from_the_expected_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COUNTERSIGN_OWNER", raising=False)
    assert gate(Service(), owner=None).decide(CALL).approved
    monkeypatch.setenv("COUNTERSIGN_OWNER", "own_2")
    with pytest.raises(VerificationError, match="owner does not match"):
        gate(Service(), owner=None).decide(CALL)


def test_rejects_a_call_without_an_id() -> None:
    with pytest.raises(ValueError, match="must have an id"):
        gate(Service()).decide(ToolCall("", "wipe", {}))
