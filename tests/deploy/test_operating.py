"""The page for who runs a server: what it names is there."""

from __future__ import annotations

import configparser
import re

import pytest
import typer.main
from prometheus_client import generate_latest

from server import metrics
from server.cli import app
from server.settings import describe_settings
from tests.deploy.files import CADDYFILE, OPERATING, ROOT, services

PAGE = OPERATING.read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_every_command_of_the_server_is_one() -> None:
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    named = set(re.findall(r"canfield-race\s(\w+)", PAGE))

    assert named
    assert named <= set(group.commands)


def test_every_setting_of_the_server_is_one() -> None:
    named = set(re.findall(r"\bRACE_[A-Z_]+|\b(?:DATABASE|REDIS)_URL", PAGE))

    assert named <= {setting.variable for setting in describe_settings()}


def test_every_metric_is_told_by_the_server() -> None:
    told = generate_latest(metrics._registry).decode()
    named = set(re.findall(r"`(canfield_\w+)`", PAGE))

    assert len(named) >= 10
    assert [name for name in named if f"# HELP {name} " not in told] == []


def test_every_service_that_is_stopped_started_or_asked_is_in_the_compose_file() -> None:
    named = set(re.findall(r"\b(?:server-\d|database|migrate|proxy)\b", "".join(blocks(""))))

    assert named <= set(services())


@pytest.mark.parametrize("variable", ["SITE", "SERVERS"])
def test_the_proxy_without_docker_is_told_what_its_configuration_takes(variable: str) -> None:
    [line] = re.findall(r"^.*caddy run --config (\S+)$", PAGE, re.MULTILINE)

    assert ROOT / line == CADDYFILE
    assert f"{{${variable}:" in CADDYFILE.read_text("utf-8")


def test_the_unit_gives_a_server_the_time_and_the_files_that_it_needs() -> None:
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read_string(blocks("ini")[0])

    assert int(unit["Service"]["TimeoutStopSec"]) > 10
    assert int(unit["Service"]["LimitNOFILE"]) >= 65536
    assert unit["Service"]["KillMode"] == "mixed"


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", PAGE):
        assert (OPERATING.parent / target).exists(), target
