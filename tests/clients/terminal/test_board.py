from __future__ import annotations

from canfield_race_client.terminal.board import clock, draw_board
from rich.text import Text

from tests.clients.builders import a_game


def styles_of(text: Text, card: str) -> set[str]:
    start = text.plain.index(card)
    return {str(span.style) for span in text.spans if span.start <= start < span.end}


def test_every_pile_is_on_the_board() -> None:
    board = draw_board(a_game(waste=["6D", "KD", "JH"], stock_count=31)).plain
    for piece in (
        "stock 31",
        "waste 6D KD JH",
        "reserve JD (13)",
        "H 7",
        "base 7",
        "QC  KH  3H  AS",
    ):
        assert piece in board


def test_of_a_long_waste_the_newest_cards_are_shown() -> None:
    waste = [f"{rank}C" for rank in "A23456789TJQK"]
    board = draw_board(a_game(waste=waste)).plain
    assert "waste +7 8C 9C TC JC QC KC\n" in board


def test_an_empty_column_leaves_its_place_empty() -> None:
    columns: list[list[str]] = [["QC", "JD"], [], ["3H"], ["AS"]]
    assert "  QC      3H  AS\n  JD\n" in draw_board(a_game(columns=columns)).plain


def test_the_top_of_a_foundation_goes_around_the_king() -> None:
    board = draw_board(a_game(base="Q", foundations={"C": 3, "D": 0, "H": 13, "S": 1})).plain
    assert "C A  D -  H J  S Q\n" in board


def test_red_cards_are_red() -> None:
    text = draw_board(a_game())
    assert "bold red" in styles_of(text, "KH")
    assert "bold red" not in styles_of(text, "QC")


def test_a_race_time_is_cut_not_rounded() -> None:
    assert [clock(0), clock(59_999), clock(3_600_000)] == ["00:00.0", "00:59.9", "60:00.0"]
