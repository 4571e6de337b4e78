"""The page for people who write clients, `server/api/API.md`, held against the server."""

import json
import re
import shlex
from pathlib import Path

from server.api.asyncapi import CLOSE_CODES, FROM_CLIENTS
from server.api.problems import STATUS
from server.live.conversation import COSTS
from tests.api.driver import OPENAPI, Api, Player, a_name, serving
from tests.api.listening import RECEIVED, SENT, listening

PAGE = (Path(__file__).parents[2] / "server" / "api" / "API.md").read_text()
SESSION = re.findall(r"(?m)^([<>]) (\{.*\})$", PAGE.partition("```session")[2])

ANA = a_name()
"""A name that is free here; a reader's Ana has a server of her own."""

VARYING = {"elapsed_ms", "at_ms", "server_time", "started_at", "ends_at", "finished_at"}
VARYING |= {"epoch", "offset", "room", "nonce"}


def rows(header: str) -> list[list[str]]:
    """The cells of the table under a header."""
    body = PAGE.partition(header)[2].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in body]


def test_the_table_of_refusals_has_every_code_with_its_status() -> None:
    told = {
        code.strip("` "): int(status) for code, status, _ in rows("| code | status | what to do |")
    }

    assert told == STATUS


def test_the_table_of_close_codes_has_every_code_and_what_to_do() -> None:
    told = [
        (int(code), why.replace("`", ""), again.strip(" |") == "yes")
        for code, why, again in rows("| close code | why | reconnect |")
    ]

    assert told == list(CLOSE_CODES)


async def test_the_table_of_limits_has_every_limit_with_its_default(sqlite_url: str) -> None:
    async with serving(
        sqlite_url,
        calls_per_minute=1200,
        players_per_hour=60,
        rooms_per_minute=20,
        analyses_per_minute=20,
    ) as api:
        limits = await api.get("/limits")

    told = {
        cell.split("`")[1]: int(default.strip(" |"))
        for cell, default in rows("| limit | default |")
    }
    assert told == limits


def test_the_costs_of_frames_are_as_told() -> None:
    costs = {frame.__struct_config__.tag: COSTS[frame] for frame in FROM_CLIENTS if frame in COSTS}

    assert costs == {"ready": 5, "start": 5, "resign": 5, "sync": 2}
    assert len(costs) == len(COSTS)
    assert "`ready`, `start` and `resign` cost five frames, `sync` two." in PAGE


def test_every_call_and_every_frame_is_mentioned() -> None:
    for path in OPENAPI["paths"]:
        assert path.removeprefix("/api/v1").rpartition("/")[2] in PAGE, path
    for kind in RECEIVED.keys() | SENT.keys():
        assert f"`{kind}" in PAGE, kind


async def test_the_session_goes_as_it_is_told(sqlite_api: Api) -> None:
    ana, room_id = await by_the_curls(sqlite_api)
    async with listening(ana, room_id, hello=False) as socket:
        for direction, text in SESSION:
            if direction == ">":
                await socket.connection.send(text.replace("$TOKEN", str(ana.token)))
                continue
            told = json.loads(re.sub(r"\{…\}", "{}", text))
            heard = await socket.expect(told["type"])
            assert heard.keys() == told.keys()
            for name in told.keys() - VARYING - {"player", "entry", "standings"}:
                assert heard[name] == told[name], (told["type"], name)


async def by_the_curls(api: Api) -> tuple[Player, str]:
    """Make the page's calls in their order; gives the player and the room they made."""
    known = {"API": "", "TOKEN": "", "ROOM": ""}
    answers = []
    for line in re.findall(r"(?m)^curl -s (.*)$", PAGE):
        path, *options = shlex.split(re.sub(r"\$(\w+)", lambda name: known[name[1]], line))
        given = [*zip(options[::2], options[1::2], strict=True)]
        response = await api.send(
            "POST",
            path,
            content=next((value for flag, value in given if flag == "-d"), "").replace("Ana", ANA),
            headers=dict(value.split(": ") for flag, value in given if flag == "-H"),
        )
        assert response.is_success, response.text
        answers.append(response.json())
        known["TOKEN"] = answers[0]["token"]
        known["ROOM"] = answers[-1].get("id", "")
    return Player(api.client, known["TOKEN"], answers[0]["player"]), known["ROOM"]
