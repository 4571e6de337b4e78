from __future__ import annotations

import io

from canfield_race_client import Live
from canfield_race_client.ghosts import Ghosts
from canfield_race_client.shapes import Curve, Player
from canfield_race_client.terminal.output import Output
from canfield_race_client.terminal.rivals import Rivals

from tests.clients.builders import BO, CY
from tests.clients.table import racing


class Now:
    """Seconds that go on when they are told to."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def drawn(rivals: Rivals, race: Live) -> list[list[str]]:
    output = io.StringIO()
    Output(file=output, width=60).print(rivals.beside(race))
    return [line.split() for line in output.getvalue().splitlines()]


async def test_the_clock_goes_on_from_what_the_server_said_while_one_races(server_url: str) -> None:
    now = Now()
    rivals = Rivals(now)
    async with racing(server_url) as [race]:
        assert race.game is not None
        start_ms = rivals.elapsed_ms(race)
        assert start_ms == race.game.elapsed_ms
        now.seconds += 2.5
        assert rivals.elapsed_ms(race) == start_ms + 2500
        ack = await race.move("d")
        assert rivals.elapsed_ms(race) == ack.elapsed_ms
        await race.resign()
        stopped_ms = rivals.elapsed_ms(race)
        now.seconds += 60
        assert rivals.elapsed_ms(race) == stopped_ms


async def test_ghosts_stand_below_the_race_as_they_were_at_my_time(server_url: str) -> None:
    now = Now()
    rivals = Rivals(now)
    async with racing(server_url) as [race]:
        assert race.me is not None
        only_me = drawn(rivals, race)
        assert [row[:2] for row in only_me[1:]] == [["1", race.me.name]]
        rivals.ghosts = Ghosts(
            [
                Curve(player=BO, points=[(0, 1), (1_000_000, 9)]),
                Curve(player=CY, points=[(0, 1), (2_000_000, 30)]),
            ]
        )
        drawn(rivals, race)
        now.seconds += 1_500
        rows = drawn(rivals, race)
        assert ["all", "at", "your"] in [row[:3] for row in rows]
        assert [row[:3] for row in rows[-3:]] == [
            ["1", "Bo", "9"], ["2", race.me.name, "1"], ["2", "Cy", "1"],
        ]  # fmt: skip


async def test_of_many_ghosts_those_around_me_are_shown(server_url: str) -> None:
    rivals = Rivals(Now())
    async with racing(server_url) as [race]:
        assert race.me is not None
        rivals.ghosts = Ghosts(
            Curve(player=Player(id=f"p_{n}", name=f"P{n}"), points=[(0, n)]) for n in range(2, 40)
        )
        rows = drawn(rivals, race)
        assert [row[1] for row in rows[-5:]] == ["P5", "P4", "P3", "P2", race.me.name]
