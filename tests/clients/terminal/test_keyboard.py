from __future__ import annotations

import io

from canfield_race_client.terminal.keyboard import lines_of


async def test_lines_come_stripped_and_in_order_up_to_the_end_of_the_input() -> None:
    typed = io.StringIO("12 rf\n\n  ?  \nq")
    assert [line async for line in lines_of(typed)] == ["12 rf", "", "?", "q"]


async def test_more_lines_than_anybody_reads_wait_for_their_turn() -> None:
    typed = io.StringIO("d\n" * 100)
    assert len([line async for line in lines_of(typed)]) == 100
