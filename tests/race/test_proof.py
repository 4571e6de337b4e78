import pytest

from server.game import GameCode
from server.race.proof import VARIANTS, Proof
from tests.game.builders import vectors
from tests.race.builders import OPEN_CODE

WIN: tuple[str, ...] = tuple(vectors("example_win.json"))


def test_a_line_to_the_win_holds_for_its_deal_and_for_no_other() -> None:
    proof = Proof(line=WIN, positions=1)

    assert proof.holds_for(GameCode.parse(OPEN_CODE))
    assert not proof.holds_for(GameCode.parse("CF1-D3-AAAAACM"))


@pytest.mark.parametrize(
    "line",
    [
        pytest.param((), id="nothing"),
        pytest.param(WIN[:-1], id="short of the win"),
        pytest.param((*WIN, "d"), id="past the win"),
        pytest.param(("1f", *WIN), id="a move that is not legal"),
        pytest.param(("12", "u", *WIN), id="an undo"),
        pytest.param(("w12", *WIN), id="no move at all"),
    ],
)
def test_a_line_that_does_not_end_with_the_win_holds_for_nothing(line: tuple[str, ...]) -> None:
    assert not Proof(line=line, positions=1).holds_for(GameCode.parse(OPEN_CODE))


def test_there_is_a_kind_of_deal_for_every_way_to_play_open_or_sealed() -> None:
    assert len(set(VARIANTS)) == len(VARIANTS) == 6
    assert {(one.ruleset, one.draw) for one in VARIANTS} == {("CF1", 3), ("CF1", 1), ("CH1", 3)}
