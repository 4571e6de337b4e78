from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path

import pytest
from canfield_race_client import Client
from canfield_race_client.cli import app
from canfield_race_client.errors import CanfieldError
from canfield_race_client.shapes import Daily
from canfield_race_client.terminal.bots import bot_names, registered_bots
from typer.testing import CliRunner, Result

from tests.clients.table import seated

NOWHERE = "http://127.0.0.1:9"


@pytest.fixture(autouse=True)
def own_config(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("CANFIELD_URL", raising=False)
    monkeypatch.delenv("CANFIELD_TOKEN", raising=False)


def a_name() -> str:
    return bot_names(1, random.SystemRandom())[0]


async def canfield(*arguments: str, typed: str = "") -> Result:
    """Run the command line; in a thread, because it makes an event loop of its own."""
    return await asyncio.to_thread(CliRunner().invoke, app, arguments, input=typed)


@pytest.mark.parametrize(
    "command",
    [["rooms"], ["watch", "x"], ["register", "Ana"], ["bot", "--new"], ["demo"]],
    ids=lambda command: command[0],
)
async def test_a_server_that_is_not_there_is_told_in_one_line_that_helps(
    command: list[str],
) -> None:
    result = await canfield(*command, "--url", NOWHERE)
    assert result.exit_code == 1
    assert result.stdout == ""
    [line] = result.stderr.splitlines()
    assert line.startswith("canfield: cannot reach the server")
    assert "make run" in line


@pytest.mark.parametrize("command", [["play", "x"], ["race"]], ids=lambda command: command[0])
async def test_who_has_not_registered_is_told_how_to(command: list[str]) -> None:
    result = await canfield(*command, "--url", NOWHERE)
    assert result.exit_code == 1
    assert "canfield register NAME" in result.stderr


@pytest.mark.parametrize(
    "wish", [[], ["x", "--new"], ["x", "--daily"], ["--new", "--daily"]], ids=str
)
async def test_a_bot_needs_a_room_or_a_new_one_or_the_daily_and_just_one(wish: list[str]) -> None:
    assert (await canfield("bot", *wish)).exit_code == 2


async def test_who_registers_can_race_by_pipe_from_then_on(server_url: str) -> None:
    assert (await canfield("register", a_name(), "--url", server_url)).exit_code == 0
    result = await canfield(
        *("race", "--code", "CF1-D3-AAAAACL", "--countdown-s", "0", "--title", "By pipe"),
        typed="start\n12 rf 24x2\n13\n?\nu\nq\nr\n",
    )
    assert result.exit_code == 0
    for told in ("played: 12 rf 24x2", "legal: 12 14 d", "played: u", "(resigned)"):
        assert told in result.stdout
    lobby = await canfield("rooms")
    assert "By pipe" in lobby.stdout


async def test_a_game_that_was_left_is_taken_up_again(server_url: str) -> None:
    await canfield("register", a_name(), "--url", server_url)
    left = await canfield("race", "--countdown-s", "0", typed="start\nd\n")
    assert "the game goes on" in left.stdout
    room_id = left.stdout.split("canfield race ")[1].split()[0]
    resumed = await canfield("play", room_id, typed="d\nq\nr\n")
    assert resumed.exit_code == 0
    assert "stock 28" in resumed.stdout
    assert "(resigned)" in resumed.stdout


async def test_what_the_server_refuses_is_told_without_a_traceback(server_url: str) -> None:
    name = a_name()
    await canfield("register", name, "--url", server_url)
    again = await canfield("register", name, "--url", server_url)
    sealed = await canfield("race", "--code", "CF1-D3-AAAAACL", "--sealed")
    gone = await canfield("watch", "nowhere1")
    for result in (again, sealed, gone):
        assert result.exit_code == 1
        assert result.stderr.startswith("canfield: ")
        assert len(result.stderr.splitlines()) == 1


async def test_a_token_may_come_from_the_environment(
    server_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    who = await Client.register(server_url, a_name())
    monkeypatch.setenv("CANFIELD_URL", server_url)
    monkeypatch.setenv("CANFIELD_TOKEN", who.token)
    result = await canfield("race", typed="q\n")
    assert result.exit_code == 0
    assert who.token not in result.output


async def test_bots_race_each_other_in_a_room_of_their_own(server_url: str) -> None:
    result = await canfield(
        *("bot", "--new", "-n", "2", "--pace", "20", "--seed", "1", "--url", server_url)
    )
    assert result.exit_code == 0
    assert "finished" in result.stdout


async def test_bytes_that_are_no_text_are_no_moves_and_play_goes_on(server_url: str) -> None:
    await canfield("register", a_name(), "--url", server_url)
    process = await asyncio.create_subprocess_exec(
        *(Path(sys.executable).with_name("canfield"), "race", "--countdown-s", "0"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    printed, complaints = await process.communicate(b"start\n\xff\xfe\nd\nq\nr\n")
    assert (process.returncode, complaints) == (0, b"")
    assert "\ufffd\ufffd: a move is" in printed.decode()
    assert "played: d" in printed.decode()


async def test_a_title_is_shown_as_it_was_written(server_url: str) -> None:
    title = "a[/]b [red]c [link=x]"
    await canfield("register", a_name(), "--url", server_url)
    raced = await canfield("race", "--title", title, "--countdown-s", "0", typed="start\nq\nr\n")
    lobby = await canfield("rooms", "--limit", "1")
    for result in (raced, lobby):
        assert result.exit_code == 0
        assert title in result.stdout


async def test_a_detail_of_a_hostile_server_cannot_command_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def hostile(*_: object, **__: object) -> object:
        raise CanfieldError("[/]\x1b[2J\nowned")

    monkeypatch.setattr(Client, "register", hostile)
    result = await canfield("register", "Ana", "--url", NOWHERE)
    assert result.stderr == "canfield: [/]\ufffd[2J\ufffdowned\n"


async def test_rooms_that_were_called_off_can_be_listed(server_url: str) -> None:
    async with seated(server_url, players=1) as [room]:
        await room.cancel()
        listed = await canfield("rooms", "--state", "cancelled", "--url", server_url)
        assert room.id in listed.stdout
    assert "cancelled" in (await canfield("rooms", "--help")).stdout


async def test_the_daily_can_be_played_by_pipe_and_looked_at(server_url: str) -> None:
    who = await Client.register(server_url, a_name())
    async with Client(server_url, who.token) as me:
        today = (await me.join_daily()).snapshot
    assert isinstance(today, Daily)
    mine = ("--url", server_url, "--token", who.token)
    played = await canfield("daily", *mine, typed="d d\nq\nr\n")
    assert (played.exit_code, played.stderr) == (0, "")
    assert "played: d d" in played.stdout
    assert "your attempt is over (resigned)" in played.stdout
    shown = await canfield("daily", "--date", str(today.date), "--url", server_url)
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert f"{today.date}: CF1 draw 3, racing" in shown.stdout
    unknown = await canfield("daily", "--date", "2001-01-01", "--url", server_url)
    assert unknown.exit_code == 1


async def test_the_daily_can_be_followed_without_being_a_player(server_url: str) -> None:
    async with registered_bots(server_url, [a_name()]) as [somebody]:
        await somebody.join_daily()
        name = (await somebody.me()).name
        process = await asyncio.create_subprocess_exec(
            *(Path(sys.executable).with_name("canfield"), "daily", "--watch", "--url", server_url),
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None
        async with asyncio.timeout(60):
            title, standings = [await process.stdout.readline() for _ in range(2)]
        process.terminate()
        await process.communicate()
    assert b"CF1 draw 3, racing" in title
    assert name.encode() in standings
