from datetime import timedelta

import msgspec
import pytest

from server.game import Board, Played
from server.live.messages import GameView
from server.live.own_game import Terms, acknowledge, as_play, show
from server.race.instants import to_epoch_ms
from server.race.plays import Play
from server.race.running import RunningGame
from tests.race.builders import ANA, OPEN_CODE, a_daily, a_room

ROOM = a_room(racing=True)
TERMS = Terms.of(ROOM, ROOM.seats[0])


def played(*moves: str) -> tuple[RunningGame, Played]:
    game = TERMS.new_game()
    for second, move in enumerate(moves, start=1):
        last = game.play(Board.parse_move(move), elapsed_ms=1000 * second)
    return game, last


def test_the_terms_of_a_room_are_its_deal_its_times_and_whether_there_is_undo() -> None:
    room = a_room(racing=True, undo=False, time_limit_s=60)
    assert room.started_at is not None

    terms = Terms.of(room, room.seats[0])

    assert (terms.room_id, str(terms.code), terms.undo) == ("r_1", OPEN_CODE, False)
    assert terms.started_ms == to_epoch_ms(room.started_at)
    assert terms.ends_ms == terms.started_ms + 60_000


def test_a_room_that_has_not_started_has_no_terms() -> None:
    room = a_room()

    with pytest.raises(ValueError, match="not started"):
        Terms.of(room, room.seats[0])


def test_a_daily_s_game_goes_by_its_player_s_own_clock() -> None:
    daily = a_daily(racing=True)
    seat = daily.admit(ANA, game_id="g_ana", at=daily.opens_at + timedelta(hours=5))

    terms = Terms.of(daily, seat)

    assert terms.started_ms == to_epoch_ms(daily.opens_at + timedelta(hours=5))
    assert terms.ends_ms == terms.started_ms + 1_800_000


def test_a_game_is_shown_as_the_contract_has_it() -> None:
    game, _ = played("12", "rf", "24x2")

    view = GameView(**show(game, TERMS, state="racing", elapsed_ms=9000))

    assert msgspec.to_builtins(view) == {
        "room": "r_1",
        "state": "racing",
        "ply": 3,
        "base": "7",
        "stock_count": 34,
        "waste": [],
        "reserve_count": 10,
        "reserve_top": "JS",
        "columns": [["JD"], ["QS"], ["3H"], ["AS", "KH", "QC"]],
        "foundations": {"C": 0, "D": 0, "H": 2, "S": 0},
        "position": "34||10:JS|JD/QS/3H/AS.KH.QC|0,0,2,0",
        "hash": "3c27b9d4",
        "legal_moves": [*game.board.legal_moves.texts()],
        "undo_left": 3,
        "score": 5,
        "placed": 2,
        "at_ms": 2000,
        "elapsed_ms": 9000,
        "started_at": "2026-11-29T19:00:10.000Z",
        "ends_at": "2026-11-29T19:15:10.000Z",
    }


def test_a_game_that_has_ended_offers_no_moves() -> None:
    game, _ = played("12")

    shown = show(game, TERMS, state="resigned", elapsed_ms=9000)

    assert (shown["legal_moves"], shown["undo_left"]) == ([], 0)


def test_an_ack_is_of_the_last_action() -> None:
    game, last = played("1", "rf")

    ack = acknowledge(game, TERMS, last, state="racing")

    assert msgspec.to_builtins(ack) == {
        "type": "ack",
        "ply": 1,
        "move": "rf",
        "revealed": ("QS",),
        "score": 5,
        "placed": 2,
        "at_ms": 2000,
        "elapsed_ms": 2000,
        "hash": "13522f2a",
        "state": "racing",
    }


def test_an_undos_ack_carries_the_whole_view() -> None:
    game, last = played("12", "u")

    ack = acknowledge(game, TERMS, last, state="racing")

    assert (ack.move, ack.revealed) == ("u", ())
    assert ack.game == GameView(**show(game, TERMS, state="racing", elapsed_ms=2000))


def test_an_action_is_written_with_the_progress_after_it() -> None:
    game, last = played("1", "rf", "u")

    play = as_play(game, game_id="g_1", move=last.move, state="racing")

    assert play == Play("g_1", 2, "u", 3000, 1, 0, 3000, "racing")
