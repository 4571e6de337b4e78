"""What every command of the command line needs: a server, a token, the output, one-line errors."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import date
from typing import Annotated, NoReturn

import typer

from canfield_race_client.client import Client
from canfield_race_client.errors import CanfieldError, ServerUnreachable
from canfield_race_client.terminal.credentials import Credentials
from canfield_race_client.terminal.output import Output, OutputClosed, visible

Url = Annotated[
    str | None,
    typer.Option(envvar="CANFIELD_URL", help="the server; else the one registered with last"),
]
TokenGiven = Annotated[
    str | None,
    typer.Option(envvar="CANFIELD_TOKEN", help="a token; else the one from `canfield register`"),
]

console = Output()


def read_day(text: str) -> date:
    """A day as it is typed."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise typer.BadParameter(f"{text!r} is no day; write it as 2026-12-24") from error


def server_of(url: str | None) -> str:
    """The server to talk to: the one that is given, else the one registered with last."""
    return (url or Credentials.of_user().current_url).rstrip("/")


def me_on(url: str | None, token: str | None) -> Client:
    """A client with the token that is given, else the kept one of that server."""
    server = server_of(url)
    return Client(server, token or Credentials.of_user().token_for(server))


def run(job: Callable[[], Coroutine[object, object, None]]) -> None:
    """Run a command; an error is one line that says how to mend it."""
    try:
        asyncio.run(job())
    except ServerUnreachable as error:
        fail(f"{error}; start it with `make run` in another terminal, or give --url")
    except OutputClosed:
        raise typer.Exit(1) from None
    except CanfieldError as error:
        fail(str(error))
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def fail(text: str) -> NoReturn:
    """Say in one line what is wrong, and end with exit code 1."""
    typer.echo(f"canfield: {visible(text)}", err=True)
    raise typer.Exit(1)
