"""Tests for the gate between a model and its tools."""

from typing import Any

import anyio
import pytest
from fake_service import Service, async_gate, gate

from countersign import CountersignError, ToolNotRunError, VerificationError
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
    assert first.begin(CALL).approved and len(service.use_keys) == 1
    for again in (gate(service).decide(CALL), first.begin(CALL)):
        assert not again.approved and "not run again" in again.reason
    first.report(CALL.id, "done", "Wiped\x00 it")
    first.report(CALL.id, "done", "once more")
    first.report("call_of_another", "done")
    assert service.outcomes == [{"status": "started"}, {"status": "done", "text": "Wiped  it"}]


def test_does_not_run_a_call_after_the_program_died_between_use_and_run() -> None:
    service = Service()
    assert gate(service).begin(CALL).approved
    # The service has no outcome, as if the program died right after the use.
    service.outcomes = []
    ran: list[str] = []
    with pytest.raises(ToolNotRunError, match="An earlier attempt at this call may have taken effect") as stopped:
        gate(service).run(CALL, lambda: ran.append("wipe"))
    assert stopped.value.id == "apr_1" and ran == [] and service.outcomes == []


def test_runs_a_call_once_if_two_programs_have_the_approval() -> None:
    service = Service()
    first, second = gate(service), gate(service)
    assert first.decide(CALL).approved and second.decide(CALL).approved
    assert first.begin(CALL).approved
    refused = second.begin(CALL)
    assert not refused.approved and "may have taken effect" in refused.reason and len(service.use_keys) == 1
    assert second.begin_approved("call_of_another") is None


def test_does_not_run_a_call_whose_approval_was_withdrawn() -> None:
    service = Service()
    early = gate(service, once=True)
    assert early.decide(CALL).approved and service.asked["once"] is True
    service.withdrawn = True
    for late in (early.begin(CALL), gate(service, once=True).begin(CALL)):
        assert not late.approved and late.reason == "The owner withdrew the approval of this call."
    assert service.use_keys == [] and service.outcomes == []


def test_runs_a_call_even_if_its_reports_fail() -> None:
    service = Service()
    service.reports_fail = True
    assert gate(service).run(CALL, lambda: "wiped") == "wiped"
    assert len(service.use_keys) == 1 and service.outcomes == []


def test_raises_another_refusal_of_the_use() -> None:
    service = Service()
    it = gate(service)
    assert it.decide(CALL).approved
    service.asked = {**service.asked, "question": "Another?"}
    with pytest.raises(CountersignError) as refused:
        it.begin(CALL)
    assert refused.value.reason == "content_mismatch"


def test_reports_a_failed_call() -> None:
    def fail() -> None:
        raise OSError("It is away")

    service = Service()
    with pytest.raises(OSError, match="away"):
        gate(service).run(CALL, fail)
    assert service.outcomes[-1] == {"status": "failed", "text": "OSError('It is away')"}


def test_runs_an_async_call_once() -> None:
    async def work() -> None:
        async def wipe() -> str:
            return "wiped"

        service = Service()
        assert await async_gate(service).run(CALL, wipe) == "wiped"
        assert [it["status"] for it in service.outcomes] == ["started", "done"]
        with pytest.raises(ToolNotRunError):
            await async_gate(service).run(CALL, wipe)

    anyio.run(work)


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


PAY = ToolCall(
    "call_1",
    "pay",
    {"amount": 86.4, "count": 3, "rush": False, "to": "Ada", "cc": ["x"], "hidden": "a\u202eb", "a b": 1, "whole": 5.0},
)
ALLOWED = {"amount": 80, "count": 2, "rush": True, "to": "Grace", "whole": 6}


def test_asks_for_the_editable_arguments() -> None:
    service = Service()
    service.resolution["values"] = ALLOWED
    decision = gate(service, edits=True).decide(PAY)
    assert service.asked["fields"] == {
        "type": "object",
        "properties": {
            "amount": {"type": "number", "default": 86.4},
            "count": {"type": "integer", "default": 3},
            "rush": {"type": "boolean", "default": False},
            "to": {"type": "string", "default": "Ada"},
            "whole": {"type": "number", "default": 5.0},
        },
        "required": ["amount", "count", "rush", "to", "whole"],
    }
    assert service.asked["options"][0]["fields"] is True and "fields" not in service.asked["options"][1]
    assert [it["label"] for it in service.asked["facts"]] == ["a b", "cc", "hidden"]
    assert decision.arguments == {**PAY.arguments, **ALLOWED}
    # A number stays a float, although its JSON is the integer's.
    assert isinstance(decision.arguments["amount"], float) and isinstance(decision.arguments["count"], int)
    assert decision.edit({"amount": "old", "added": 1}) == {**ALLOWED, "added": 1}


def test_keeps_blank_texts_and_arguments_whose_names_look_alike() -> None:
    service = Service()
    service.resolution["values"] = allowed = {"item5": 3, "leam": 3, "user__id": 3}
    given = {"blank": " \n", "empty": "", "item5": 1, "items": 2, "leam": 2, "learn": 1, "user__id": 2, "user_id": 1}
    decision = gate(service, edits=True).decide(ToolCall("call_1", "pay", given))
    assert list(service.asked["fields"]["properties"]) == list(allowed)
    assert decision.arguments == {**given, **allowed}


def same(arguments: Any) -> Any:
    return arguments


def test_runs_a_call_with_the_allowed_arguments() -> None:
    async def work() -> None:
        async def pay(arguments: Any) -> Any:
            return arguments

        service = Service()
        service.resolution["values"] = ALLOWED
        assert await async_gate(service, edits=True).run(PAY, pay) == {**PAY.arguments, **ALLOWED}

    service = Service()
    service.resolution["values"] = ALLOWED
    assert gate(service, edits=True).run(PAY, same) == {**PAY.arguments, **ALLOWED}
    anyio.run(work)


def test_asks_for_the_fields_of_a_function() -> None:
    amount: Any = {"type": "object", "format": "money", "currency": "EUR"}
    fields: Any = {"type": "object", "properties": {"amount": amount, "to": {"type": "string"}}}

    def with_fields(_: ToolCall) -> Any:
        return fields

    service = Service()
    service.resolution["values"] = {"amount": {"amount": "80.00", "currency": "EUR"}}
    decision = gate(service, edits=with_fields).decide(PAY)
    assert service.asked["fields"] == fields
    # The owner left the optional recipient empty.
    assert decision.arguments["amount"] == {"amount": "80.00", "currency": "EUR"} and "to" not in decision.arguments


def no_fields(_: ToolCall) -> None:
    return None


@pytest.mark.parametrize("edits", [False, True, no_fields])
def test_keeps_a_call_without_editable_arguments(edits: Any) -> None:
    service = Service()
    call = ToolCall("call_1", "pay", {"lines": [{"amount": 1}]})
    assert gate(service, edits=edits).decide(call).arguments == call.arguments
    assert "fields" not in service.asked
