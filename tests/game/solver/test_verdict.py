"""The three answers are never one another."""

from server.game.solver import GivenUp, Hopeless, Solved


def test_the_three_answers_differ_even_after_as_many_positions() -> None:
    answers: set[object] = {Solved((), 5), Hopeless(5), GivenUp(5)}

    assert len(answers) == 3
