"""Retries, against a fake service."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from countersign import AnswerSignature, Countersign, CountersignError, NoAnswerError, Resolution, Retry

OPTIONS = [{"id": "yes", "label": "Yes"}, {"id": "no", "label": "No"}]


class Service:
    """Returns the given responses in order, and records the requests."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.sent: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def client(service: Callable[[httpx.Request], httpx.Response], **more: Any) -> Countersign:
    http = httpx.Client(transport=httpx.MockTransport(service))
    return Countersign("https://yes.example.com/", "secret", http_client=http, **more)


def approval(**more: Any) -> httpx.Response:
    fields = {"_id": "apr_1", "_creationTime": 1, "clientId": "app_1", "question": "Ship?", "options": OPTIONS}
    return httpx.Response(200, json={**fields, "contentHash": "sha256:0", "status": "pending", **more})


SOON = {"retry-after": "0"}
RESOLVED = approval(
    status="resolved", resolution={"kind": "option", "optionId": "yes", "resolvedBy": "owner", "resolvedAt": 2}
)


def test_retries_with_the_same_key_until_the_service_responds() -> None:
    away = httpx.ConnectError("refused")
    service = Service(away, httpx.Response(503, headers=SOON), httpx.Response(201, json={"id": "apr_1"}))
    assert client(service).approvals.create("Ship?", [{"id": "yes", "label": "Yes"}]) == "apr_1"
    keys = {request.headers["idempotency-key"] for request in service.sent}
    assert len(service.sent) == 3 and len(keys) == 1
    assert service.sent[2].headers["authorization"] == "Bearer secret"
    assert json.loads(service.sent[2].content) == {"question": "Ship?", "options": [{"id": "yes", "label": "Yes"}]}


def test_reads_the_owners_keys() -> None:
    key = {"credentialId": "AA", "publicKey": {"kty": "OKP"}, "synced": True, "since": 5, "until": 7}
    body = {"keys": [key], "owner": "own_1", "rpId": "a.example", "origins": ["https://a.example"]}
    service = Service(httpx.Response(200, json=body))
    read = client(service).owner_keys()
    assert service.sent[0].url.path == "/api/owner/keys"
    assert (read.owner, read.rp_id, read.origins, read.raw) == ("own_1", "a.example", ("https://a.example",), body)
    assert [(it.credential_id, it.synced, it.since, it.until) for it in read.keys] == [("AA", True, 5, 7)]


def test_asks_for_a_signed_answer_and_reads_the_signature() -> None:
    signature = {"statement": "{}", "credentialId": "AA", "authenticatorData": "BB", "clientDataJSON": "CC", "signature": "DD", "synced": True}
    resolution = {"kind": "option", "optionId": "yes", "resolvedBy": "owner", "resolvedAt": 2, "signature": signature}
    service = Service(httpx.Response(201, json={"id": "apr_1"}), approval(status="resolved", resolution=resolution, signedByOwner=True))
    calls = client(service).approvals
    calls.create("Pay?", [{"id": "yes", "label": "Yes"}], signed_by_owner=True)
    assert json.loads(service.sent[0].content)["signedByOwner"] is True
    read = calls.get("apr_1")
    assert read.signed_by_owner is True and read.resolution
    assert read.resolution.signature == AnswerSignature("{}", "AA", "BB", "CC", "DD", True)
    assert Resolution.of({**resolution, "signature": {}}).signature == AnswerSignature("", "", "", "", "", False)


def test_sends_facts_and_a_match_number() -> None:
    facts = [{"label": "Amount", "value": "86.40 €"}]
    service = Service(httpx.Response(201, json={"id": "apr_1"}), approval(facts=facts), approval())
    calls = client(service).approvals
    calls.create("Pay?", [{"id": "yes", "label": "Yes"}], facts=[{"label": "Amount", "value": "86.40 €"}], risk="high", match="47")
    sent = json.loads(service.sent[0].content)
    assert (sent["facts"], sent["match"], sent["risk"]) == (facts, "47", "high")
    assert [(it.label, it.value) for it in calls.get("apr_1").facts] == [("Amount", "86.40 €")]
    assert calls.get("apr_1").facts == ()


def test_reports_a_rejection_without_retries() -> None:
    details = [{"path": "options", "message": "Required"}, {"path": "", "message": "Too much"}]
    body = {"error": "Bad request", "details": details}
    service = Service(httpx.Response(400, json=body, headers={"x-request-id": "req_1"}))
    with pytest.raises(CountersignError, match="^Bad request: options: Required; Too much$") as refused:
        client(service).approvals.create("Ship?", [])
    assert (refused.value.status, refused.value.request_id) == (400, "req_1")
    assert refused.value.details[0].path == "options"


def test_freezes_the_app_even_if_the_first_response_is_lost() -> None:
    detail = {"path": "", "message": "The owner froze this app.", "reason": "frozen"}
    refusal = {"error": "Forbidden", "details": [detail]}
    service = Service(httpx.Response(503, headers=SOON), *(httpx.Response(403, json=refusal) for _ in range(2)))
    calls = client(service)
    calls.freeze()
    assert [(it.method, it.url.path, it.content) for it in service.sent] == [("POST", "/api/freeze", b"{}")] * 2
    with pytest.raises(CountersignError) as refused:
        calls.approvals.get("apr_1")
    assert refused.value.details[0].reason == "frozen"


@pytest.mark.parametrize(
    ("answer", "status", "message"),
    [
        (httpx.Response(302, headers={"location": "https://evil.example"}), 302, "HTTP status 302"),
        (httpx.Response(200, text="<html>"), 502, "The response is not JSON"),
        (httpx.ReadTimeout("slow"), 0, r"^Could not connect to the service at https://yes.example.com \(slow\)$"),
        (httpx.ReadTimeout(""), 0, r"^Could not connect to the service at .* \(ReadTimeout\)$"),
    ],
)
def test_rejects_an_unexpected_response(answer: Any, status: int, message: str) -> None:
    service = Service(answer)
    with pytest.raises(CountersignError, match=message) as failed:
        client(service, patience=0).approvals.get("apr_1")
    assert failed.value.status == status and len(service.sent) == 1


def test_replies_to_a_clarification_request_once() -> None:
    asked = [{"text": "Which?", "createdAt": 5}]
    said = [{"text": "Version 4", "createdAt": 6}]
    service = Service(
        httpx.Response(503, headers=SOON),
        approval(questions=asked),
        httpx.Response(200, json={"ok": True, "createdAt": 6}),
        approval(questions=asked, additions=said),
        RESOLVED,
    )
    heard: list[tuple[str, str]] = []

    def on_question(question: str, id: str) -> str:
        heard.append((question, id))
        return "Version 4"

    assert client(service).approvals.wait("apr_1", on_question=on_question).yes("yes")
    assert heard == [("Which?", "apr_1")]
    assert [request.url.path for request in service.sent][2] == "/api/approvals/apr_1/additions"
    assert service.sent[0].url.params["wait"] == "60"


def test_raises_no_answer_error_after_the_timeout_or_deadline() -> None:
    with pytest.raises(NoAnswerError) as late:
        client(Service(approval())).approvals.wait("apr_1", timeout=0)
    assert late.value.id == "apr_1" and not late.value.deadline_passed
    with pytest.raises(NoAnswerError) as unasked:
        client(Service(httpx.Response(503))).ask("Ship?", [], timeout=0)
    assert unasked.value.id is None
    with pytest.raises(NoAnswerError, match="deadline"):
        client(Service(approval(deadlinePassed=True))).approvals.wait("apr_1")


def test_reports_each_retry_with_its_attempt_delay_and_reason() -> None:
    away = httpx.ConnectError("refused")
    service = Service(httpx.Response(503, headers=SOON), away, httpx.Response(201, json={"id": "apr_1"}))
    retries: list[Retry] = []
    client(service, on_retry=retries.append).approvals.create("Ship?", [])
    assert [(it.attempt, it.reason.status) for it in retries] == [(1, 503), (2, 0)]
    assert retries[0].delay == 0 and 0 <= retries[1].delay < 1


def test_sends_the_api_version_with_each_request() -> None:
    service = Service(httpx.Response(201, json={"id": "apr_1"}), approval())
    client(service).approvals.create("Ship?", [])
    client(service).approvals.get("apr_1")
    assert [it.headers["countersign-version"] for it in service.sent] == ["1", "1"]


@pytest.mark.parametrize("id", ["", None])
def test_rejects_a_missing_id_before_sending(id: Any) -> None:
    service = Service()
    it = client(service)
    calls: list[Callable[[], object]] = [
        lambda: it.approvals.get(id),
        lambda: it.approvals.wait(id),
        lambda: it.approvals.add(id, "text"),
        lambda: it.approvals.report(id, "done"),
        lambda: it.approvals.receipt(id),
        lambda: it.approvals.resolve(id, "yes"),
        lambda: it.approvals.use(id, "sha256:0"),
        lambda: it.notifications.get(id),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="^The (approval|notification) ID is missing$"):
            call()
    assert service.sent == []


def test_accepts_a_simulated_answer_only_if_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COUNTERSIGN_ALLOW_SIMULATED", raising=False)
    played = {"kind": "option", "optionId": "yes", "resolvedBy": "owner", "resolvedAt": 2, "note": "Simulated: rule 1"}

    def answered(**more: Any) -> bool:
        answer = client(Service(approval(status="resolved", resolution=played)), **more).approvals.wait("apr_1")
        assert answer.simulated and answer.chosen == "yes"
        return answer.yes("yes")

    assert not answered()
    assert answered(allow_simulated=True)
    monkeypatch.setenv("COUNTERSIGN_ALLOW_SIMULATED", "1")
    assert answered() and not answered(allow_simulated=False)


def test_rejects_an_answer_by_the_app() -> None:
    by_app = {"kind": "option", "optionId": "yes", "resolvedBy": "api", "resolvedAt": 2}
    answer = client(Service(approval(status="resolved", resolution=by_app))).approvals.wait("apr_1")
    assert answer.chosen == "yes" and not answer.yes("yes")


def test_reads_all_pages_of_a_list() -> None:
    row = json.loads(approval(newNextYear={"a": 1}).content)
    pages = [{"data": [row, row], "nextCursor": "c1"}, {"data": [row]}]
    service = Service(*(httpx.Response(200, json=page) for page in pages))
    read = list(client(service).approvals.list(status="pending"))
    assert len(read) == 3 and read[0].raw["newNextYear"] == {"a": 1}
    assert [dict(it.url.params) for it in service.sent] == [
        {"status": "pending"},
        {"status": "pending", "cursor": "c1"},
    ]
    one = Service(httpx.Response(200, json=pages[0]))
    assert len(list(client(one).approvals.list(limit=2))) == 2
    assert dict(one.sent[0].url.params) == {"limit": "2"}


def test_names_a_missing_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COUNTERSIGN_URL", raising=False)
    monkeypatch.delenv("COUNTERSIGN_TOKEN", raising=False)
    with pytest.raises(ValueError, match="COUNTERSIGN_URL"):
        Countersign()
    with pytest.raises(ValueError, match="COUNTERSIGN_TOKEN"):
        Countersign("https://yes.example.com")
