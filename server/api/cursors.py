"""Keyset cursors: where a page ended, opaque to the reader."""

import base64
import binascii
from typing import Annotated, Generic, TypeVar

import msgspec
from msgspec import Meta, Struct

from server.race.errors import Invalid

ItemT = TypeVar("ItemT")
KeyT = TypeVar("KeyT")

Limit = Annotated[int, Meta(ge=1, le=100, description="items on a page")]


class Page(Struct, Generic[ItemT], frozen=True):
    """A page of a list.

    Attributes:
        next: the cursor to give as `after` for the next page; null on the last one.
    """

    items: list[ItemT]
    next: str | None = None


def write_cursor(key: object) -> str:
    """Make a cursor of the last item's key."""
    return base64.urlsafe_b64encode(msgspec.json.encode(key)).decode().rstrip("=")


def read_cursor(cursor: str, shape: type[KeyT]) -> KeyT:
    """Read a cursor back.

    Raises:
        Invalid: it is none of ours.
    """
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        return msgspec.json.decode(base64.urlsafe_b64decode(padded), type=shape)
    except (msgspec.DecodeError, binascii.Error, ValueError) as error:
        raise Invalid(
            "not a cursor of this list; give `next` of a page", pointer="/after"
        ) from error
