"""What the client's tests are built from: shapes with everything that does not matter filled in."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from canfield_race_client.backoff import Backoff
from canfield_race_client.live_core import LiveCore
from canfield_race_client.shapes import Game, Player, Room, Standing

ANA = Player(id="p_ana", name="Ana")
BO = Player(id="p_bo", name="Bo")
CY = Player(id="p_cy", name="Cy", kind="bot")


def a_standing(player: Player = ANA, **fields: Any) -> Standing:
    standing: dict[str, Any] = {"player": player, "state": "racing"}
    return Standing(**(standing | fields))


def a_room(**fields: Any) -> Room:
    room: dict[str, Any] = {
        "id": "k3x9q2ab",
        "state": "racing",
        "ruleset": "CF1",
        "draw": 3,
        "host": ANA,
        "standings": [a_standing(ANA), a_standing(BO)],
        "player_count": 2,
    }
    return Room(**(room | fields))


def a_game(**fields: Any) -> Game:
    """The start of the well-known deal `CF1-D3-AAAAACL`."""
    game: dict[str, Any] = {
        "room": "k3x9q2ab",
        "state": "racing",
        "ply": 0,
        "base": "7",
        "stock_count": 34,
        "waste": [],
        "reserve_count": 13,
        "reserve_top": "JD",
        "columns": [["QC"], ["KH"], ["3H"], ["AS"]],
        "foundations": {"C": 0, "D": 0, "H": 1, "S": 0},
        "position": "34||13:JD|QC/KH/3H/AS|0,0,1,0",
        "hash": "5f8aa2c9",
        "legal_moves": ["12", "24", "d", "r1"],
        "placed": 1,
    }
    return msgspec.convert(game | fields, Game)


def a_frame(kind: str, **fields: Any) -> str:
    """A frame as the server writes it."""
    return json.dumps({"type": kind, **msgspec.to_builtins(fields)})


def a_welcome(**fields: Any) -> str:
    welcome = {"epoch": "e1", "offset": 10, "recovered": False, "room": a_room()}
    return a_frame("welcome", **(welcome | fields))


def a_game_frame(**fields: Any) -> str:
    return a_frame("game", **msgspec.structs.asdict(a_game(**fields)))


def an_ack(ply: int, move: str, **fields: Any) -> str:
    ack = {"revealed": [], "placed": 1, "hash": "not checked", "state": "racing"}
    return a_frame("ack", ply=ply, move=move, **(ack | fields))


def a_reject(ply: int, code: str, next_ply: int) -> str:
    return a_frame("reject", ply=ply, code=code, detail=code, next_ply=next_ply)


def a_core(*, token: str | None = "secret", max_resends: int = 60) -> LiveCore:  # noqa: S107 — no secret
    """A core before its first connection, whose chance always falls on the shortest wait."""
    backoff = Backoff(chance=lambda: 0.0, max_attempts=max_resends)
    return LiveCore(token=token, resend_backoff=backoff)


def a_racing_core(**game: Any) -> LiveCore:
    """A core in the middle of a race, with nothing on its way."""
    core = a_core()
    core.opened()
    core.receive(a_welcome())
    core.receive(a_frame("you", player=ANA, host=True, state="racing", entry=a_standing(ANA)))
    core.receive(a_game_frame(**game))
    core.take_out()
    return core


def sent_by(core: LiveCore) -> list[dict[str, Any]]:
    """The frames that a core wants to send now."""
    return [json.loads(text) for text, _ in core.take_out()]
