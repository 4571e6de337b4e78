from __future__ import annotations

import stat
from pathlib import Path

import pytest
from canfield_race_client.terminal.credentials import (
    DEFAULT_URL,
    BadCredentials,
    Credentials,
    Identity,
)

ANA = Identity(name="Ana", token="secret")


def test_before_anybody_registered_the_server_is_the_local_one_and_there_is_no_token(
    tmp_path: Path,
) -> None:
    credentials = Credentials(tmp_path / "credentials.json")
    assert credentials.current_url == DEFAULT_URL
    with pytest.raises(BadCredentials, match="canfield register"):
        credentials.token_for(DEFAULT_URL)


def test_what_is_kept_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "credentials.json"
    Credentials(path).keep("http://a.example", ANA)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert Credentials(path).token_for("http://a.example") == "secret"


def test_a_file_that_others_could_read_is_replaced_by_one_they_cannot(tmp_path: Path) -> None:
    path = tmp_path / "credentials.json"
    Credentials(path).keep("http://a.example", ANA)
    path.chmod(0o644)
    Credentials(path).keep("http://a.example", ANA)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_token_is_never_shown_to_another_server(tmp_path: Path) -> None:
    credentials = Credentials(tmp_path / "credentials.json")
    credentials.keep("http://a.example", ANA)
    credentials.keep("http://b.example", Identity(name="Ana", token="other"))
    assert credentials.current_url == "http://b.example"
    assert credentials.token_for("http://a.example") == "secret"
    with pytest.raises(BadCredentials):
        credentials.token_for("http://c.example")


def test_a_broken_file_says_which_it_is(tmp_path: Path) -> None:
    path = tmp_path / "credentials.json"
    path.write_text("{broken")
    with pytest.raises(BadCredentials, match=r"credentials\.json"):
        _ = Credentials(path).current_url
