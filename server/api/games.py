"""Games: one's own while it is played, everyone's once the room has finished; and any deal."""

from collections.abc import AsyncGenerator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from server.api.cursors import MOST_ITEMS, Limit, Page, PageQuery, page_at, read_cursor
from server.api.endpoint import Call, Endpoint, Nothing
from server.game import CARDS, BadCode, Board, GameCode
from server.live.messages import Ack, GameView, Ply, Reject
from server.race.errors import Forbidden, Invalid, NotFound, WrongState
from server.race.replays import Curve, GameSummary, Replay
from server.race.room import Room
from server.race.settings import RulesetName
from server.race.states import STARTED
from server.store.database import Database
from server.store.progress import read_curves
from server.store.results import Place, list_results, place_of, read_replay, read_replays

MOST_MOVES = 100  # in one call
EXPORT_PAGE = 50  # games read at a time


class CurvesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Whose progress.

    Attributes:
        limit: of how many players at most.
        around: `me` is half the best, and half those who stand around oneself; it needs a token.
    """

    limit: Limit = MOST_ITEMS
    around: Literal["me"] | None = None


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
    room = await _finished(call)
    query = call.query
    after = None if query.after is None else read_cursor(query.after, Place)
    games = await list_results(call.services.database, room, limit=query.limit + 1, after=after)
    return page_at(games, 0, key=place_of, limit=query.limit)


async def export_games(call: Call[Nothing, Nothing]) -> AsyncGenerator[Replay]:
    """Give every game of a finished room complete, best first, one on each line.

    Each line is what `GET /games/{game}` shows of that game. Should the server not be able to read
    them all, it cuts the connection and leaves the answer incomplete.
    """
    room = await _finished(call)
    database = call.services.database
    return _all_games(database, room, await read_replays(database, room, limit=EXPORT_PAGE))


async def _all_games(database: Database, room: Room, page: list[Replay]) -> AsyncGenerator[Replay]:
    """Give page after page; while one is sent, no connection to the database is held."""
    while page:
        for replay in page:
            yield replay
        after = place_of(page[-1])
        page = await read_replays(database, room, limit=EXPORT_PAGE, after=after)


async def _finished(call: Call[Any, Any]) -> Room:
    room = await call.services.referee.present(call.path["room"])
    if room.state != "finished":
        raise WrongState("games are shown once their room has finished", state=room.state)
    return room


async def show_game(call: Call[Nothing, Nothing]) -> Replay:
    """Show a game complete for a replay, once its room has finished."""
    game_id = call.path["game"]
    room = await call.services.referee.present(await call.services.games.room_of(game_id))
    if room.state == "cancelled":
        raise NotFound("the race of this game was called off: nothing was played")
    if room.state != "finished":
        raise Forbidden("a game is shown once its room has finished")
    return await read_replay(call.services.database, room, game_id)


async def show_curves(call: Call[Nothing, CurvesQuery]) -> list[Curve]:
    """Show how players came on so far, best first, each over the own race clock."""
    around = None if call.query.around is None else call.player.id
    room = await call.services.referee.present(call.path["room"])
    if room.state not in STARTED:
        raise WrongState("there is no progress before the race", state=room.state)
    database = call.services.database
    return await read_curves(database, room, limit=call.query.limit, around=around)


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
        query=CurvesQuery,
        auth="optional",
        refuses=("not_found", "wrong_state", "not_a_player"),
    ),
    Endpoint(
        "GET",
        "/rooms/{room}/export",
        export_games,
        Replay,
        "Games",
        streams=True,
        refuses=("not_found", "wrong_state"),
    ),
    Endpoint(
        "GET", "/games/{game}", show_game, Replay, "Games", refuses=("not_found", "forbidden")
    ),
    Endpoint("GET", "/deals/{code}", show_deal, DealView, "Deals", refuses=("not_found",)),
]
