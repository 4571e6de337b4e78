"""Looking on: the standings of a room until its race is over."""

from __future__ import annotations

from canfield_race_client.live import Event, Live
from canfield_race_client.live_core import Reconnected
from canfield_race_client.shapes import Room
from canfield_race_client.terminal.output import Output, visible
from canfield_race_client.terminal.scoreboard import Scoreboard, standings_table
from canfield_race_client.wire import Disconnected


def title_of(room: Room) -> str:
    """A room in one line.

    >>> from canfield_race_client.shapes import Room
    >>> title_of(Room(id="k3x9q2ab", state="open", ruleset="CF1", draw=3, title="Friday"))
    'Friday (k3x9q2ab): CF1 draw 3, open'
    """
    name = f"{room.title} ({room.id})" if room.title else room.id
    return visible(f"{name}: {room.ruleset} draw {room.draw}, {room.state}")


async def watch(race: Live, console: Output) -> None:
    """Show the standings as they change, and the final ones at the end."""
    with Scoreboard(console, title=title_of(race.room)) as scoreboard:
        scoreboard.show(race.standings)
        while not race.is_over and (event := await anext(race, None)):
            if note := note_of(event):
                scoreboard.note(note)
            scoreboard.show(race.standings)
    if not console.is_terminal:
        console.print(standings_table(race.standings, title=title_of(race.room)))


def note_of(event: Event) -> str | None:
    """What to tell people of an event that the standings do not show."""
    match event:
        case Disconnected():
            return f"connection lost ({event.close_code}); trying again in {event.retry_in_s:.1f} s"
        case Reconnected(unanswered=0):
            return "connected again"
        case Reconnected():
            return f"connected again; moves sent again: {event.unanswered}"
        case _:
            return None
