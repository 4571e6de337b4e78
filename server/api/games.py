"""Games: one's own while it is played, everyone's once the room has finished; and any deal."""

import asyncio
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta, Struct

from server.api.cursors import Page, PageQuery, cut_page
from server.api.endpoint import Call, Endpoint, Nothing
from server.game import CARDS, BadCode, Board, GameCode
from server.live.messages import Ack, GameView, Ply, Reject
from server.race.errors import Forbidden, Invalid, NotFound, WrongState
from server.race.instants import instant
from server.race.replays import Curve, GameSummary, Replay, trace
from server.race.room import Room
from server.race.settings import RulesetName
from server.race.standings import Standing
from server.race.states import STARTED

MOST_MOVES = 100  # in one call


class Place(NamedTuple):
    """A game's place in its room's list."""

    rank: int
    game_id: str


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


async def list_games(call: Call[Nothing, PageQuery]) -> Page[GameSummary]:
    """List the games of a finished room, best first."""
    room = await call.services.referee.present(call.path["room"])
    if room.state != "finished":
        raise WrongState("games are shown once their room has finished", state=room.state)
    results = {standing.player.id: standing for standing in room.standings()}
    items = [
        GameSummary(
            id=seat.game_id, room=room.id, player=seat.player, result=results[seat.player.id]
        )
        for seat in room.seats
    ]
    items.sort(key=_place)
    query = call.query
    return cut_page(items, key=_place, shape=Place, limit=query.limit, after=query.after)


async def show_game(call: Call[Nothing, Nothing]) -> Replay:
    """Show a game complete for a replay, once its room has finished."""
    game_id = call.path["game"]
    room = await call.services.referee.present(await call.services.games.room_of(game_id))
    result = _result_of(room, game_id)
    if room.state == "cancelled":
        raise NotFound("the race of this game was called off: nothing was played")
    if room.state != "finished" or room.started_at is None:
        raise Forbidden("a game is shown once its room has finished")
    log = await call.services.games.log(game_id)
    return Replay(
        id=game_id,
        room=room.id,
        player=result.player,
        code=str(room.deal.code),
        nonce=room.deal.nonce,
        commitment=room.deal.commitment,
        ruleset=room.settings.ruleset,
        draw=room.settings.draw,
        started_at=instant(room.started_at),
        moves=[action.move for action in log.actions],
        times_ms=[action.elapsed_ms for action in log.actions],
        result=result,
    )


async def show_curves(call: Call[Nothing, Nothing]) -> list[Curve]:
    """Show everyone's progress so far, best first."""
    room = await call.services.referee.present(call.path["room"])
    if room.state not in STARTED:
        raise WrongState("there is no progress before the race", state=room.state)
    curves = []
    for standing in room.standings():
        seat = room.seat_of(standing.player.id)
        if seat is not None:
            log = await call.services.games.log(seat.game_id)
            curves.append(Curve(standing.player, trace(room.deal.code, log.actions)))
            await asyncio.sleep(0)
    return curves


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


def _place(game: GameSummary) -> Place:
    return Place(game.result.rank, game.id)


def _result_of(room: Room, game_id: str) -> Standing:
    for seat in room.seats:
        if seat.game_id == game_id:
            return next(s for s in room.standings() if s.player.id == seat.player.id)
    raise NotFound(f"no game {game_id!r}")


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
    Endpoint(
        "GET",
        "/rooms/{room}/games",
        list_games,
        Page[GameSummary],
        "Games",
        query=PageQuery,
        refuses=("not_found", "wrong_state"),
    ),
    Endpoint(
        "GET",
        "/rooms/{room}/curves",
        show_curves,
        list[Curve],
        "Games",
        refuses=("not_found", "wrong_state"),
    ),
    Endpoint(
        "GET", "/games/{game}", show_game, Replay, "Games", refuses=("not_found", "forbidden")
    ),
    Endpoint("GET", "/deals/{code}", show_deal, DealView, "Deals", refuses=("not_found",)),
]
