from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from server.api.schemas import components, fields_of


class Asked(Struct, forbid_unknown_fields=True):
    """What is asked.

    Attributes:
        size: how big.
    """

    name: str
    size: Annotated[int, Meta(ge=1)] = 3


class Told(Struct):
    """What is told."""

    asked: Asked
    next: str | None = None
    more: str | UnsetType = UNSET


def test_attributes_become_descriptions_of_fields() -> None:
    _, named = components([Asked])

    assert named["Asked"]["description"] == "What is asked."
    assert named["Asked"]["properties"]["size"]["description"] == "how big."


def test_what_is_asked_may_leave_defaults_out_and_nothing_else_in() -> None:
    _, named = components([Asked])

    assert named["Asked"]["required"] == ["name"]
    assert named["Asked"]["properties"]["size"]["default"] == 3
    assert named["Asked"]["additionalProperties"] is False


def test_what_is_told_is_whole_but_for_what_may_be_unset() -> None:
    _, named = components([Told])

    assert named["Told"]["required"] == ["asked", "next"]
    assert msgspec.to_builtins(Told(Asked("a"))).keys() == {"asked", "next"}


def test_fields_of_a_query_are_given_with_whether_they_must_be_there() -> None:
    fields = fields_of(Asked)

    assert {name: required for name, (_, required) in fields.items()} == {
        "name": True,
        "size": False,
    }
