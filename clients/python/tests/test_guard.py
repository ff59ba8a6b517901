"""Tests for an action that only one answer permits."""

from collections.abc import Callable, Mapping
from typing import Any

import anyio
import pytest
from fake_service import Service, async_client, client

from countersign import CountersignError, ExpectedReceipt, NoAnswerError, QuestionRequest, ToolNotRunError
from countersign import VerificationError, async_guard, guard

PAY: QuestionRequest = {
    "question": "Pay?",
    "facts": [{"label": "Amount", "value": "86.40 €"}],
    "options": [{"id": "pay", "label": "Pay"}, {"id": "no", "label": "No"}],
    "owner_only": True,
    "once": True,
    "risk": "high",
}
OWN = ExpectedReceipt(owner="own_1")


def test_runs_an_approved_action_once_and_reports_its_outcome() -> None:
    service, paid = Service("pay"), list[str]()

    def pay() -> str:
        assert len(service.use_keys) == 1 and service.outcomes == [{"status": "started"}]
        paid.append("86.40 €")
        return "Paid"

    assert guard(client(service), PAY, pay, key="invoice-7", option="pay", receipt=OWN) == "Paid"
    assert service.keys == ["invoice-7"] and service.asked["once"] is True
    assert service.outcomes == [{"status": "started"}, {"status": "done"}]
    # A new start finds the used answer, even without an outcome.
    service.outcomes = []
    with pytest.raises(ToolNotRunError, match="may have taken effect") as again:
        guard(client(service), PAY, pay, key="invoice-7", option="pay", receipt=OWN)
    assert again.value.id == "apr_1" and paid == ["86.40 €"]


def refused(service: Service, **more: object) -> list[str]:
    """The action's runs. The caller expects an error."""
    ran = list[str]()
    run: Callable[[], None] = lambda: ran.append("pay")  # noqa: E731
    try:
        guard(client(service), PAY, run, **{"key": "k", "option": "pay", "receipt": OWN, **more})  # type: ignore[arg-type]  # pyright: ignore
    finally:
        assert ran == [] and service.outcomes == []
    return ran


def test_does_not_run_an_action_without_a_valid_answer() -> None:
    with pytest.raises(ToolNotRunError, match="did not approve"):
        refused(Service("no"))
    with pytest.raises(VerificationError, match="owner does not match"):
        refused(Service("pay"), receipt=ExpectedReceipt(owner="own_2"))
    with pytest.raises(VerificationError, match="expected answer"):
        refused(Service("pay", by="api"))
    with pytest.raises(VerificationError, match="simulated"):
        refused(Service("pay", simulated=True), receipt=ExpectedReceipt(owner="own_1", allow_simulated=False))
    with pytest.raises(ValueError, match="must have a key"):
        refused(Service("pay"), key="")
    with pytest.raises(ValueError, match='no option "approve"'):
        refused(Service("pay"), option="approve")
    pending = Service("pay")
    pending.pending = True
    with pytest.raises(NoAnswerError):
        refused(pending, timeout=0)
    withdrawn = Service("pay")
    withdrawn.withdrawn = True
    with pytest.raises(ToolNotRunError, match="withdrew"):
        refused(withdrawn)
    assert withdrawn.use_keys == []


def test_reports_a_failed_action_and_raises_its_error() -> None:
    def fail() -> None:
        raise OSError("The bank is away")

    service = Service("pay")
    with pytest.raises(OSError, match="away"):
        guard(client(service), PAY, fail, key="k", option="pay", receipt=OWN)
    assert service.outcomes[-1] == {"status": "failed", "text": "OSError('The bank is away')"}


def test_supports_asyncio() -> None:
    async def work() -> None:
        async def pay() -> str:
            return "Paid"

        service = Service("pay")
        assert await async_guard(async_client(service), PAY, pay, key="k", option="pay", receipt=OWN) == "Paid"
        with pytest.raises(ToolNotRunError):
            await async_guard(async_client(service), PAY, pay, key="k", option="pay", receipt=OWN)
        assert [it["status"] for it in service.outcomes] == ["started", "done"]

    anyio.run(work)


def test_uses_an_answer_with_one_key() -> None:
    service = Service("pay")
    calls = client(service).approvals
    calls.create("Pay?", PAY["options"], once=True)
    approval = calls.get("apr_1")
    assert approval.once and approval.due_at == 7 and (approval.used_at, approval.withdrawn_at) == (None, None)
    first = calls.use("apr_1", approval.content_hash, key="k1")
    assert first == calls.use("apr_1", approval.content_hash, key="k1") and first.used_at == 4
    with pytest.raises(CountersignError) as used:
        calls.use("apr_1", approval.content_hash)
    [detail] = used.value.details
    assert used.value.reason == detail.reason == "used" and detail.facts == {"usedAt": 4, "usedBy": "app"}
    assert calls.get("apr_1").used_at == 4
    service.use_keys, service.withdrawn = [], True
    with pytest.raises(CountersignError) as withdrawn:
        calls.use("apr_1", approval.content_hash)
    assert withdrawn.value.details[0].facts == {"withdrawnAt": 5} and calls.get("apr_1").withdrawn_at == 5


def test_passes_the_allowed_values_to_the_action() -> None:
    amount = {"amount": "80.00", "currency": "EUR"}
    asked: QuestionRequest = {
        **PAY,
        "options": [{"id": "pay", "label": "Pay", "fields": True}],
        "fields": {"type": "object", "properties": {"amount": {"type": "object", "format": "money", "currency": "EUR"}}},
    }

    async def work() -> None:
        async def pay(values: Mapping[str, Any]) -> object:
            return values["amount"]

        service = Service("pay")
        service.resolution["values"] = {"amount": amount}
        assert await async_guard(async_client(service), asked, pay, key="k", option="pay", receipt=OWN) == amount

    service = Service("pay")
    service.resolution["values"] = {"amount": amount}

    def same(values: Mapping[str, Any]) -> Mapping[str, Any]:
        return values

    assert guard(client(service), asked, same, key="k", option="pay", receipt=OWN) == {"amount": amount}
    anyio.run(work)
