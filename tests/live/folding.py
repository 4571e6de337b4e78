"""What a client makes of a room: its snapshot, with every event that followed folded in."""

from typing import Any, Self

Json = dict[str, Any]
State = tuple[Json, dict[str, Json]]
"""A room without its standings, and each player's entry."""


class Folded:
    """A room as its `welcome` and the frames after it tell it."""

    def __init__(self) -> None:
        self.room: Json = {}
        self.entries: dict[str, Json] = {}
        self.offset = -1

    def take(self, frame: Json) -> Self:
        """Take the next frame; what is not about the room is ignored."""
        if frame["type"] == "welcome" and frame["recovered"]:
            assert (frame["room"], frame["offset"]) == (None, self.offset)
        elif frame["type"] == "welcome":
            self.room = frame["room"]
            self.entries = {s["player"]["id"]: unranked(s) for s in self.room["standings"]}
            self.offset = frame["offset"]
        elif "offset" in frame:
            assert frame["offset"] > self.offset, "offsets rise"
            self.offset = frame["offset"]
            getattr(self, "_" + frame["type"])(frame)
        return self

    @property
    def state(self) -> State:
        """The room and its entries, to be held against `snapshot`."""
        return without_what_may_differ(self.room), self.entries

    def _joined(self, event: Json) -> None:
        new = {"state": "joined", "placed": 0, "score": 0, "actions": 0, "at_ms": 0}
        self.entries.setdefault(event["player"]["id"], {"player": event["player"], **new})

    def _left(self, event: Json) -> None:
        self.entries.pop(event["player"]["id"], None)
        self.room["host"] = event["host"]

    def _kicked(self, event: Json) -> None:
        self.entries.pop(event["player"]["id"], None)

    def _ready(self, event: Json) -> None:
        if entry := self.entries.get(event["player"]["id"]):
            entry["state"] = "ready" if event["ready"] else "joined"

    def _renamed(self, event: Json) -> None:
        player = event["player"]
        if entry := self.entries.get(player["id"]):
            entry["player"] = player
        if self.room["host"] and self.room["host"]["id"] == player["id"]:
            self.room["host"] = player

    def _countdown(self, event: Json) -> None:
        self.room |= {"state": "countdown", "starts_at": event["starts_at"]}

    def _started(self, event: Json) -> None:
        times = {name: event[name] for name in ("started_at", "ends_at", "nonce")}
        self.room |= {"state": "racing", "starts_at": event["started_at"], **times}
        self.room["code"] = event["code"]
        for entry in self.entries.values():
            entry["state"] = "racing"

    def _finished(self, event: Json) -> None:
        known = {name: event[name] for name in ("finished_at", "code", "nonce")}
        self.room |= {"state": "finished", **known}
        self.entries = {s["player"]["id"]: unranked(s) for s in event["standings"]}

    def _cancelled(self, _event: Json) -> None:
        self.room["state"] = "cancelled"

    def _rematch(self, event: Json) -> None:
        self.room["rematch"] = event["room"]

    def _standings(self, event: Json) -> None:
        for entry in event["entries"]:
            known = self.entries.get(entry["player"]["id"])
            if known and entry["actions"] >= known["actions"]:
                self.entries[entry["player"]["id"]] = entry


def snapshot(room: Json) -> State:
    """A fresh view of the room, as `Folded.state` gives it."""
    entries = {s["player"]["id"]: unranked(s) for s in room["standings"]}
    assert room["player_count"] == len(entries)
    return without_what_may_differ(room), entries


def unranked(standing: Json) -> Json:
    return {name: value for name, value in standing.items() if name != "rank"}


def without_what_may_differ(room: Json) -> Json:
    beside = ("spectators", "version", "standings", "player_count")
    return {name: value for name, value in room.items() if name not in beside}
