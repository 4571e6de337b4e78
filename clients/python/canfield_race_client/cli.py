"""The command line: `canfield`. Only here the system's clock, chance and environment are asked."""

from __future__ import annotations

import asyncio
import io
import random
import sys
import time
from datetime import date, datetime
from typing import Annotated

import typer
from rich.table import Table

from canfield_race_client.cli_results import results
from canfield_race_client.client import Client
from canfield_race_client.rooms import RoomCalls
from canfield_race_client.terminal.bots import Company, run_bots, run_daily_bots
from canfield_race_client.terminal.command import (
    TokenGiven,
    Url,
    console,
    fail,
    me_on,
    read_day,
    run,
    server_of,
)
from canfield_race_client.terminal.credentials import Credentials, Identity
from canfield_race_client.terminal.daily import play_daily, show_day
from canfield_race_client.terminal.demo import demo as run_demo
from canfield_race_client.terminal.keyboard import lines_of
from canfield_race_client.terminal.play import Play
from canfield_race_client.terminal.screen import Screen
from canfield_race_client.terminal.watch import watch as run_watch

app = typer.Typer(
    help="Race others at Canfield solitaire, from a terminal.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(results)


def main() -> None:
    """Run the command line; characters that a stream has no place for are replaced there."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    app()


@app.command()
def register(
    name: Annotated[str, typer.Argument(help="2-20 letters of one script, digits, _ and -")],
    *,
    bot: Annotated[bool, typer.Option("--bot", help="register as a bot")] = False,
    url: Url = None,
) -> None:
    """Become a player, and remember the token for the other commands."""

    async def job() -> None:
        server = server_of(url)
        new = await Client.register(server, name, kind="bot" if bot else "human")
        Credentials.of_user().keep(server, Identity(name=new.player.name, token=new.token))
        console.print(f"you are {new.player.name} ({new.player.id}) on {server}")

    run(job)


@app.command()
def rooms(
    *,
    state: Annotated[
        str | None, typer.Option(help="open, countdown, racing, finished, cancelled")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="how many, newest first")] = 20,
    url: Url = None,
) -> None:
    """List the lobby."""

    async def job() -> None:
        table = Table("room", "title", "rules", "state", "players", "host", box=None)
        async with Client(server_of(url)) as anybody:
            async for room in anybody.rooms(state=state):
                players = f"{room.player_count}/{room.seats}"
                rules = f"{room.ruleset} draw {room.draw}"
                host = room.host.shown_name if room.host else "-"
                table.add_row(room.id, room.title or "", rules, room.state, players, host)
                if table.row_count >= limit:
                    break
        console.print(table if table.row_count else "no rooms: `canfield race` opens one")

    run(job)


@app.command()
def race(
    room: Annotated[str | None, typer.Argument(help="a room to join; else a new one")] = None,
    *,
    ruleset: Annotated[str | None, typer.Option(help="CF1 or CH1")] = None,
    draw: Annotated[int | None, typer.Option(help="3 or 1")] = None,
    seats: Annotated[int | None, typer.Option(help="1-100")] = None,
    sealed: Annotated[bool | None, typer.Option(help="keep the code secret until the end")] = None,
    code: Annotated[str | None, typer.Option(help="a fixed deal, like CF1-D3-AAAAACL")] = None,
    winnable: Annotated[bool | None, typer.Option(help="a deal that can be won")] = None,
    start: Annotated[str | None, typer.Option(help="host, ready or at")] = None,
    start_at: Annotated[datetime | None, typer.Option(help="when, in local time")] = None,
    countdown_s: Annotated[int | None, typer.Option(help="seconds, 0-60")] = None,
    time_limit_s: Annotated[int | None, typer.Option(help="seconds, 60-7200")] = None,
    undo: Annotated[bool | None, typer.Option(help="allow undo")] = None,
    ranked: Annotated[bool | None, typer.Option(help="count it on leaderboards")] = None,
    unlisted: Annotated[bool, typer.Option("--unlisted", help="keep it out of the lobby")] = False,
    title: Annotated[str | None, typer.Option()] = None,
    url: Url = None,
    token: TokenGiven = None,
) -> None:
    """Join a room, or open a new one, and race."""

    async def job() -> None:
        async with me_on(url, token) as me:
            if room is not None:
                await _play(me.room(room))
                return
            opened = await me.create_room(
                ruleset=ruleset,
                draw=draw,
                seats=seats,
                sealed=sealed,
                code=code,
                winnable=winnable,
                start=start,
                start_at=start_at.astimezone() if start_at else None,
                countdown_s=countdown_s,
                time_limit_s=time_limit_s,
                undo=undo,
                ranked=ranked,
                visibility="unlisted" if unlisted else None,
                title=title,
            )
            console.print(f"others join with: canfield race {opened.id}")
            await _play(opened)

    run(job)


@app.command()
def play(room: str, *, url: Url = None, token: TokenGiven = None) -> None:
    """Play in a room; takes a game up again where it was left."""

    async def job() -> None:
        async with me_on(url, token) as me:
            await _play(me.room(room))

    run(job)


@app.command()
def watch(room: str, *, url: Url = None) -> None:
    """Follow the standings of a room."""

    async def job() -> None:
        async with Client(server_of(url)) as anybody, anybody.room(room).live(watch=True) as seen:
            await run_watch(seen, console)

    run(job)


@app.command()
def daily(
    *,
    watching: Annotated[bool, typer.Option("--watch", help="only follow the standings")] = False,
    day: Annotated[
        date | None,
        typer.Option("--date", parser=read_day, metavar="DAY", help="show that day instead"),
    ] = None,
    url: Url = None,
    token: TokenGiven = None,
) -> None:
    """Play today's deal: one attempt each, on a clock of one's own, beside everybody's ghosts."""

    async def play_today() -> None:
        async with me_on(url, token) as me:
            room, lines = await me.join_daily(), lines_of(sys.stdin)
            await play_daily(room, console, lines, now=time.monotonic, sleep=asyncio.sleep)

    async def look() -> None:
        async with Client(server_of(url)) as anybody:
            if day is not None:
                await show_day(anybody, await anybody.daily(day), console)
                return
            today = await anybody.daily()
            async with anybody.room(today.id).live(watch=True) as seen:
                await run_watch(seen, console)

    if watching and day is not None:
        fail("--watch follows today, --date shows a day as it was: give one of them")
    run(look if watching or day is not None else play_today)


@app.command()
def bot(
    room: Annotated[str | None, typer.Argument(help="the room to join")] = None,
    *,
    new: Annotated[bool, typer.Option("--new", help="open a new room and start it")] = False,
    daily: Annotated[bool, typer.Option("--daily", help="play the daily of today")] = False,
    count: Annotated[int, typer.Option("-n", "--count", min=1, max=100)] = 1,
    pace: Annotated[float, typer.Option(min=0.1, max=20, help="moves per second")] = 2.0,
    seed: Annotated[int | None, typer.Option(help="for the same choices again")] = None,
    url: Url = None,
) -> None:
    """Run bots, for company and load."""
    if [room is not None, new, daily].count(True) != 1:
        raise typer.BadParameter("give either a ROOM, --new or --daily")
    company = Company(count, pace, random.Random(seed))  # noqa: S311 — names and games, no secret
    server = server_of(url)
    if daily:
        run(lambda: run_daily_bots(server, company, console))
    else:
        run(lambda: run_bots(server, room, company, console))


@app.command()
def demo(*, url: Url = None) -> None:
    """Watch four bots race the well-known deal, one of them to a win."""
    chance = random.Random()  # noqa: S311 — a game, no secret
    run(lambda: run_demo(server_of(url), console, chance, asyncio.sleep))


async def _play(room: RoomCalls) -> None:
    await room.join()
    async with room.live() as race:
        await Play(race, room, Screen(console), lines_of(sys.stdin)).run()
