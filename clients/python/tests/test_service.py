"""These tests need a service whose rules reject deletions, and COUNTERSIGN_URL,
COUNTERSIGN_TOKEN and COUNTERSIGN_OWNER."""

import os
import uuid

import anyio
import pytest

from countersign import AsyncCountersign, Countersign, CountersignError, ExpectedReceipt, QuestionRequest
from countersign import ToolNotRunError, VerificationError, content_hash, guard, verify_receipt
from countersign.types import FactRequest, OptionRequest

pytestmark = pytest.mark.skipif("COUNTERSIGN_URL" not in os.environ, reason="needs a service: COUNTERSIGN_URL")

OPTIONS: list[OptionRequest] = [
    {"id": "yes", "label": "Yes", "note": "Ärger"},
    {"id": "no", "label": "No", "style": "danger"},
]


def test_returns_a_verifiable_answer() -> None:
    with Countersign() as client:
        heard: list[str] = []
        facts: list[FactRequest] = [{"label": "Build", "value": '418 "ä"'}]
        answer = client.ask("Ship?", OPTIONS, facts=facts, owner_only=True, risk="low", on_asked=heard.append)
        assert answer.yes("yes") and answer.simulated and heard == [answer.id]
        approval = client.approvals.get(answer.id)
        assert content_hash(approval) == approval.content_hash
        asked = {"question": "Ship?", "facts": facts, "options": OPTIONS, "ownerOnly": True, "risk": "low"}
        jws = client.approvals.receipt(answer.id)
        issuer, owner = os.environ["COUNTERSIGN_ISSUER"], os.environ["COUNTERSIGN_OWNER"]
        keys = f"{os.environ['COUNTERSIGN_URL']}/.well-known/jwks.json"

        def proven(owner: str, *, allow_simulated: bool = True) -> bool:
            return verify_receipt(
                jws,
                issuer=issuer,
                audience=approval.client_id,
                owner=owner,
                approval_id=answer.id,
                content=asked,
                jwks_url=keys,
                allow_simulated=allow_simulated,
            ).yes("yes")

        assert proven(owner)
        with pytest.raises(VerificationError, match="owner does not match"):
            proven("own_other")
        with pytest.raises(VerificationError, match="simulated"):
            proven(owner, allow_simulated=False)
        client.approvals.report(answer.id, "done", "Shipped", link="https://example.com/4")
        outcome = client.approvals.get(answer.id).outcome
        assert outcome and (outcome.status, outcome.text, outcome.link) == ("done", "Shipped", "https://example.com/4")


def test_creates_one_approval_per_key() -> None:
    client, key = Countersign(), str(uuid.uuid4())
    first = client.approvals.create("Delete it?", OPTIONS, key=key)
    assert client.approvals.create("Delete it?", OPTIONS, key=key) == first
    answer = client.approvals.wait(first)
    assert answer.chosen == "no" and not answer.yes("yes") and "Never on Mondays" in (answer.note or "")
    with pytest.raises(CountersignError) as another:
        client.approvals.create("Delete another?", OPTIONS, key=key)
    assert another.value.status == 422 and another.value.request_id


def test_uses_an_answer_once() -> None:
    client = Countersign()
    key = str(uuid.uuid4())
    asked: QuestionRequest = {"question": "Pay?", "options": OPTIONS, "owner_only": True, "once": True}
    ran: list[str] = []
    receipt = ExpectedReceipt(issuer=os.environ["COUNTERSIGN_ISSUER"], owner=os.environ["COUNTERSIGN_OWNER"])

    def pay() -> str:
        ran.append("Paid")
        return "Paid"

    assert guard(client, asked, pay, key=key, option="yes", receipt=receipt) == "Paid"
    with pytest.raises(ToolNotRunError, match="may have taken effect"):
        guard(client, asked, pay, key=key, option="yes", receipt=receipt)
    assert ran == ["Paid"]
    id = client.approvals.create(**asked, key=key)
    approval = client.approvals.get(id)
    assert approval.once and approval.used_at and approval.outcome and approval.outcome.status == "done"
    with pytest.raises(CountersignError) as again:
        client.approvals.use(id, approval.content_hash)
    assert again.value.reason == "used" and again.value.details[0].facts["usedAt"] == approval.used_at
    other = client.ask("Ship?", OPTIONS)
    content = client.approvals.get(other.id).content_hash
    first = client.approvals.use(other.id, content, key="k1")
    assert client.approvals.use(other.id, content, key="k1") == first and first.receipt.count(".") == 2
    with pytest.raises(CountersignError) as mismatch:
        client.approvals.use(other.id, f"sha256:{'0' * 64}")
    assert mismatch.value.reason == "content_mismatch"


def test_resolves_an_approval_once() -> None:
    client = Countersign()
    id = client.approvals.create("Leave it?", OPTIONS)
    client.approvals.add(id, "There is no hurry")
    assert client.approvals.get(id).additions[0].text == "There is no hurry"
    client.approvals.resolve(id, other_text="No one came", note="automatically")
    resolution = client.approvals.get(id).resolution
    assert resolution and (resolution.other_text, resolution.resolved_by) == ("No one came", "api")
    with pytest.raises(CountersignError) as again:
        client.approvals.resolve(id, "yes")
    assert again.value.status == 409
    assert id in [it.id for it in client.approvals.list(status="resolved", limit=5)]
    with pytest.raises(CountersignError) as wrong:
        client.approvals.create("", OPTIONS)
    assert wrong.value.details[0].path == "question"


def test_lists_created_notifications() -> None:
    client = Countersign()
    ids = [client.notifications.create(f"Told {n}", "In words", type="test", data={"n": n}) for n in range(3)]
    assert [it.id for it in client.notifications.list(type="test")] == ids[::-1]
    read = client.notifications.get(ids[1])
    assert (read.title, read.body, read.data) == ("Told 1", "In words", {"n": 1})
    assert client.integrations.list() == ()
    types: set[str] = set()
    for event in client.events():
        types.add(event.type)
        if event.data.get("id") == ids[2]:
            break
    assert "notification.pushed" in types


def test_supports_asyncio() -> None:
    async def work() -> None:
        async with AsyncCountersign() as client:
            heard: list[str] = []

            async def on_asked(id: str) -> None:
                heard.append(id)

            answer = await client.ask("Ship?", OPTIONS, on_asked=on_asked)
            assert answer.yes("yes") and heard == [answer.id]
            id = await client.approvals.create("Leave it?", OPTIONS)
            await client.approvals.resolve(id, "no")
            assert id in [it.id async for it in client.approvals.list(limit=5)]
            told = await client.notifications.create("Told")
            assert (await client.notifications.get(told)).type == "general"
            assert [it.id async for it in client.notifications.list(limit=1)] == [told]
            assert await client.integrations.list() == ()
            async for event in client.events():
                assert event.id
                break

    anyio.run(work)
    anyio.run(work, backend="trio")
