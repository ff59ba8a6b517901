"""The Countersign client: ask a person before your program acts.

`Countersign` blocks while it waits. `AsyncCountersign` runs under asyncio or trio and
is otherwise the same.
"""

from ._async_client import AsyncCountersign
from ._client import Countersign
from ._content import canonical_json, content_hash
from ._errors import CountersignError, Detail, NoAnswerError, Retry, ToolNotRunError, VerificationError
from ._guard import ExpectedReceipt, async_guard, guard
from ._receipts import Receipt, verify_receipt
from ._signed_answers import SignedAnswer, verify_signed_answer
from ._webhooks import verify_webhook
from .fields import Field, Fields, Money, Value, Values
from .types import Answer, AnswerSignature, Approval, ApprovalOption, Event, Fact, FactRequest, Integration, Notification
from .types import OptionRequest, Outcome, OwnerKey, OwnerKeys, QuestionRequest, Resolution, Said, Use

__version__ = "0.1.0"

__all__ = [
    "Answer", "AnswerSignature", "Approval", "ApprovalOption", "AsyncCountersign", "Countersign", "CountersignError",
    "Detail", "Event", "ExpectedReceipt", "Fact", "FactRequest", "Field", "Fields", "Integration", "Money",
    "NoAnswerError", "Notification", "OptionRequest", "Outcome", "OwnerKey", "OwnerKeys", "QuestionRequest", "Receipt",
    "Resolution", "Retry", "Said", "SignedAnswer", "ToolNotRunError", "Use", "Value", "Values", "VerificationError",
    "async_guard", "canonical_json", "content_hash", "guard", "verify_receipt", "verify_signed_answer", "verify_webhook",
]
