"""Standings: exact ranks, ties included."""

from collections.abc import Iterable

from msgspec import Struct

from server.race.player import Player
from server.race.states import PlayerState


class Entry(Struct, frozen=True):
    """How one player stands, without a rank.

    Attributes:
        placed: cards on the foundations now, 0 before the race and up to 52.
        score: points (`CF1`) or dollars (`CH1`).
        actions: accepted actions so far, undo included.
        at_ms: on the player's own race clock, when `placed` last changed; 0 if never.
    """

    player: Player
    state: PlayerState
    placed: int
    score: int
    actions: int
    at_ms: int


class Standing(Entry, frozen=True):
    """How one player stands, with the rank: equal results share it, the next rank skips."""

    rank: int


def rank_key(entry: Entry) -> tuple[bool, int, int, int]:
    """Give what decides the order: won, then placed, then time, then fewer actions."""
    return (entry.state != "won", -entry.placed, entry.at_ms, entry.actions)


def rank(entries: Iterable[Entry]) -> list[Standing]:
    """Order entries, best first; equal ones share a rank and keep the order they came in."""
    standings: list[Standing] = []
    place, previous = 0, None
    for position, entry in enumerate(sorted(entries, key=rank_key), start=1):
        if (key := rank_key(entry)) != previous:
            place, previous = position, key
        standings.append(with_rank(entry, place))
    return standings


def with_rank(entry: Entry, place: int) -> Standing:
    """Put a rank to an entry."""
    return Standing(
        player=entry.player,
        state=entry.state,
        placed=entry.placed,
        score=entry.score,
        actions=entry.actions,
        at_ms=entry.at_ms,
        rank=place,
    )
