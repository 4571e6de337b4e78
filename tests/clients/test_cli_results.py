from __future__ import annotations

import asyncio
import json
from pathlib import Path

import httpx2
import pytest
from canfield_race_client.cli import app
from canfield_race_client.racers import example_win
from typer.testing import CliRunner, Result

from tests.clients.exports import a_line, a_race, as_text, published
from tests.clients.table import seated

NOWHERE = "http://127.0.0.1:9"


async def canfield(*arguments: str, given: bytes = b"") -> Result:
    """Run the command line; in a thread, because it makes an event loop of its own."""
    return await asyncio.to_thread(CliRunner().invoke, app, arguments, input=given)


async def test_an_export_that_holds_is_told_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "room.ndjson"
    file.write_bytes(b"".join(as_text(a_race())))
    for result in (
        await canfield("verify", str(file)),
        await canfield("verify", "-", given=file.read_bytes()),
    ):
        assert (result.exit_code, result.stderr) == (0, "")
        [line] = result.stdout.splitlines()
        assert line.startswith("5 games of room k3x9q2ab (CF1-D3-AAAAACL), ")


async def test_a_single_game_holds_but_for_its_rank() -> None:
    [text] = as_text([a_line("Ana", published(won=True), players=7)])
    result = await canfield("verify", "-", given=text.strip())
    assert result.exit_code == 0
    assert "its rank not checked" in result.stdout


async def test_the_first_flaw_is_told_in_one_line_and_by_the_exit_code() -> None:
    lines = a_race()
    lines[1]["moves"][20] = "13"
    result = await canfield("verify", "-", given=b"".join(as_text(lines)))
    assert (result.exit_code, result.stdout) == (1, "")
    [line] = result.stderr.splitlines()
    assert line.startswith("canfield: line 2, game g_bo, player Bo, move 21: 13: T1: ")


async def test_a_file_of_a_stranger_cannot_command_the_terminal() -> None:
    line = a_line("Ana")
    line["player"] = {"id": "p_1", "name": "\x1b[2Jowned", "kind": "human"}
    result = await canfield("verify", "-", given=as_text([line])[0])
    assert result.exit_code == 1
    assert "\x1b" not in result.output


async def test_a_file_that_is_not_there_is_neither_right_nor_wrong(tmp_path: Path) -> None:
    assert (await canfield("verify", str(tmp_path / "nothing"))).exit_code == 2
    assert (await canfield("verify", str(tmp_path))).exit_code == 2


@pytest.mark.parametrize("command", [["board"], ["board", "wins"], ["export", "r"]], ids=str)
async def test_without_a_server_the_other_commands_tell_so(command: list[str]) -> None:
    result = await canfield(*command, "--url", NOWHERE)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("canfield: cannot reach the server")


async def test_places_around_me_need_to_know_who_i_am(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("CANFIELD_TOKEN", raising=False)
    result = await canfield("board", "wins", "--around-me", "--url", NOWHERE)
    assert result.exit_code == 1
    assert "canfield register NAME" in result.stderr


async def a_finished_race(url: str) -> str:
    """A room in which somebody won and undid, two tie who never moved, and one gave up."""
    async with seated(url, players=4) as [winner, quitter, *idle]:
        await winner.start()
        line = [example_win()[0], "u", *example_win()]
        for at in range(0, len(line), 100):
            assert (await winner.moves(at, line[at : at + 100])).reject is None
        await quitter.moves(0, ["12", "rf", "d", "u"])
        for room in (quitter, *idle):
            await room.resign()
        assert (await winner.get()).state == "finished"
        return winner.id


async def test_what_a_server_exports_holds_and_a_changed_byte_does_not(server_url: str) -> None:
    room_id = await a_finished_race(server_url)
    exported = await canfield("export", room_id, "--url", server_url)
    assert (exported.exit_code, exported.stderr) == (0, "")
    lines = [json.loads(line) for line in exported.stdout.splitlines()]
    assert sorted(line["result"]["rank"] for line in lines) == [1, 2, 3, 3]
    held = await canfield("verify", "-", given=exported.stdout_bytes)
    assert (held.exit_code, held.stderr) == (0, "")
    assert f"4 games of room {room_id} " in held.stdout
    assert "ranks included" in held.stdout
    for name, value in (("nonce", "0" * 32), ("players", 3), ("moves", ["13"])):
        tampered = [lines[0] | {name: value}, *lines[1:]]
        refused = await canfield("verify", "-", given=b"".join(as_text(tampered)))
        assert (refused.exit_code, refused.stdout) == (1, "")


async def test_one_game_as_a_server_answers_it_holds(server_url: str) -> None:
    room_id = await a_finished_race(server_url)
    async with httpx2.AsyncClient(base_url=f"{server_url}/api/v1", trust_env=False) as http:
        games = (await http.get(f"/rooms/{room_id}/games")).json()["items"]
        for game in games:
            answer = await http.get(f"/games/{game['id']}")
            held = await canfield("verify", "-", given=answer.content)
            assert (held.exit_code, held.stderr) == (0, "")


async def test_leaderboards_are_listed_and_shown(server_url: str) -> None:
    listed = await canfield("board", "--url", server_url)
    assert (listed.exit_code, listed.stderr) == (0, "")
    names = {"wins", "fastest", "placed", "streak", "winnings", "rating"}
    assert names <= {line.split(maxsplit=1)[0] for line in listed.stdout.splitlines()}
    for name in names:
        shown = await canfield("board", name, "--period", "week", "--url", server_url)
        assert (shown.exit_code, shown.stderr) == (0, "")
    unknown = await canfield("board", "nothing", "--url", server_url)
    assert (unknown.exit_code, unknown.stdout) == (1, "")


async def test_a_running_race_is_not_exported(server_url: str) -> None:
    async with seated(server_url, players=1) as [room]:
        await room.start()
        result = await canfield("export", room.id, "--url", server_url)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "finished" in result.stderr


@pytest.mark.parametrize(
    "command", [("daily", "--date", "2026-02-30"), ("board", "wins", "--at", "yesterday")]
)
async def test_a_day_that_cannot_be_read_is_told_with_how_to_write_it(
    command: tuple[str, ...],
) -> None:
    result = await canfield(*command, "--url", NOWHERE)

    assert result.exit_code == 2
    assert f"'{command[-1]}' is no day; write it as 2026-12-24" in result.stderr


async def test_a_day_that_is_shown_is_not_followed() -> None:
    result = await canfield("daily", "--date", "2026-11-30", "--watch", "--url", NOWHERE)

    assert result.exit_code == 1
    assert "give one of them" in result.stderr


async def test_a_line_without_a_game_is_named() -> None:
    text = b"".join(as_text(a_race()))

    result = await canfield("verify", "-", given=text + b"\n")

    assert result.exit_code == 1
    assert "line 6: there is no game in this line" in result.stderr
