from tests.game.builders import a_board_after, a_position


def test_the_picture_shows_what_a_player_may_see() -> None:
    board = a_board_after("12 rf 24x2 d")

    assert str(board).splitlines() == [
        "reserve JS (10 cards)   foundations -C -D 8H -S",
        "stock -- (31 cards)   waste AH QH 5D",
        "",
        " 1   2   3   4",
        "JD  QS  3H  AS",
        "            KH",
        "            QC",
    ]


def test_the_picture_shows_empty_piles() -> None:
    board = a_position("-/9S.8D/-/-")

    assert str(board).splitlines() == [
        "reserve -- (0 cards)   foundations -C -D -H -S",
        "stock -- (0 cards)   waste --",
        "",
        " 1   2   3   4",
        "    9S",
        "    8D",
    ]
