"""What everyone may know of a player, and what players know of their own tokens."""

from msgspec import Struct

from server.race.instants import Instant
from server.race.player import Player
from server.race.settings import RulesetName
from server.race.states import PlayerState


class RecentGame(Struct, frozen=True):
    """A game that a player has ended lately, in a room that has finished."""

    id: str
    room: str
    ruleset: RulesetName
    draw: int
    state: PlayerState
    placed: int
    score: int
    rank: int
    ended_at: Instant


class Rating(Struct, frozen=True):
    """How strong a player is in one variant.

    Attributes:
        rating: what the player is almost certainly worth at least; 0 for who is new.
        uncertainty: a standard deviation of what is believed; three of them have been taken off.
    """

    ruleset: RulesetName
    draw: int
    rating: float
    uncertainty: float


class Profile(Struct, frozen=True):
    """A player's public page.

    Attributes:
        games: games in rooms that have finished.
        best_ms: the fastest win, on the player's own clock; null without one.
        streak: days in a row, up to today or yesterday, with a win in the daily.
        ratings: one for each variant that the player is rated in.
        recent_games: newest first.
    """

    player: Player
    games: int
    wins: int
    best_ms: int | None
    streak: int
    ratings: list[Rating]
    recent_games: list[RecentGame]


class TokenInfo(Struct, frozen=True):
    """A token as its owner sees it listed: never the token itself."""

    id: str
    label: str
    created_at: Instant
    current: bool
