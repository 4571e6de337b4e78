"""A game as text: the piles where a player expects them, cards in the notation of moves."""

from __future__ import annotations

from itertools import zip_longest

from rich.text import Text

from canfield_race_client.shapes import Game

WASTE_SHOWN = 6
RED = "bold red"
DIM = "dim"
RANKS = "A23456789TJQK"

NOTATION = """\
  d            draw, or turn the waste over
  wf rf 1f     waste, reserve, column to its foundation
  w1 r1        waste, reserve to a column
  12 12x3      last card, last 3 cards of column 1 to column 2
  H3           foundation back to a column
  w r 1 1x3    a tap: the server picks where the card goes
  u            undo
  ?            the legal moves
  ready start  before the race
  q            resign or leave
Several moves may stand on one line."""


def draw_board(game: Game) -> Text:
    """The whole board, a few lines long; red cards are red where there is colour.

    >>> from canfield_race_client.shapes import Foundations
    >>> print(draw_board(Game(room="r", state="racing", ply=0, base="7", stock_count=31,
    ...     waste=["6D", "KD", "JH"], reserve_count=13, reserve_top="JD",
    ...     columns=[["QC"], ["KH"], ["3H"], ["AS", "KH"]], foundations=Foundations(H=1),
    ...     position="", hash="", placed=1)))
    stock 31   waste 6D KD JH
    reserve JD (13)   base 7
    foundations  C -  D -  H 7  S -
    <BLANKLINE>
       1   2   3   4
      QC  KH  3H  AS
                  KH
    <BLANKLINE>
    placed 1   score 0   undo 0   00:00.0
    """
    text = Text()
    _add_stock(text, game)
    _add_foundations(text, game)
    text.append("   1   2   3   4\n", DIM)
    for row in zip_longest(*game.columns):
        line = Text()
        for card in row:
            line.append("  ").append_text(_card(card))
        line.rstrip()
        text.append_text(line).append("\n")
    text.append(f"\nplaced {game.placed}   score {game.score}   undo {game.undo_left}   ")
    return text.append(clock(game.elapsed_ms))


def clock(elapsed_ms: int) -> str:
    """A race time as minutes, seconds and tenths.

    >>> clock(83_450)
    '01:23.4'
    """
    minutes, rest_ms = divmod(elapsed_ms, 60_000)
    return f"{minutes:02d}:{rest_ms // 1000:02d}.{rest_ms % 1000 // 100}"


def _add_stock(text: Text, game: Game) -> None:
    text.append(f"stock {game.stock_count}   waste")
    hidden = len(game.waste) - WASTE_SHOWN
    if hidden > 0:
        text.append(f" +{hidden}", DIM)
    for card in game.waste[-WASTE_SHOWN:]:
        text.append(" ").append_text(_card(card))
    text.append("\n")


def _add_foundations(text: Text, game: Game) -> None:
    text.append("reserve ").append_text(_card(game.reserve_top or "-"))
    text.append(f" ({game.reserve_count})   base {game.base}\nfoundations")
    for suit in "CDHS":
        placed: int = getattr(game.foundations, suit)
        top = RANKS[(RANKS.index(game.base) + placed - 1) % len(RANKS)] if placed else "-"
        text.append("  ").append(suit, RED if suit in "DH" else "").append(f" {top}")
    text.append("\n\n")


def _card(card: str | None) -> Text:
    return Text(card or "  ", style=RED if card and card[-1] in "DH" else "")
