"""What crosses the wire, in Python's spelling. Times are epoch milliseconds, as the service gives them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from typing_extensions import NotRequired, TypedDict

Json = Mapping[str, Any]
Risk = Literal["low", "normal", "high"]


class OptionRequest(TypedDict):
    """A choice to offer. The answer names its `id`; a `danger` is shown with a warning."""

    id: str
    label: str
    note: NotRequired[str]
    style: NotRequired[Literal["default", "danger"]]


@dataclass(frozen=True)
class ApprovalOption:
    id: str
    label: str
    note: str | None
    style: str | None


@dataclass(frozen=True)
class Resolution:
    """The recorded decision. `resolved_by` is `owner` only when the owner answered."""

    kind: Literal["option", "other"]
    option_id: str | None
    other_text: str | None
    note: str | None
    resolved_by: Literal["owner", "api"]
    resolved_at: int

    @staticmethod
    def of(json: Json) -> Resolution:
        """Read what the service wrote."""
        return Resolution(
            kind=json["kind"],
            option_id=json.get("optionId"),
            other_text=json.get("otherText"),
            note=json.get("note"),
            resolved_by=json["resolvedBy"],
            resolved_at=json["resolvedAt"],
        )


@dataclass(frozen=True)
class Said:
    """What the owner asked back, or the app added."""

    text: str
    created_at: int


@dataclass(frozen=True)
class Outcome:
    """What the app reported after the answer."""

    status: str
    text: str | None
    link: str | None
    reported_at: int


@dataclass(frozen=True)
class Approval:
    """A question an app asks. `raw` is the JSON as it came, with whatever a newer service says besides."""

    id: str
    creation_time: int
    client_id: str
    question: str
    options: tuple[ApprovalOption, ...]
    background_context: str | None
    recommendation: str | None
    expires_at: int | None
    default_option_id: str | None
    owner_only: bool
    risk: str | None
    deadline_passed: bool
    content_hash: str
    status: Literal["pending", "resolved"]
    resolution: Resolution | None
    additions: tuple[Said, ...]
    questions: tuple[Said, ...]
    outcome: Outcome | None
    raw: Json

    @staticmethod
    def of(json: Json) -> Approval:
        """Read what the service wrote."""
        resolution, outcome = json.get("resolution"), json.get("outcome")
        return Approval(
            id=json["_id"] if "_id" in json else json["id"],
            creation_time=json["_creationTime"],
            client_id=json["clientId"],
            question=json["question"],
            options=tuple(
                ApprovalOption(it["id"], it["label"], it.get("note"), it.get("style")) for it in json["options"]
            ),
            background_context=json.get("backgroundContext"),
            recommendation=json.get("recommendation"),
            expires_at=json.get("expiresAt"),
            default_option_id=json.get("defaultOptionId"),
            owner_only=json.get("ownerOnly") is True,
            risk=json.get("risk"),
            deadline_passed=json.get("deadlinePassed") is True,
            content_hash=json["contentHash"],
            status=json["status"],
            resolution=Resolution.of(resolution) if resolution else None,
            additions=_said(json, "additions"),
            questions=_said(json, "questions"),
            outcome=outcome
            and Outcome(outcome["status"], outcome.get("text"), outcome.get("link"), outcome["reportedAt"]),
            raw=json,
        )


def _said(json: Json, name: str) -> tuple[Said, ...]:
    return tuple(Said(it["text"], it["createdAt"]) for it in cast("list[Json]", json.get(name, [])))


@dataclass(frozen=True)
class Answer:
    """What came back. `note` is what was written beside the answer, `text` the owner's own words where no option was chosen."""

    id: str
    resolution: Resolution
    allow_simulated: bool = False
    """Whether `yes` accepts a simulated answer."""

    @property
    def chosen(self) -> str | None:
        """The id of the chosen option; None where the answer is in the owner's own words."""
        return self.resolution.option_id if self.resolution.kind == "option" else None

    @property
    def text(self) -> str | None:
        """The owner's own words, where no option was chosen."""
        return self.resolution.other_text if self.resolution.kind == "other" else None

    @property
    def note(self) -> str | None:
        """What was written beside the answer."""
        return self.resolution.note

    @property
    def by(self) -> Literal["owner", "api"]:
        """`api` where the app answered itself, or a default did when the deadline passed."""
        return self.resolution.resolved_by

    @property
    def simulated(self) -> bool:
        """Whether a simulated owner answered (`countersign simulate`), in tests of agents."""
        return is_simulated(self.note)

    def yes(self, option_id: str) -> bool:
        """Whether the owner, and nobody else, chose this option. Check it before you act.

        It is False for a simulated answer, unless the client was created with `allow_simulated`.
        """
        counts = self.by == "owner" and (self.allow_simulated or not self.simulated)
        return counts and self.chosen == option_id


def is_simulated(note: object) -> bool:
    """How the note of every simulated answer begins."""
    return isinstance(note, str) and note.startswith("Simulated: ")


@dataclass(frozen=True)
class Notification:
    """Something an app tells the owner, without a question."""

    id: str
    creation_time: int
    title: str
    body: str
    type: str
    created_at: int
    data: Json

    @staticmethod
    def of(json: Json) -> Notification:
        """Read what the service wrote."""
        return Notification(
            id=json["_id"],
            creation_time=json["_creationTime"],
            title=json["title"],
            body=json["body"],
            type=json["type"],
            created_at=json["createdAt"],
            data=json["data"],
        )


@dataclass(frozen=True)
class Integration:
    """An account the owner linked. `status` is `connected`, `needs_reauth`, `error` or `disconnected`; more may come."""

    id: str
    provider: str
    status: str
    email: str
    buckets: tuple[str, ...]

    @staticmethod
    def of(json: Json) -> Integration:
        """Read what the service wrote."""
        return Integration(json["id"], json["provider"], json["status"], json["email"], tuple(json["buckets"]))


@dataclass(frozen=True)
class Event:
    """A recorded fact. Types may be added: pass over those you do not know."""

    id: str
    type: str
    created_at: int
    data: Json

    @staticmethod
    def of(json: Json) -> Event:
        """Read what the service wrote."""
        return Event(json["id"], json["type"], json["createdAt"], json["data"])
