from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from canfield_race_client.cli import app
from typer.testing import CliRunner, Result

from tests.clients.exports import a_line, a_race, as_text, published

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
