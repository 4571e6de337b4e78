"""The page's modules without a browser: what Node's own test runner finds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

NODE = Path(sys.executable).with_name("node")
UNITS = Path(__file__).parent / "unit"
FILES = sorted(path.relative_to(UNITS).as_posix() for path in UNITS.rglob("*.test.mjs"))


@pytest.mark.parametrize("file", FILES)
def test_every_test_of_a_module_passes(file: str) -> None:
    ran = subprocess.run(  # noqa: S603 — our own tests
        [NODE, "--test", file],
        cwd=UNITS,
        capture_output=True,
        text=True,
        check=False,
        timeout=110,
    )

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "skipped 0" in ran.stdout
