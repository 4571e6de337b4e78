"""The command line of who runs the server: `canfield-race`."""

import asyncio
import os
import sys
from datetime import date
from typing import Annotated

import typer

from server.settings import CannotRun, Settings, describe_settings

SETTINGS_HELP = "Settings come from the environment:\n\n" + "\n\n".join(
    f"{variable}={default}: {description}" for variable, default, description in describe_settings()
)

app = typer.Typer(
    help="Run a Canfield Race server.", no_args_is_help=True, pretty_exceptions_enable=False
)


daily = typer.Typer(help="Plan, show and replace dailies.", no_args_is_help=True)
app.add_typer(daily, name="daily")


@app.command(epilog=SETTINGS_HELP)
def serve(
    host: Annotated[str, typer.Option(help="the address to listen on")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="the port; 0 picks one")] = 8000,
    workers: Annotated[
        int, typer.Option(min=1, max=64, help="processes; several need PostgreSQL and REDIS_URL")
    ] = 1,
) -> None:
    """Serve races until stopped, on a migrated database."""
    from server import serve as serving

    serving.serve(read_settings(), host=host, port=port, workers=workers)


@app.command()
def migrate(
    to: Annotated[str, typer.Option(help="a revision, or base to remove every table")] = "head",
) -> None:
    """Bring the database to the tables that this server works with."""
    from server.store import migrations
    from server.store.database import Database

    async def run() -> None:
        database = Database(read_settings().database_url)
        await database.open()
        try:
            await migrations.migrate(database, to=to)
        finally:
            await database.close()

    asyncio.run(run())


@app.command()
def restored() -> None:
    """Say that the database has been restored from a backup.

    Clients that know of what happened after that backup then take rooms as they are, instead of
    going on from a history that is no more.
    """
    from server.clock import SystemClock, now
    from server.race.deals import Chance
    from server.store.database import Database
    from server.store.migrations import check_migrated
    from server.store.truth import Truth

    async def run() -> None:
        database = Database(read_settings().database_url)
        await database.open()
        try:
            await check_migrated(database)
            epoch = Chance().identifier()
            await Truth(database).begin_epoch(epoch, at=now(SystemClock()))
        finally:
            await database.close()
        print(f"the epoch {epoch} has begun")  # noqa: T201 — this is the command's answer

    asyncio.run(run())


@app.command()
def recount() -> None:
    """Count everything for the leaderboards anew, from the raw games: totals, streaks, ratings.

    On PostgreSQL servers may run meanwhile: their boards stay as they were until it is done, and
    rooms that finish are counted after it.
    """
    from server.store.database import Database
    from server.store.migrations import check_migrated
    from server.store.recounting import recount

    async def run() -> None:
        database = Database(read_settings().database_url)
        await database.open()
        try:
            await check_migrated(database)
            rooms = await recount(database)
        finally:
            await database.close()
        print(f"{rooms} finished rooms have been counted")  # noqa: T201 — this is the command's answer

    asyncio.run(run())


@daily.command("plan")
def plan_dailies(
    days: Annotated[
        int, typer.Option(min=1, max=366, help="how many days, today the first of them")
    ] = 7,
) -> None:
    """Plan the dailies of today and the next days, each a deal proven winnable."""
    from server import daily_desk

    daily_desk.run(read_settings(), lambda desk: desk.plan(days=days))


@daily.command("show")
def show_dailies(
    day: Annotated[str, typer.Option(help="one day, as YYYY-MM-DD")] = "",
    reveal: Annotated[  # noqa: FBT002 — an option of the command line
        bool, typer.Option("--reveal", help="tell the deals of days that are not over as well")
    ] = False,
) -> None:
    """Show the dailies of today and the days planned after it, or of one day."""
    from server import daily_desk

    which = _read_day(day) if day else None
    daily_desk.run(read_settings(), lambda desk: desk.show(which, reveal=reveal))


@daily.command("replace")
def replace_daily(
    day: Annotated[str, typer.Argument(help="a day that has not begun, as YYYY-MM-DD")],
) -> None:
    """Put another deal in the place of a day's, before the day begins."""
    from server import daily_desk

    which = _read_day(day)
    daily_desk.run(read_settings(), lambda desk: desk.replace(which))


@app.command()
def healthcheck(
    url: Annotated[str, typer.Option(help="the server to ask")] = "http://127.0.0.1:8000",
) -> None:
    """Ask a running server whether it is ready; the exit code is 0 if it is."""
    import urllib.request
    from urllib.error import URLError

    try:
        with urllib.request.urlopen(f"{url}/readyz", timeout=5) as answer:  # noqa: S310 — who runs it chose the URL
            print(answer.read().decode())  # noqa: T201 — this is the command's answer
    except (URLError, ValueError, OSError) as error:
        sys.exit(f"canfield-race: {url} is not ready: {error}")


def _read_day(text: str) -> date:
    from server.race.daily import read_day
    from server.race.errors import Invalid

    try:
        return read_day(text)
    except Invalid as error:
        raise CannotRun(error.detail) from error


def read_settings() -> Settings:
    """Read the settings from the environment."""
    return Settings.from_environment(os.environ)


def main() -> None:
    """Run the command line; what a person can mend is said in one line, without a traceback."""
    try:
        app()
    except CannotRun as error:
        sys.exit(f"canfield-race: {error}")
