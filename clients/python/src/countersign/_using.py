"""The steps from an owner's answer to one action: verify the receipt, use the answer,
and report the outcome."""

from __future__ import annotations

import logging
import unicodedata
from dataclasses import dataclass

from . import _flows as flows
from ._drivers import Connection
from ._errors import CountersignError, ToolNotRunError, VerificationError
from ._flows import Flow
from ._receipts import claimed_owner, verify_receipt
from .types import Approval, Json

_log = logging.getLogger("countersign")
_MAY_HAVE_RUN = "An earlier attempt at this call may have taken effect, so the call was not run again."
_WITHDRAWN = "The owner withdrew the approval of this call."


@dataclass(frozen=True)
class Checks:
    """The values that a receipt must have, and the client's patience in seconds."""

    issuer: str
    audience: str | None
    owner: str | None
    allow_simulated: bool
    patience: float

    @staticmethod
    def of(
        at: Connection, issuer: str | None, audience: str | None, owner: str | None, allow_simulated: bool | None
    ) -> Checks:
        """The caller's values, or the client's."""
        allowed = at.allow_simulated if allow_simulated is None else allow_simulated
        return Checks(issuer or at.base_url, audience, owner, allowed, at.patience)


@dataclass(frozen=True)
class Proven:
    """An answer that is verified and was not used when it was read."""

    id: str
    content_hash: str
    values: Json | None = None
    """The values that the owner allowed."""


def prove(id: str, asked: Json, option: str, checks: Checks) -> Flow[Proven]:
    """Verify that the receipt is the owner's choice of `option` for exactly this
    question.

    Raises VerificationError if it is not, and ToolNotRunError if the answer was already
    used or withdrawn.
    """
    patience = checks.patience
    approval = Approval.of((yield from flows.read(flows.at(id), {}, patience)))
    if approval.withdrawn_at is not None:
        raise ToolNotRunError(_WITHDRAWN, id)
    if approval.outcome or approval.used_at is not None:
        raise ToolNotRunError(_MAY_HAVE_RUN, id)
    jws = str((yield from flows.read(flows.at(id, "/receipt"), {}, patience))["receipt"])
    keys = yield from flows.read("/.well-known/jwks.json", {}, patience)
    additions = approval.raw.get("additions")
    receipt = verify_receipt(
        jws,
        issuer=checks.issuer,
        audience=checks.audience or approval.client_id,
        owner=checks.owner or claimed_owner(jws),
        approval_id=id,
        content={**asked, "additions": additions} if additions else asked,
        jwks=keys,
        allow_simulated=checks.allow_simulated,
    )
    if not receipt.yes(option):
        raise VerificationError("The receipt does not contain the expected answer")
    return Proven(id, receipt.content_hash, receipt.resolution.values)


def begin(proven: Proven, patience: float) -> Flow[None]:
    """Use the answer with a new key, and report to the owner that the action has
    started.

    Raises ToolNotRunError if the answer was already used or withdrawn.
    """
    id = proven.id
    try:
        yield from flows.use(id, proven.content_hash, proven.values, None, patience)
    except CountersignError as refused:
        if refused.reason == "used":
            raise ToolNotRunError(_MAY_HAVE_RUN, id) from refused
        if refused.reason == "withdrawn":
            raise ToolNotRunError(_WITHDRAWN, id) from refused
        raise
    # The answer is used, so a failed report must not stop the action.
    yield from report(id, "started", "", patience)


def report(id: str, status: str, what: object, patience: float) -> Flow[None]:
    """Report the outcome. A failed report is only logged, because it must not look like
    a failed action."""
    words = "".join(it if it == "\n" or unicodedata.category(it)[0] != "C" else " " for it in str(what)[:1000])
    try:
        yield from flows.report(id, status, words.strip() or None, None, patience)
    except CountersignError as refused:
        _log.warning("Could not report the outcome of %s: %s", id, refused)
