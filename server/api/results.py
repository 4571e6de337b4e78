"""Results anyone can check: the games of finished rooms, and progress while a race runs."""

from collections.abc import AsyncGenerator
from typing import Any, Literal

from msgspec import Struct

from server.api.cursors import MOST_ITEMS, Limit, Page, PageQuery, page_at, read_cursor
from server.api.endpoint import Call, Endpoint, Nothing
from server.game import CARDS, GameCode
from server.game.solver import GivenUp, Hopeless, Solved, Verdict
from server.live.messages import Ply
from server.race.errors import Forbidden, Invalid, NotAvailable, NotFound, WrongState
from server.race.plays import Action
from server.race.replays import Curve, GameSummary, Replay
from server.race.room import Room
from server.race.running import RunningGame
from server.race.states import STARTED
from server.store.database import Database
from server.store.progress import read_curves
from server.store.results import Place, list_results, place_of, read_replay, read_replays

EXPORT_PAGE = 50  # games read at a time
OUTLOOK_POSITIONS = 200_000  # looked at for one outlook: some seconds of a solver process


CAN_RISE: dict[type[Verdict], Literal["yes", "no", "unknown"]] = {
    Solved: "yes",
    Hopeless: "no",
    GivenUp: "unknown",
}


class CurvesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Whose progress.

    Attributes:
        limit: of how many players at most.
        around: `me` is half the best, and half those who stand around oneself; it needs a token.
    """

    limit: Limit = MOST_ITEMS
    around: Literal["me"] | None = None


class OutlookQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which position of a game.

    Attributes:
        ply: the one after so many actions; the last one if not given.
    """

    ply: Ply | None = None


class Outlook(Struct, frozen=True, kw_only=True):
    """Whether from a position of a game more could have been placed, all cards known, undo aside.

    Attributes:
        ply: it is the position after so many actions.
        placed: the cards on the foundations there.
        can_rise: `yes` if some play from there places more; `no` if it is proven that none does;
            `unknown` if the search was given up.
        line: for `yes`, moves that do, the last of which places the card.
        positions: how many the search looked at.
    """

    game: str
    ply: int
    placed: int
    can_rise: Literal["yes", "no", "unknown"]
    line: list[str]
    positions: int


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


async def show_game(call: Call[Nothing, Nothing]) -> Replay:
    """Show a game complete for a replay, once its room has finished."""
    return await _finished_game(call)


async def show_outlook(call: Call[Nothing, OutlookQuery]) -> Outlook:
    """Tell whether from a position of a finished game anything could still have been placed.

    The search knows all cards and does not undo. It never runs while the game's room races.
    """
    solvers = call.services.solvers
    replay = await _finished_game(call)
    ply = len(replay.moves) if call.query.ply is None else call.query.ply
    if ply > len(replay.moves):
        raise Invalid(f"the game has {len(replay.moves)} actions", pointer="/ply")
    if solvers is None:
        raise NotAvailable("this server has no solver: it looks for no dead ends")
    code, moves = GameCode.parse(replay.code), replay.moves[:ply]
    game = RunningGame(code, undo=replay.undo)
    game.follow(Action(move=move, elapsed_ms=0) for move in moves)
    placed = game.board.placed
    verdict: Verdict = Hopeless(positions=0)
    if placed < len(CARDS):
        verdict = await solvers.can_still_place(code, moves, budget=OUTLOOK_POSITIONS)
    return Outlook(
        game=replay.id,
        ply=ply,
        placed=placed,
        can_rise=CAN_RISE[type(verdict)],
        line=[*verdict.line] if isinstance(verdict, Solved) else [],
        positions=verdict.positions,
    )


async def show_curves(call: Call[Nothing, CurvesQuery]) -> list[Curve]:
    """Show how players came on so far, best first, each over the own race clock."""
    around = None if call.query.around is None else call.player.id
    room = await call.services.referee.present(call.path["room"])
    if room.state not in STARTED:
        raise WrongState("there is no progress before the race", state=room.state)
    database = call.services.database
    return await read_curves(database, room, limit=call.query.limit, around=around)


async def _finished(call: Call[Any, Any]) -> Room:
    room = await call.services.referee.present(call.path["room"])
    if room.state != "finished":
        raise WrongState("games are shown once their room has finished", state=room.state)
    return room


async def _finished_game(call: Call[Nothing, Any]) -> Replay:
    game_id = call.path["game"]
    room = await call.services.referee.present(await call.services.games.room_of(game_id))
    if room.state == "cancelled":
        raise NotFound("the race of this game was called off: nothing was played")
    if room.state != "finished":
        raise Forbidden("a game is shown once its room has finished")
    return await read_replay(call.services.database, room, game_id)


async def _all_games(database: Database, room: Room, page: list[Replay]) -> AsyncGenerator[Replay]:
    """Give page after page; while one is sent, no connection to the database is held."""
    while page:
        for replay in page:
            yield replay
        after = place_of(page[-1])
        page = await read_replays(database, room, limit=EXPORT_PAGE, after=after)


ENDPOINTS = [
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
    Endpoint(
        "GET",
        "/games/{game}/outlook",
        show_outlook,
        Outlook,
        "Games",
        query=OutlookQuery,
        rate="analyses",
        refuses=("not_found", "forbidden", "not_available"),
    ),
]
