import asyncio

import pytest

from server.live.sharing import Shared


class Shelf:
    """What is read, one reading after the other and only as far as it is let."""

    def __init__(self) -> None:
        self.readings = 0
        self.may_end = asyncio.Event()
        self.shared = Shared(self._read)

    async def _read(self, key: str) -> str:
        self.readings += 1
        number = self.readings
        await self.may_end.wait()
        if key == "torn":
            raise LookupError(key)
        return f"{key} {number}"

    async def ask(self, key: str = "book") -> "asyncio.Task[str]":
        """Ask, and let everyone get as far as they can."""
        asking = asyncio.create_task(self.shared.read(key))
        for _ in range(5):
            await asyncio.sleep(0)
        return asking


async def test_who_asks_during_a_reading_shares_the_next_one() -> None:
    shelf = Shelf()
    first = await shelf.ask()
    second = await shelf.ask()
    third = await shelf.ask()
    assert shelf.readings == 1

    shelf.may_end.set()

    assert [await one for one in (first, second, third)] == ["book 1", "book 2", "book 2"]


async def test_nothing_is_kept_once_it_has_been_read() -> None:
    shelf = Shelf()
    shelf.may_end.set()

    assert await shelf.shared.read("book") == "book 1"
    assert await shelf.shared.read("book") == "book 2"
    assert (shelf.shared._under_way, shelf.shared._next) == ({}, {})


async def test_other_things_are_read_meanwhile() -> None:
    shelf = Shelf()
    book = await shelf.ask()
    map_ = await shelf.ask("map")
    assert shelf.readings == 2

    shelf.may_end.set()

    assert [await book, await map_] == ["book 1", "map 2"]


async def test_a_reading_that_fails_fails_for_all_who_share_it_and_for_nobody_else() -> None:
    shelf = Shelf()
    asking = [await shelf.ask("torn") for _ in range(3)]

    shelf.may_end.set()

    for one in asking:
        with pytest.raises(LookupError):
            await one
    assert shelf.readings == 2


async def test_who_goes_away_takes_the_reading_from_nobody() -> None:
    shelf = Shelf()
    impatient = await shelf.ask()
    patient = await shelf.ask()
    also_patient = await shelf.ask()

    impatient.cancel()
    also_patient.cancel()
    shelf.may_end.set()

    assert await patient == "book 2"
