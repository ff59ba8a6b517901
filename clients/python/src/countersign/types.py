"""The API's objects in Python's spelling. Times are epoch milliseconds, as in the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, cast

from typing_extensions import NotRequired, TypedDict

from .fields import Fields

Json = Mapping[str, Any]
Risk = Literal["low", "normal", "high"]
SignedByOwner = Literal[True, "when-possible", "in-lens"]
"""Whether the owner's passkey must sign the answer: always, if the owner has one, or
always in the operator's lens."""


class OptionRequest(TypedDict):
    """A choice for the owner. The answer contains its `id`. A `danger` option is shown
    with a warning. With `fields`, the answer has values for the question's fields."""

    id: str
    label: str
    note: NotRequired[str]
    style: NotRequired[Literal["default", "danger"]]
    fields: NotRequired[bool]


class FactRequest(TypedDict):
    """A fact for the owner, such as an amount, on one line."""

    label: str
    value: str


class QuestionRequest(TypedDict):
    """A question's content, with the names and meanings of `approvals.create`."""

    question: str
    options: Sequence[OptionRequest]
    facts: NotRequired[Sequence[FactRequest] | None]
    fields: NotRequired[Fields | None]
    background_context: NotRequired[str | None]
    recommendation: NotRequired[str | None]
    expires_at: NotRequired[int | datetime | None]
    default_option_id: NotRequired[str | None]
    owner_only: NotRequired[bool | None]
    once: NotRequired[bool | None]
    risk: NotRequired[Risk | None]
    signed_by_owner: NotRequired[SignedByOwner | None]
    match: NotRequired[str | None]


@dataclass(frozen=True)
class Fact:
    label: str
    value: str


@dataclass(frozen=True)
class ApprovalOption:
    id: str
    label: str
    note: str | None
    style: str | None
    fields: bool = False
    """Whether an answer with this option has values."""


@dataclass(frozen=True)
class AnswerSignature:
    """The signature of the owner's passkey. All members except `statement` are in
    base64url. `synced` is for readers. `verify_signed_answer` reads the signed flag."""

    statement: str
    """What the passkey signed: canonical JSON whose SHA-256 is the challenge."""
    credential_id: str
    authenticator_data: str
    client_data_json: str
    signature: str
    synced: bool

    @staticmethod
    def of(json: Json) -> AnswerSignature:
        """Parse the service's JSON."""
        names = ("statement", "credentialId", "authenticatorData", "clientDataJSON", "signature")
        statement, credential_id, authenticator_data, client_data, signature = (str(json.get(name, "")) for name in names)
        synced = json.get("synced") is True
        return AnswerSignature(statement, credential_id, authenticator_data, client_data, signature, synced)


@dataclass(frozen=True)
class Resolution:
    """The recorded decision. `resolved_by` is `owner` only when the owner answered."""

    kind: Literal["option", "other"]
    option_id: str | None
    other_text: str | None
    note: str | None
    resolved_by: Literal["owner", "api"]
    resolved_at: int
    values: Json | None = None
    """The values of the question's fields by name, if the option takes fields."""
    signature: AnswerSignature | None = None
    """Present if the owner's passkey signed the answer."""

    @staticmethod
    def of(json: Json) -> Resolution:
        """Parse the service's JSON."""
        signature = json.get("signature")
        return Resolution(
            kind=json["kind"],
            option_id=json.get("optionId"),
            other_text=json.get("otherText"),
            note=json.get("note"),
            resolved_by=json["resolvedBy"],
            resolved_at=json["resolvedAt"],
            values=json.get("values"),
            signature=AnswerSignature.of(cast("Json", signature)) if isinstance(signature, Mapping) else None,
        )


@dataclass(frozen=True)
class Said:
    """A question back from the owner, or an addition from the app."""

    text: str
    created_at: int


@dataclass(frozen=True)
class Outcome:
    """The outcome that the app reported after the answer."""

    status: str
    text: str | None
    link: str | None
    reported_at: int


@dataclass(frozen=True)
class Approval:
    """A question from an app. `raw` is the original JSON, including fields of a newer service."""

    id: str
    creation_time: int
    client_id: str
    question: str
    facts: tuple[Fact, ...]
    fields: Json | None
    """The fields that the owner fills in, as a JSON Schema."""
    options: tuple[ApprovalOption, ...]
    background_context: str | None
    recommendation: str | None
    expires_at: int | None
    due_at: int | None
    """The deadline after the owner's freezes moved it. None if none did."""
    default_option_id: str | None
    owner_only: bool
    once: bool
    """Whether the owner can withdraw the answer until it is used."""
    risk: str | None
    signed_by_owner: SignedByOwner | None
    deadline_passed: bool
    content_hash: str
    status: Literal["pending", "resolved"]
    resolution: Resolution | None
    additions: tuple[Said, ...]
    questions: tuple[Said, ...]
    outcome: Outcome | None
    used_at: int | None
    """When the owner's answer was used."""
    withdrawn_at: int | None
    """When the owner withdrew the answer. It can no longer be used."""
    raw: Json

    @staticmethod
    def of(json: Json) -> Approval:
        """Parse the service's JSON."""
        resolution, outcome = json.get("resolution"), json.get("outcome")
        return Approval(
            id=json["_id"] if "_id" in json else json["id"],
            creation_time=json["_creationTime"],
            client_id=json["clientId"],
            question=json["question"],
            facts=tuple(Fact(it["label"], it["value"]) for it in json.get("facts", [])),
            fields=json.get("fields"),
            options=tuple(
                ApprovalOption(it["id"], it["label"], it.get("note"), it.get("style"), it.get("fields") is True)
                for it in json["options"]
            ),
            background_context=json.get("backgroundContext"),
            recommendation=json.get("recommendation"),
            expires_at=json.get("expiresAt"),
            due_at=json.get("dueAt"),
            default_option_id=json.get("defaultOptionId"),
            owner_only=json.get("ownerOnly") is True,
            once=json.get("once") is True,
            risk=json.get("risk"),
            signed_by_owner=json.get("signedByOwner"),
            deadline_passed=json.get("deadlinePassed") is True,
            content_hash=json["contentHash"],
            status=json["status"],
            resolution=Resolution.of(resolution) if resolution else None,
            additions=_said(json, "additions"),
            questions=_said(json, "questions"),
            outcome=outcome
            and Outcome(outcome["status"], outcome.get("text"), outcome.get("link"), outcome["reportedAt"]),
            used_at=json.get("usedAt"),
            withdrawn_at=json.get("withdrawnAt"),
            raw=json,
        )


def _said(json: Json, name: str) -> tuple[Said, ...]:
    return tuple(Said(it["text"], it["createdAt"]) for it in cast("list[Json]", json.get(name, [])))


@dataclass(frozen=True)
class Use:
    """When an answer was used. `receipt` is the signed receipt of the use: a compact
    JWS of type `countersign-use+jwt`."""

    used_at: int
    receipt: str


@dataclass(frozen=True)
class OwnerKey:
    """A passkey of the owner. `public_key` is a JWK. Times are epoch milliseconds."""

    credential_id: str
    public_key: Json
    synced: bool | None
    """Whether the passkey can be synced to other devices. None until an older passkey is used."""
    since: int
    """When the owner added the passkey."""
    until: int | None
    """When the owner removed the passkey."""

    @staticmethod
    def of(json: Json) -> OwnerKey:
        """Parse the service's JSON."""
        return OwnerKey(
            json["credentialId"], json["publicKey"], json.get("synced"), json["since"], json.get("until")
        )


@dataclass(frozen=True)
class OwnerKeys:
    """The owner's passkeys, including removed ones, and the RP ID and the origins for
    which they sign. Pin them: store `raw`, the original JSON."""

    owner: str
    keys: tuple[OwnerKey, ...]
    rp_id: str
    origins: tuple[str, ...]
    raw: Json

    @staticmethod
    def of(json: Json) -> OwnerKeys:
        """Parse the service's JSON."""
        return OwnerKeys(
            json["owner"], tuple(map(OwnerKey.of, json["keys"])), json["rpId"], tuple(json["origins"]), json
        )


@dataclass(frozen=True)
class Answer:
    """An answer. `note` is the note next to the answer. `text` is the owner's own
    words, if they chose no option."""

    id: str
    resolution: Resolution
    allow_simulated: bool = False
    """Whether `yes` accepts a simulated answer."""

    @property
    def chosen(self) -> str | None:
        """The ID of the chosen option. None if the owner answered in their own words."""
        return self.resolution.option_id if self.resolution.kind == "option" else None

    @property
    def text(self) -> str | None:
        """The owner's own words, if they chose no option."""
        return self.resolution.other_text if self.resolution.kind == "other" else None

    @property
    def note(self) -> str | None:
        """The note next to the answer."""
        return self.resolution.note

    @property
    def values(self) -> Json | None:
        """The values of the question's fields by name, if the chosen option takes fields."""
        return self.resolution.values

    @property
    def by(self) -> Literal["owner", "api"]:
        """`api` if the app answered itself, or if the default was recorded at the deadline."""
        return self.resolution.resolved_by

    @property
    def simulated(self) -> bool:
        """Whether a simulated owner answered (`countersign simulate`), in tests of agents."""
        return is_simulated(self.note)

    def yes(self, option_id: str) -> bool:
        """Whether the owner, and no one else, chose this option. Check it before you act.

        False for a simulated answer, unless the client was created with `allow_simulated`.
        """
        counts = self.by == "owner" and (self.allow_simulated or not self.simulated)
        return counts and self.chosen == option_id


def is_simulated(note: object) -> bool:
    """Whether a note marks a simulated answer."""
    return isinstance(note, str) and note.startswith("Simulated: ")


@dataclass(frozen=True)
class Notification:
    """A notification from an app to the owner."""

    id: str
    creation_time: int
    title: str
    body: str
    type: str
    created_at: int
    data: Json

    @staticmethod
    def of(json: Json) -> Notification:
        """Parse the service's JSON."""
        return Notification(
            json["_id"], json["_creationTime"], json["title"], json["body"], json["type"], json["createdAt"], json["data"]
        )


@dataclass(frozen=True)
class Integration:
    """A linked account. `status` is `connected`, `needs_reauth`, `error` or
    `disconnected`. Values may be added."""

    id: str
    provider: str
    status: str
    email: str
    buckets: tuple[str, ...]

    @staticmethod
    def of(json: Json) -> Integration:
        """Parse the service's JSON."""
        return Integration(json["id"], json["provider"], json["status"], json["email"], tuple(json["buckets"]))


@dataclass(frozen=True)
class Event:
    """A recorded event. Types may be added: ignore unknown types."""

    id: str
    type: str
    created_at: int
    data: Json

    @staticmethod
    def of(json: Json) -> Event:
        """Parse the service's JSON."""
        return Event(json["id"], json["type"], json["createdAt"], json["data"])
