from pathlib import Path

import pytest

from server.store.connecting import BadDatabase
from server.store.sole import Hold


def test_a_file_is_held_until_it_is_released(tmp_path: Path) -> None:
    hold = Hold(tmp_path / "race.db")
    with pytest.raises(BadDatabase, match=r"another server uses .*race\.db"):
        Hold(tmp_path / "race.db")

    hold.release()

    Hold(tmp_path / "race.db").release()


def test_two_files_of_one_folder_are_held_apart(tmp_path: Path) -> None:
    first = Hold(tmp_path / "a.db")
    second = Hold(tmp_path / "b.db")
    first.release()
    second.release()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadDatabase, match="DATABASE_URL"):
        Hold(tmp_path / "nowhere" / "race.db")
