from __future__ import annotations

from pathlib import Path

import canfield_race_client


def test_the_package_is_typed_for_those_who_use_it() -> None:
    assert (Path(canfield_race_client.__file__).parent / "py.typed").exists()
