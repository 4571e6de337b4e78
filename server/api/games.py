"""One's own game while it is played; and any deal."""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from server.api.endpoint import Call, Endpoint, Nothing
from server.game import CARDS, BadCode, Board, GameCode
from server.live.messages import Ack, GameView, Ply, Reject
from server.race.errors import Invalid
from server.race.settings import RulesetName

MOST_MOVES = 100  # in one call


class Moves(Struct, frozen=True, forbid_unknown_fields=True):
    """Moves to be played one after the other; `ply` is the number of the first."""

    ply: Ply
    moves: Annotated[list[str], Meta(min_length=1, max_length=MOST_MOVES)]


class Played(Struct, frozen=True):
    """What became of moves: the acks, and the refusal that ended the list, if one did."""

    acks: list[Ack]
    reject: Reject | None


class DealView(Struct, frozen=True, kw_only=True):
    """A deal, laid open.

    Attributes:
        deck: the 52 cards in dealing order.
        stock: next card first.
        reserve, columns: oldest card first.
        position, hash: the start as its player sees it.
    """

    code: str
    ruleset: RulesetName
    draw: int
    base: str
    deck: list[str]
    reserve: list[str]
    columns: list[list[str]]
    stock: list[str]
    foundations: dict[str, int]
    position: str
    hash: str
    legal_moves: list[str]


async def show_my_game(call: Call[Nothing, Nothing]) -> GameView:
    """Show one's own game as it is now."""
    room = await call.services.referee.present(call.path["room"], asking=call.player)
    session = call.services.referee.session_of(room, call.player)
    await session.at_rest()
    return session.view(now_ms=call.services.clock.now_ms())


async def play(call: Call[Moves, Nothing]) -> Played:
    """Play without a socket; moves after a refused one are not tried."""
    room = await call.services.referee.present(call.path["room"], asking=call.player)
    session = call.services.referee.session_of(room, call.player)
    answers: list[Ack | Reject] = []

    def note(frame: bytes) -> None:
        answers.append(msgspec.json.decode(frame, type=Ack | Reject))

    for ply, move in enumerate(call.body.moves, start=call.body.ply):
        await session.play(ply, move, received_ms=call.received_ms, reply=note)
        if any(isinstance(answer, Reject) for answer in answers):
            break
    await session.settled()
    acks = [answer for answer in answers if isinstance(answer, Ack)]
    reject = next((answer for answer in answers if isinstance(answer, Reject)), None)
    return Played(acks=acks, reject=reject)


async def show_deal(call: Call[Nothing, Nothing]) -> DealView:
    """Deal any code: the start position and the whole deck."""
    try:
        code = GameCode.parse(call.path["code"])
    except BadCode as error:
        raise Invalid(str(error), pointer="/code") from error
    board = Board.deal(code)
    deck = [CARDS[number] for number in code.deck()]
    return DealView(
        code=str(code),
        ruleset="CH1" if code.ruleset.name == "CH1" else "CF1",
        draw=code.draw,
        base=board.base,
        deck=deck,
        reserve=deck[:13],
        columns=board.columns,
        stock=deck[18:],
        foundations=board.foundations,
        position=board.position,
        hash=board.hash,
        legal_moves=[str(move) for move in board.legal_moves],
    )


MINE = ("not_found", "not_a_player", "wrong_state")

ENDPOINTS = [
    Endpoint(
        "GET",
        "/rooms/{room}/game",
        show_my_game,
        GameView,
        "Games",
        auth="required",
        refuses=MINE,
    ),
    Endpoint(
        "POST",
        "/rooms/{room}/moves",
        play,
        Played,
        "Games",
        body=Moves,
        auth="required",
        refuses=MINE,
    ),
    Endpoint("GET", "/deals/{code}", show_deal, DealView, "Deals", refuses=("not_found",)),
]
