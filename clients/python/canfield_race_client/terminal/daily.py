"""The daily: play it beside everybody's ghosts, and look at a day that is over."""

from __future__ import annotations

from collections.abc import AsyncIterator

from canfield_race_client.client import Client
from canfield_race_client.rooms import RoomCalls
from canfield_race_client.shapes import Daily
from canfield_race_client.terminal.output import Output
from canfield_race_client.terminal.play import Play
from canfield_race_client.terminal.rivals import Rivals, Seconds
from canfield_race_client.terminal.scoreboard import standings_table
from canfield_race_client.terminal.screen import Screen
from canfield_race_client.terminal.together import while_running
from canfield_race_client.wire import Sleep

SHOWN_STANDINGS = 20


async def play_daily(
    room: RoomCalls, console: Output, lines: AsyncIterator[str], *, now: Seconds, sleep: Sleep
) -> None:
    """Play a daily that has been joined until the attempt is over, or the player leaves it."""
    rivals = Rivals(now)
    async with room.live() as race:
        screen = Screen(console, beside=rivals.beside)
        playing = Play(race, room, screen, lines).run()
        await while_running(playing, rivals.keep_fresh(room, sleep))
        mine = race.standing
        if mine is not None and not race.is_racing:
            count = race.room.player_count
            console.print(
                f"your attempt is over ({mine.state}): rank {mine.rank} of {count} so far"
            )
            if (day := race.room.started_at) is not None:
                hint = f"`canfield daily --date {day:%Y-%m-%d}`"
                console.print(f"the deal is shown once its day is over: {hint}")


async def show_day(anybody: Client, day: Daily, console: Output) -> None:
    """Show a day: its standings, and once it is over its code and a line that wins."""
    page = await anybody.room(day.id).standings(limit=SHOWN_STANDINGS)
    players = "1 player" if day.player_count == 1 else f"{day.player_count:,} players"
    title = f"{day.date}: {day.ruleset} draw {day.draw}, {day.state}, {players}"
    console.print(standings_table(page.items, title=title))
    if day.code is None:
        console.print(f"\ncommitment {day.commitment}", soft_wrap=True)
    else:
        console.print(f"\n{day.code}", soft_wrap=True)
    if day.winning_line:
        console.print(f"won by: {' '.join(day.winning_line)}", soft_wrap=True)
    if day.state == "finished":
        console.print(f"`canfield export {day.id}` gives all games")
