"""The command line of who runs the server: `canfield-race`."""

import asyncio
import os
import sys
from typing import Annotated

import typer

from server.settings import BadSettings, Settings
from server.store.database import BadDatabase, Database

app = typer.Typer(
    help="Run a Canfield Race server.", no_args_is_help=True, pretty_exceptions_enable=False
)


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="the address to listen on")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="the port; 0 picks one")] = 8000,
) -> None:
    """Serve races until stopped."""
    from server.serve import serve as run

    run(read_settings(), host=host, port=port)


@app.command()
def migrate(
    to: Annotated[str, typer.Option(help="a revision, or base to remove every table")] = "head",
) -> None:
    """Bring the database to the tables that this server works with."""
    from server.store import migrations

    async def run() -> None:
        database = Database(read_settings().database_url)
        await database.open()
        try:
            await migrations.migrate(database, to=to)
        finally:
            await database.close()

    asyncio.run(run())


def read_settings() -> Settings:
    """Read the settings from the environment."""
    return Settings.from_environment(os.environ)


def main() -> None:
    """Run the command line; what a person can mend is said in one line, without a traceback."""
    try:
        app()
    except (BadSettings, BadDatabase) as error:
        sys.exit(f"canfield-race: {error}")
