from contextlib import suppress
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.api.cursors import cut_page, page_at, read_cursor, write_cursor
from server.race.errors import Invalid


class Key(NamedTuple):
    """What a list is ordered by."""

    number: int
    text: str


def own_key(item: Key) -> Key:
    return item


@given(
    st.lists(st.builds(Key, st.integers(-9, 9), st.text(max_size=3)), unique=True),
    st.integers(1, 5),
)
def test_pages_one_after_the_other_hold_every_item_once(items: list[Key], limit: int) -> None:
    items.sort()
    seen: list[Key] = []
    after: str | None = None
    while True:
        page = cut_page(items, key=own_key, shape=Key, limit=limit, after=after)
        seen += page.items
        after = page.next
        if after is None:
            break
        assert len(page.items) == limit

    assert seen == items


def test_a_page_goes_on_behind_an_item_that_has_gone() -> None:
    items = [Key(1, "a"), Key(2, "b"), Key(3, "c")]
    first = page_at(items, 0, key=own_key, limit=2)

    rest = cut_page([items[0], items[2]], key=own_key, shape=Key, limit=2, after=first.next)

    assert rest.items == [(3, "c")]


@given(st.text())
def test_a_text_that_is_no_cursor_is_invalid_and_nothing_else(text: str) -> None:
    with suppress(Invalid):
        assert write_cursor(read_cursor(text, Key))


def test_a_cursor_of_another_list_is_refused() -> None:
    with pytest.raises(Invalid):
        read_cursor(write_cursor(("a", 1)), Key)
