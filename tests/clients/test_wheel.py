"""What others install: the package has all it needs, the rules included, without the server."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.clients.exports import a_race, as_text

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "clients" / "python"
RULES = PACKAGE / "canfield_race_client" / "rules"
GAME = ROOT / "server" / "game"

CHECK = """
import importlib.util, sys
import canfield_race_client
from canfield_race_client.cli import main
assert importlib.util.find_spec("server") is None
assert canfield_race_client.__file__.startswith(sys.argv.pop(1))
main()
"""


def build(source: Path, kind: str, into: Path) -> Path:
    """What hatchling makes of a source tree, as `pip install` and publishing do."""
    command = (sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", into)
    subprocess.run(command, cwd=source, check=True, capture_output=True)  # noqa: S603 — our own tool
    [built] = into.iterdir()
    return built


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package as its wheel has it, built from an unpacked source release."""
    folder = tmp_path_factory.mktemp("client")
    with tarfile.open(build(PACKAGE, "sdist", folder / "sdist")) as source:
        source.extractall(folder / "source", filter="data")
    [unpacked] = (folder / "source").iterdir()
    with zipfile.ZipFile(build(unpacked, "wheel", folder / "wheel")) as wheel:
        wheel.extractall(folder / "installed")  # noqa: S202 — built just now
    return folder / "installed"


def verify(installed: Path, export: Path) -> subprocess.CompletedProcess[str]:
    """`canfield verify` in a Python that has the package and what it depends on, and no server."""
    libraries = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(installed), *libraries])}
    return subprocess.run(  # noqa: S603 — our own program
        # -S: site-packages without its .pth files, which would bring the checkout in.
        (sys.executable, "-S", "-c", CHECK, installed, "verify", export),
        cwd=export.parent,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_one_engine_is_in_the_server_and_in_the_client() -> None:
    assert RULES.resolve() == GAME.resolve()


def test_a_wheel_carries_every_file_of_the_rules(installed: Path) -> None:
    for file in GAME.rglob("*.py"):
        carried = installed / "canfield_race_client" / "rules" / file.relative_to(GAME)
        assert carried.read_bytes() == file.read_bytes()


def test_an_installed_client_verifies_without_the_server(installed: Path, tmp_path: Path) -> None:
    export = tmp_path / "room.ndjson"
    lines = a_race()
    export.write_bytes(b"".join(as_text(lines)))
    held = verify(installed, export)
    assert (held.returncode, held.stderr) == (0, "")
    assert "5 games of room k3x9q2ab" in held.stdout
    lines[2]["result"]["score"] += 5
    export.write_bytes(b"".join(as_text(lines)))
    refused = verify(installed, export)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "line 3, game g_ana, player Ana: score 260" in refused.stderr
