"""How strong players are, from how they stood: Bayesian ratings by openskill.

One model for every room, Bradley-Terry: everyone is compared with everyone at the table, and what
that says is averaged, so that a race among thirty moves nobody further than a race between two.
openskill calls the model that averages the partial one, after the window of neighbours by rank that
it can be limited to; the window here is as wide as the table.
"""

from collections.abc import Sequence

from msgspec import Struct
from openskill.models import BradleyTerryPart

TABLE = 1000
"""How many are compared with each other at most: a larger field sits at several tables."""

MODEL = BradleyTerryPart(window_size=TABLE)

DEVIATIONS = 3
"""How many standard deviations below what is most likely the published rating lies."""


class Belief(Struct, frozen=True):
    """What is believed of a player's strength: a normal distribution.

    Attributes:
        mu: its mean.
        sigma: its standard deviation.
    """

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma

    @property
    def rating(self) -> float:
        """The rating as published: a player is almost certainly at least this strong.

        Who is new starts at 0. A lucky first race leads no board, since it tells little; numbers
        are cut to what is shown of them, so that who is shown equal is equal.

        >>> Belief().rating
        0.0
        """
        return round(self.mu - DEVIATIONS * self.sigma, 2) + 0.0  # no -0.0

    @property
    def uncertainty(self) -> float:
        """The standard deviation as published."""
        return round(self.sigma, 2)


class Entrant(Struct, frozen=True):
    """Somebody who was racing at the start: how strong before, and how ranked at the end."""

    player_id: str
    rank: int
    before: Belief


def rate(field: Sequence[Entrant]) -> list[Belief]:
    """Give what is believed of everyone after a race, in the order they are given in.

    A field too large for one table is dealt to several in the order of its ranks, as cards are: so
    everyone meets the whole range from the first to the last, and the time that it takes
    grows with the field, not with its square. Nobody learns anything from a race alone.
    """
    order = sorted(range(len(field)), key=lambda seat: (field[seat].rank, field[seat].player_id))
    beliefs = [entrant.before for entrant in field]
    tables = -(-len(field) // TABLE)
    for first in range(tables):
        table = order[first::tables]
        if len(table) > 1:
            for seat, belief in zip(table, _rate([field[seat] for seat in table]), strict=True):
                beliefs[seat] = belief
    return beliefs


def _rate(table: list[Entrant]) -> list[Belief]:
    rated = MODEL.rate(
        [[MODEL.rating(one.before.mu, one.before.sigma)] for one in table],
        ranks=[float(one.rank) for one in table],
    )
    return [Belief(mu=one.mu, sigma=one.sigma) for (one,) in rated]
