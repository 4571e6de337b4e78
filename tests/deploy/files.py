"""The files that a deployment is made of, read as the tools that use them read them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "docker-compose.yml"
DOCKERFILE = ROOT / "Dockerfile"
CADDYFILE = ROOT / "server" / "deploy" / "Caddyfile"
OPERATING = ROOT / "server" / "OPERATING.md"

VARIABLE = re.compile(r"\$\{(?P<name>\w+)(?::(?P<kind>[-?])(?P<rest>[^}]*))?\}")
LONGER_LINE = re.compile(r"\\\n")


class Instruction(NamedTuple):
    """One instruction of a Dockerfile, `COPY server server`."""

    word: str
    rest: str

    @property
    def as_list(self) -> list[str]:
        """The arguments of its list form: `["canfield-race"]`."""
        arguments: list[str] = json.loads(self.rest)
        return arguments


def stages() -> list[list[Instruction]]:
    """Give the stages of the Dockerfile; the last one is what runs."""
    found: list[list[Instruction]] = []
    for line in LONGER_LINE.sub("", DOCKERFILE.read_text("utf-8")).splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        word, _, rest = line.partition(" ")
        if word == "FROM":
            found.append([])
        found[-1].append(Instruction(word, rest.strip()))
    return found


def last(word: str) -> Instruction:
    """Give an instruction that there is once in what runs."""
    [instruction] = [found for found in stages()[-1] if found.word == word]
    return instruction


def entry_point() -> str:
    """Name the command that the image runs, whatever its arguments."""
    [command] = last("ENTRYPOINT").as_list
    return command


def elsewhere(arguments: list[str], host: str, port: int) -> list[str]:
    """Give the arguments of a server that listens at another address.

    >>> elsewhere(["serve", "--host", "0.0.0.0", "--port", "8000"], "127.0.0.1", 8001)
    ['serve', '--host', '127.0.0.1', '--port', '8001']
    """
    moved = list(arguments)
    moved[moved.index("--host") + 1] = host
    moved[moved.index("--port") + 1] = str(port)
    return moved


def whole() -> dict[str, Any]:
    """Give the whole compose file, with what its services share filled in."""
    found: dict[str, Any] = yaml.safe_load(COMPOSE.read_text("utf-8"))
    return found


def services() -> dict[str, dict[str, Any]]:
    """Give the services of the compose file."""
    found: dict[str, dict[str, Any]] = whole()["services"]
    return found


def seconds(duration: str) -> int:
    """Read a duration of the compose file.

    >>> seconds("20s"), seconds("2m")
    (20, 120)
    """
    return int(duration[:-1]) * {"s": 1, "m": 60}[duration[-1]]


def variables(text: str) -> dict[str, str | None]:
    """Tell which variables a text takes, each with its default; None: it has to be given.

    >>> variables("${A:?no}:${B:-80}")
    {'A': None, 'B': '80'}
    """
    return {
        found["name"]: found["rest"] if found["kind"] == "-" else None
        for found in VARIABLE.finditer(text)
    }


def filled(text: str, given: Mapping[str, str]) -> str:
    """Fill the variables in, as `docker compose` does.

    >>> filled("${A:?no}:${B:-80}", {"A": "here"})
    'here:80'
    """
    values = {name: value for name, value in variables(text).items() if value is not None}
    return VARIABLE.sub(lambda found: {**values, **given}[found["name"]], text)


def environment_of(service: str, given: Mapping[str, str]) -> dict[str, str]:
    """Give the environment that a service's process gets."""
    return {
        name: filled(value, given) for name, value in services()[service]["environment"].items()
    }


def command_of(service: str, given: Mapping[str, str]) -> list[str]:
    """Give the command that a service runs, where it is not its image's own."""
    return [filled(word, given) for word in services()[service]["command"]]
