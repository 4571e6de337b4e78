"""The commands about results: leaderboards, exports, and the check that needs no server."""

from __future__ import annotations

import contextlib
import sys
from datetime import date
from typing import Annotated

import typer

from canfield_race_client.client import Client
from canfield_race_client.exported import Flaw
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
from canfield_race_client.terminal.leaderboard import boards_table, leaderboard_table
from canfield_race_client.terminal.output import OutputClosed
from canfield_race_client.verify import verify_export

results = typer.Typer()


@results.command()
def board(
    name: Annotated[str | None, typer.Argument(help="a leaderboard; none lists them")] = None,
    *,
    period: Annotated[str, typer.Option(help="day, week, month or all")] = "all",
    at: Annotated[
        date | None, typer.Option(parser=read_day, metavar="DAY", help="a day of the period")
    ] = None,
    ruleset: Annotated[str | None, typer.Option(help="CF1 or CH1")] = None,
    draw: Annotated[int | None, typer.Option(help="3 or 1")] = None,
    bots: Annotated[bool, typer.Option("--bots", help="the bots' own leaderboard")] = False,
    limit: Annotated[int, typer.Option(min=1, max=100, help="how many places")] = 20,
    around_me: Annotated[bool, typer.Option("--around-me", help="the places around mine")] = False,
    url: Url = None,
    token: TokenGiven = None,
) -> None:
    """Show a leaderboard."""

    async def job() -> None:
        async with me_on(url, token) if around_me else Client(server_of(url)) as caller:
            if name is None:
                console.print(boards_table(await caller.leaderboards()))
                return
            page = await caller.leaderboard(
                name,
                period=period,
                at=at,
                ruleset=ruleset,
                draw=draw,
                kind="bot" if bots else "human",
                limit=limit,
                around_me=around_me,
            )
            console.print(leaderboard_table(page) if page.items else "nobody yet")

    run(job)


@results.command()
def export(room: str, *, url: Url = None) -> None:
    """Write all games of a finished room: one as JSON in each line."""

    async def job() -> None:
        async with Client(server_of(url)) as anybody:
            try:
                async with contextlib.aclosing(anybody.room(room).export()) as lines:
                    async for line in lines:
                        sys.stdout.buffer.write(line + b"\n")
                sys.stdout.buffer.flush()
            except BrokenPipeError as error:
                raise OutputClosed("nobody reads the output any more") from error

    run(job)


@results.command()
def verify(
    file: Annotated[typer.FileBinaryRead, typer.Argument(help="a game or an export; - for stdin")],
) -> None:
    """Check a game or a room's export without a server: deal, moves, results and ranks."""
    try:
        report = verify_export(file)
    except Flaw as flaw:
        fail(str(flaw))
    except OSError as error:
        fail(f"cannot read {file.name}: {error.strerror}")
    console.print(str(report), soft_wrap=True)
