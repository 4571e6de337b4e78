"""The leaderboards: which there are, what they are kept for, and who has which rank."""

from collections.abc import Sequence
from datetime import date
from typing import Literal

from msgspec import Struct

from server.game import RULESETS
from server.race.errors import Invalid, NotFound
from server.race.instants import Instant
from server.race.periods import Period
from server.race.player import Kind, Player
from server.race.settings import Draw, RulesetName

BoardName = Literal["fastest", "placed", "rating", "streak", "winnings", "wins"]
Unit = Literal["wins", "ms", "cards", "days", "dollars", "points"]


class Variant(Struct, frozen=True):
    """A ruleset with the number of cards that are drawn at a time."""

    ruleset: RulesetName
    draw: Draw


class Board(Struct, frozen=True):
    """A leaderboard.

    Attributes:
        board: the name to ask for it by.
        unit: what its values count; `ms` are milliseconds.
        best: which value comes first.
        variants: what it is kept for; the first is the default.
    """

    board: BoardName
    title: str
    description: str
    unit: Unit
    best: Literal["highest", "lowest"]
    variants: tuple[Variant, ...]


class Chart(Struct, frozen=True):
    """One list of a leaderboard: everyone of a kind, in a variant and a period."""

    board: Board
    period: Period
    start: date
    variant: Variant
    kind: Kind

    @property
    def name(self) -> str:
        """What no other list is called."""
        variant = f"{self.variant.ruleset}-D{self.variant.draw}"
        return f"{self.board.board}/{self.period}/{self.start}/{variant}/{self.kind}"


class BoardItem(Struct, frozen=True):
    """A player on a leaderboard.

    Attributes:
        rank: equal values share it, the next rank skips.
        value: in the board's unit.
        games: all that count in this variant and period.
    """

    rank: int
    player: Player
    value: int | float
    games: int


class BoardPage(Struct, frozen=True):
    """A page of a leaderboard, as it was at one moment.

    Attributes:
        as_of: when it was read; everything counted by then is in it.
        next: the cursor to give as `after` for the next page; null on the last one.
    """

    board: BoardName
    period: Period
    as_of: Instant
    items: list[BoardItem]
    next: str | None


CF1_DRAW_3, CF1_DRAW_1, CH1 = Variant("CF1", 3), Variant("CF1", 1), Variant("CH1", 3)
EVERY_VARIANT = (CF1_DRAW_3, CF1_DRAW_1, CH1)

BOARDS: dict[str, Board] = {
    board.board: board
    for board in (
        Board(
            "fastest",
            "Fastest win",
            "The fastest win in a sealed room, from the start of the player's own clock.",
            "ms",
            "lowest",
            EVERY_VARIANT,
        ),
        Board(
            "placed",
            "Cards placed",
            "Cards on the foundations at the end, over all games.",
            "cards",
            "highest",
            EVERY_VARIANT,
        ),
        Board(
            "rating",
            "Rating",
            "The rating after the last rated game of the period: sealed rooms, against humans.",
            "points",
            "highest",
            EVERY_VARIANT,
        ),
        Board(
            "streak",
            "Daily streak",
            "Days in a row with a win in the daily, as a win of the period left it.",
            "days",
            "highest",
            (CF1_DRAW_3,),
        ),
        Board(
            "winnings",
            "Winnings",
            "Dollars won and lost, over all games.",
            "dollars",
            "highest",
            (CH1,),
        ),
        Board("wins", "Wins", "Games won.", "wins", "highest", EVERY_VARIANT),
    )
}
"""Every leaderboard by its name, in the order of the names."""


def find_board(name: str) -> Board:
    """Give a board by its name.

    Raises:
        NotFound: there is none; those that there are are named.
    """
    if name not in BOARDS:
        raise NotFound(f"no leaderboard {name!r}; there are: {', '.join(BOARDS)}")
    return BOARDS[name]


def settle_variant(board: Board, *, ruleset: RulesetName | None, draw: Draw | None) -> Variant:
    """Give the variant of a board that was asked for; what was left out is the board's first.

    Raises:
        Invalid: the board is not kept for it.
    """
    default = board.variants[0]
    wanted = Variant(ruleset or default.ruleset, draw or default.draw)
    if wanted in board.variants:
        return wanted
    rulesets = {variant.ruleset for variant in board.variants}
    if wanted.ruleset not in rulesets:
        raise Invalid(
            f"{board.board} is kept for {default.ruleset} only; leave ruleset out",
            pointer="/ruleset",
        )
    if wanted.draw in RULESETS[wanted.ruleset].draws:
        why = f"{board.board} is kept for"
    else:
        why = f"{wanted.ruleset} is played with"
    raise Invalid(f"{why} draw {default.draw} only; leave draw out", pointer="/draw")


def ranks(values: Sequence[float], *, ahead: int, better: int) -> list[int]:
    """Rank the values of a page.

    Args:
        values: as they stand on the page, the best first.
        ahead: how many stand before the first of them in the whole list.
        better: how many of those have a better value than the first.

    >>> ranks([9, 9, 7, 5], ahead=3, better=2)
    [3, 3, 6, 7]
    """
    given: list[int] = []
    for place, value in enumerate(values):
        if place == 0:
            given.append(better + 1)
        elif value == values[place - 1]:
            given.append(given[-1])
        else:
            given.append(ahead + place + 1)
    return given
