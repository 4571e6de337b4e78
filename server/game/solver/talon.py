"""Stock and waste as one: which cards can be brought to the top of the waste by drawing alone."""


class Talon:
    """Stock and waste in drawing order, as far as they decide what can be played.

    Drawing and turning over never change the order of the cards, only how many of them lie on the
    waste: its height. The top of a waste of height `h` is the `h`th card. All heights that can be
    had by drawing alone can be had again and again (rules S1, S2), so each of their cards is one
    step away.

    Attributes:
        order: the cards, the one drawn first in front.
        key: stands for the order; no other order of a search has it.
        cards: the cards that can be brought to the top, those that need few draws first.
        heights: for each of `cards`, the height of the waste that has it on top.
        bit: stands for the height in a set of bits.
        covered_by: the set of heights from which at least all this can be reached, its own too.
    """

    __slots__ = ("after", "bit", "cards", "covered_by", "heights", "key", "order")

    def __init__(self, order: bytes, height: int, draw: int, key: bytes) -> None:
        self.order = order
        self.key = key
        self.heights = reachable(len(order), height, draw)
        self.cards = bytes([order[h - 1] for h in self.heights])
        self.bit = 1 << height
        self.covered_by = sum(1 << h for h in range(height % draw, height + 1, draw))
        if not height:
            self.covered_by = (1 << len(order) + 1) - 1
        self.after: list[Talon | None] = [None] * len(self.heights)


class Talons:
    """The talons of one search, each made once."""

    def __init__(self, draw: int) -> None:
        self._draw = draw
        self._known: dict[tuple[bytes, int], Talon] = {}
        self._keys: dict[bytes, bytes] = {}

    def get(self, order: bytes, height: int) -> Talon:
        """Give the talon of these cards of which so many lie on the waste.

        A height that turning over leads to anyway might as well be 0: what can be reached from
        it is the same.
        """
        if height % self._draw == 0 or height == len(order):
            height = 0
        talon = self._known.get((order, height))
        if talon is None:
            key = self._keys.setdefault(order, len(self._keys).to_bytes(4, "big"))
            talon = Talon(order, height, self._draw, key)
            self._known[order, height] = talon
        return talon

    def without(self, talon: Talon, index: int) -> Talon:
        """Give what is left when the card at an index of `cards` has been played."""
        after = talon.after[index]
        if after is None:
            order, height = talon.order, talon.heights[index]
            after = self.get(order[: height - 1] + order[height:], height - 1)
            talon.after[index] = after
        return after


def reachable(count: int, height: int, draw: int) -> list[int]:
    """List the heights of a waste with a card on top that drawing leads to, the soonest first."""
    onwards = [*range(height, count, draw), count]
    again = range(draw, count, draw)
    return [h for h in dict.fromkeys([*onwards, *again]) if h]


def draws_between(count: int, start: int, end: int, draw: int) -> int:
    """Give how many draws lead from one height of the waste to another, turning over included.

    Does not check that they do: for heights of `reachable` only.
    """
    if end >= start and ((end - start) % draw == 0 or end == count):
        return -(-(end - start) // draw)
    return -(-(count - start) // draw) + 1 + -(-end // draw)
