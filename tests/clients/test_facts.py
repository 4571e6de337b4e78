from __future__ import annotations

import asyncio

import pytest
from canfield_race_client.errors import ConnectionClosed
from canfield_race_client.facts import Facts


async def test_what_is_so_already_is_not_waited_for() -> None:
    await Facts().wait(lambda: True)


async def test_who_waits_goes_on_when_the_fact_holds_and_somebody_looks() -> None:
    facts, seen = Facts(), list[int]()
    waiting = asyncio.ensure_future(facts.wait(lambda: len(seen) > 1))
    for number in range(2):
        await asyncio.sleep(0)
        seen.append(number)
        facts.look()
    await waiting


async def test_at_the_end_everybody_learns_why_now_and_later() -> None:
    facts = Facts()
    waiting = asyncio.ensure_future(facts.wait(lambda: False))
    await asyncio.sleep(0)
    facts.end(ConnectionClosed(4409))
    with pytest.raises(ConnectionClosed):
        await waiting
    with pytest.raises(ConnectionClosed):
        await facts.wait(lambda: False)
