"""A question's fields, and the values of its answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from typing_extensions import NotRequired, TypedDict


class Choice(TypedDict):
    """A choice with a title. The answer contains `const`."""

    const: str
    title: str


class TextField(TypedDict):
    """A text, or one of several choices if the field has `enum` or `oneOf`."""

    type: Literal["string"]
    title: NotRequired[str]
    description: NotRequired[str]
    enum: NotRequired[Sequence[str]]
    oneOf: NotRequired[Sequence[Choice]]
    minLength: NotRequired[int]
    maxLength: NotRequired[int]
    format: NotRequired[Literal["email", "uri", "date", "time", "date-time"]]
    default: NotRequired[str]


class NumberField(TypedDict):
    """A number, which is 0 or has an absolute value from 1e-6 to 1e15."""

    type: Literal["number", "integer"]
    title: NotRequired[str]
    description: NotRequired[str]
    minimum: NotRequired[float]
    maximum: NotRequired[float]
    default: NotRequired[float]


class BooleanField(TypedDict):
    """Yes or no."""

    type: Literal["boolean"]
    title: NotRequired[str]
    description: NotRequired[str]
    default: NotRequired[bool]


class Choices(TypedDict):
    """The choices of a ChoicesField: `type` and `enum`, or `anyOf`."""

    type: NotRequired[Literal["string"]]
    enum: NotRequired[Sequence[str]]
    anyOf: NotRequired[Sequence[Choice]]


class ChoicesField(TypedDict):
    """Any number of choices."""

    type: Literal["array"]
    title: NotRequired[str]
    description: NotRequired[str]
    items: Choices
    minItems: NotRequired[int]
    maxItems: NotRequired[int]
    default: NotRequired[Sequence[str]]


class Money(TypedDict):
    """An amount with exactly its currency's decimals, like `{"amount": "86.40",
    "currency": "EUR"}`."""

    amount: str
    currency: str


class MoneyField(TypedDict):
    """An amount of money. The bounds are amounts like `"500.00"`."""

    type: Literal["object"]
    format: Literal["money"]
    title: NotRequired[str]
    description: NotRequired[str]
    currency: str
    minimum: NotRequired[str]
    maximum: NotRequired[str]
    default: NotRequired[Money]


class Item(TypedDict):
    """A row that the owner approves or rejects."""

    id: str
    label: str
    note: NotRequired[str]


class ItemsField(TypedDict):
    """Rows that the owner approves or rejects one by one. The value is a verdict by
    row ID."""

    type: Literal["object"]
    format: Literal["items"]
    title: NotRequired[str]
    description: NotRequired[str]
    items: Sequence[Item]
    default: NotRequired[Mapping[str, Literal["approve", "reject"]]]


Field = TextField | NumberField | BooleanField | ChoicesField | MoneyField | ItemsField


class Fields(TypedDict):
    """The fields that the owner fills in: 1 to 20, by name."""

    type: Literal["object"]
    properties: Mapping[str, Field]
    required: NotRequired[Sequence[str]]


Value = str | float | bool | Sequence[str] | Money | Mapping[str, Literal["approve", "reject"]]
"""The value of a field."""
Values = Mapping[str, Value]
"""The values of an answer by field name."""
