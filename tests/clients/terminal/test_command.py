from __future__ import annotations

from pathlib import Path

import pytest
import typer
from canfield_race_client.errors import CanfieldError, ServerUnreachable
from canfield_race_client.terminal.command import fail, me_on, run, server_of
from canfield_race_client.terminal.credentials import BadCredentials, Credentials, Identity
from canfield_race_client.terminal.output import OutputClosed


@pytest.fixture(autouse=True)
def own_config(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def test_the_server_is_the_one_given_else_the_one_registered_with_last() -> None:
    Credentials.of_user().keep("http://race.example", Identity(name="Ana", token="t"))
    assert server_of("http://other.example/") == "http://other.example"
    assert server_of(None) == "http://race.example"


def test_a_kept_token_is_for_its_own_server_and_a_given_one_for_any() -> None:
    Credentials.of_user().keep("http://race.example", Identity(name="Ana", token="t"))
    assert me_on(None, None).url == "http://race.example"
    assert me_on("http://other.example", "given").url == "http://other.example"
    with pytest.raises(BadCredentials):
        me_on("http://other.example", None)


@pytest.mark.parametrize(
    ("error", "exit_code", "told"),
    [
        (CanfieldError("no\x1b[2J"), 1, "canfield: no\ufffd[2J\n"),
        (ServerUnreachable("http://x", "gone"), 1, "with `make run`"),
        (OutputClosed("nobody reads"), 1, ""),
        (KeyboardInterrupt(), 130, ""),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_error_is_one_line_and_an_exit_code(
    error: BaseException, exit_code: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async def job() -> None:
        raise error

    with pytest.raises(typer.Exit) as ended:
        run(job)
    assert ended.value.exit_code == exit_code
    complaints = capsys.readouterr().err
    assert told in complaints
    assert complaints.count("\n") == (1 if told else 0)


def test_what_is_no_error_of_ours_is_not_hidden() -> None:
    async def job() -> None:
        raise LookupError("a fault")

    with pytest.raises(LookupError):
        run(job)


def test_failing_is_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as ended:
        fail("line 3")
    assert ended.value.exit_code == 1
    assert capsys.readouterr() == ("", "canfield: line 3\n")
