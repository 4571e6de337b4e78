"""Keyset cursors: where a page ended, opaque to the reader."""

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta, Struct

from server.race.errors import Invalid

ItemT = TypeVar("ItemT")
KeyT = TypeVar("KeyT", bound=tuple[Any, ...])

MOST_ITEMS = 100

Limit = Annotated[int, Meta(ge=1, le=MOST_ITEMS, description="items on a page")]
Cursor = Annotated[str, Meta(max_length=400, description="`next` of the page before")]


class PageQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of a list."""

    limit: Limit = MOST_ITEMS
    after: Cursor | None = None


class Page(Struct, Generic[ItemT], frozen=True):
    """A page of a list.

    Attributes:
        next: the cursor to give as `after` for the next page; null on the last one.
    """

    items: list[ItemT]
    next: str | None = None


def cut_page(
    items: Sequence[ItemT],
    *,
    key: Callable[[ItemT], KeyT],
    shape: type[KeyT],
    limit: int,
    after: str | None,
) -> Page[ItemT]:
    """Cut a page out of a whole list that is ordered by `key`; `shape` is the key's type.

    Raises:
        Invalid: `after` is no cursor of this list.
    """
    first = 0
    if after is not None:
        last = read_cursor(after, shape)
        first = sum(key(item) <= last for item in items)
    return page_at(items, first, key=key, limit=limit)


def page_at(
    items: Sequence[ItemT], first: int, *, key: Callable[[ItemT], KeyT], limit: int
) -> Page[ItemT]:
    """Cut the page that begins with item number `first`, counted from 0."""
    page = list(items[first : first + limit])
    more = first + limit < len(items)
    return Page(items=page, next=write_cursor(key(page[-1])) if more else None)


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
        key: KeyT = msgspec.json.decode(base64.urlsafe_b64decode(padded), type=shape)
    except (msgspec.DecodeError, binascii.Error, ValueError) as error:
        raise Invalid(
            "not a cursor of this list; give `next` of a page", pointer="/after"
        ) from error
    return key
