"""The image: what the Dockerfile says, and its steps done by hand where no engine is."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from server.api.assets import read_assets
from server.api.page import FOR_EVER
from tests.deploy.files import ROOT, elsewhere, entry_point, last, stages
from tests.deploy.processes import LOCAL, Daemon, free_port

BUILD, RUN = stages()
INSTRUCTIONS = {"FROM", "RUN", "ENV", "WORKDIR", "COPY", "USER", "EXPOSE", "STOPSIGNAL"} | {
    "HEALTHCHECK", "ENTRYPOINT", "CMD",
}  # fmt: skip


def test_every_line_is_an_instruction_that_is_known_here() -> None:
    assert {found.word for found in BUILD + RUN} <= INSTRUCTIONS


def test_both_stages_are_the_same_small_python() -> None:
    assert BUILD[0].rest.split()[0] == RUN[0].rest == "python:3.13-slim"


def test_what_runs_is_a_user_of_a_fixed_number_who_is_not_root() -> None:
    user, group = last("USER").rest.split(":")

    assert int(user) > 0
    assert int(group) > 0
    assert f"--uid {user}" in last("RUN").rest
    assert f"--gid {group}" in last("RUN").rest


def test_nothing_is_run_as_that_user_but_the_server() -> None:
    words = [found.word for found in RUN]

    assert "RUN" not in words[words.index("USER") :]


def test_the_server_is_started_without_a_shell_that_would_keep_the_signal_to_stop() -> None:
    assert last("STOPSIGNAL").rest == "SIGTERM"
    assert last("ENTRYPOINT").as_list == ["canfield-race"]
    assert " ".join(last("CMD").as_list) == "serve --host 0.0.0.0 --port 8000"


def test_the_health_check_asks_the_server_itself() -> None:
    options, _, command = last("HEALTHCHECK").rest.partition(" CMD ")

    assert command == '["canfield-race", "healthcheck"]'
    assert "--interval=" in options
    assert "--timeout=" in options


def test_logs_come_at_once_and_a_root_folder_that_is_read_only_will_do() -> None:
    environment = last("ENV").rest

    assert "PYTHONUNBUFFERED=1" in environment
    assert "PYTHONDONTWRITEBYTECODE=1" in environment


def test_no_secret_and_no_address_is_in_it() -> None:
    text = "\n".join(f"{found.word} {found.rest}" for found in BUILD + RUN)

    assert not re.search(r"https?://|password|secret|token|index-url", text, re.IGNORECASE)
    assert {found.word for found in BUILD + RUN}.isdisjoint({"ADD", "ARG"})


def test_what_runs_has_no_tools_to_build_with() -> None:
    assert not [found for found in RUN if re.search(r"\b(apt|apt-get|pip|gcc)\b", found.rest)]


def copied() -> list[str]:
    """Everything that the build stage takes from the tree."""
    return [name for found in BUILD if found.word == "COPY" for name in found.rest.split()[:-1]]


def test_only_what_the_build_copies_is_sent_to_it() -> None:
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()

    assert "*" in lines
    assert {line[1:] for line in lines if line.startswith("!")} == set(copied())


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the build stage has: nothing but what is copied there, links as links."""
    source = tmp_path_factory.mktemp("source")
    for name in copied():
        if (ROOT / name).is_dir():
            shutil.copytree(
                ROOT / name,
                source / name,
                symlinks=True,
                ignore=shutil.ignore_patterns("__pycache__"),
            )
        else:
            shutil.copy(ROOT / name, source / name)
    return source


@pytest.fixture(scope="module")
def installed(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as the build stage installs it."""
    folder = tmp_path_factory.mktemp("installed")
    offline = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    subprocess.run(  # noqa: S603 — the words stand here
        [sys.executable, "-m", "pip", "install", "--quiet", *offline, "--target", folder, source],
        check=True,
    )
    return folder


def run_installed(folder: Path, *command: str, **environment: str) -> str:
    """Run a command of the installed package, away from the tree."""
    found = subprocess.run(  # noqa: S603 — the commands stand in this file
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)} | environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return found.stdout.strip()


def test_the_installed_package_is_whole_without_the_tree(installed: Path) -> None:
    code = "import server.serve, server.store.migrations as m; print(server.__file__, m.FOLDER)"

    found = run_installed(installed, sys.executable, "-c", code)

    assert [Path(name) for name in found.split()] == [
        installed / "server" / "__init__.py",
        installed / "migrations",
    ]


def test_the_installed_package_has_the_page_and_nothing_of_those_who_work_on_it(
    source: Path, installed: Path
) -> None:
    page = installed / "server" / "page"

    assert not page.is_symlink()
    assert read_assets(page) == read_assets(source / "clients" / "web")
    assert not [path for path in page.rglob("*") if path.suffix in {".json", ".md", ".mjs"}]


async def test_the_installed_package_migrates_serves_and_tells_that_it_is_healthy(
    installed: Path, tmp_path: Path
) -> None:
    page = read_assets(installed / "server" / "page")
    port = free_port()
    url = f"http://{LOCAL}:{port}"
    environment = {
        "DATABASE_URL": f"sqlite+aiosqlite:///{tmp_path}/race.db",
        "PYTHONPATH": str(installed),
    }
    command = str(installed / "bin" / entry_point())
    arguments = elsewhere(last("CMD").as_list, LOCAL, port)
    server = Daemon("server", [command, *arguments], folder=tmp_path, environment=environment)
    run_installed(installed, command, "migrate", **environment)
    await server.start(ready=url)
    try:
        answer = await asyncio.to_thread(
            run_installed, installed, command, "healthcheck", "--url", url, **environment
        )
        assert '"ready":true' in answer
        async with httpx2.AsyncClient(base_url=url, trust_env=False) as http:
            document = await http.get("/")
            script = await http.get(f"/web/{page.hash}/app.js")
        assert f"/web/{page.hash}/app.js" in document.text
        assert script.headers["cache-control"] == FOR_EVER
    finally:
        await server.stop()
