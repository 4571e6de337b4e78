"""Small positions, and what can be reached from them, found without the solver."""

from collections import deque
from random import Random

from server.game import CARDS, CF1, CH1, RANKS, SUITS, Board, Move, Ruleset
from server.game.cards import RESTS_ON
from server.game.piles import foundation_cards

VARIANTS: list[tuple[Ruleset, int]] = [(CF1, 3), (CF1, 1), (CH1, 3)]


def a_small_position(chance: Random, ruleset: Ruleset, draw: int, *, cards: int = 12) -> Board:
    """Few cards, near enough to each other for a lot to be possible; most columns are runs."""
    base = chance.choice(RANKS)
    foundations = {suit: chance.choice([0, 0, 0, 1, 1, 2]) for suit in SUITS}
    first = RANKS.index(base)
    near = [RANKS[(first + i) % 13] for i in (-2, -1, 0, 1, 2, 3, 4)]
    up = {card for suit, n in foundations.items() for card in foundation_cards(base, suit, n)}
    left = [card for card in CARDS if card[0] in near and card not in up]
    chance.shuffle(left)
    del left[cards:]
    columns = [[left.pop()] if left else [] for _ in range(4)]
    for column in columns:
        while left and chance.random() < 0.6:
            fitting = [card for card in left if column[-1] in RESTS_ON[card]]
            if chance.random() < 0.1:
                fitting = left
            if not fitting:
                break
            column.append(fitting[0])
            left.remove(fitting[0])
    reserve = [left.pop() for _ in range(chance.randint(0, len(left) // 2))]
    if not reserve and chance.random() < 0.5:
        left += columns.pop()
        columns.insert(chance.randrange(4), [])
    return Board.from_piles(
        ruleset,
        base=base,
        draw=draw,
        columns=columns,
        reserve=reserve,
        foundations=foundations,
        undo=False,
        **talon(chance, left),
    )


def talon(chance: Random, cards: list[str]) -> dict[str, list[str]]:
    """Some of the cards on the waste, the others in the stock."""
    height = chance.randint(0, len(cards))
    return {"waste": cards[:height], "stock": cards[height:]}


def an_ending(chance: Random, ruleset: Ruleset, draw: int, *, cards: int = 9) -> Board:
    """All 52 cards, few of them not yet on the foundations."""
    base = chance.choice(RANKS)
    heights = dict.fromkeys(SUITS, 13)
    for _ in range(cards):
        heights[chance.choice(SUITS)] -= 1
    up = {card for suit, n in heights.items() for card in foundation_cards(base, suit, n)}
    left = [card for card in CARDS if card not in up]
    chance.shuffle(left)
    columns: list[list[str]] = [[], [], [], []]
    for _ in range(chance.randint(0, len(left))):
        chance.choice(columns).append(left.pop())
    reserve = [left.pop() for _ in range(chance.randint(0, len(left)))] if all(columns) else []
    return Board.from_piles(
        ruleset,
        base=base,
        draw=draw,
        columns=columns,
        reserve=reserve,
        foundations=heights,
        undo=False,
        **talon(chance, left),
    )


def most_ever_placed(board: Board, *, positions: int) -> int | None:
    """Go through all that can be reached, move by move; None if that is more than so many.

    As dumb as can be: each position is a board of its own, known by its piles as they lie, all but
    the columns in their places.
    """
    seen = {_piles(board)}
    waiting = deque([board])
    most = board.placed
    while waiting:
        here = waiting.popleft()
        for move in here.legal_moves:
            there = here.copy()
            there.push(move)
            piles = _piles(there)
            if piles in seen:
                continue
            if len(seen) >= positions:
                return None
            seen.add(piles)
            most = max(most, there.placed)
            waiting.append(there)
    return most


def _piles(board: Board) -> str:
    columns, others = board._piles.all[:4], board._piles.all[4:]
    return "/".join(map(".".join, [*sorted(columns), *others]))


def after_playing(board: Board, line: tuple[str, ...]) -> Board:
    """The board that a line leads to."""
    twin = board.copy()
    for text in line:
        twin.push(Move.parse(text))
    return twin
