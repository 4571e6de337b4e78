from __future__ import annotations

from datetime import UTC, datetime

from canfield_race_client import frames
from canfield_race_client.room_view import RoomView
from canfield_race_client.shapes import Player, Room, Standing

from tests.clients.builders import ANA, BO, CY, a_room, a_standing

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


def a_view(**room: object) -> RoomView:
    view = RoomView()
    view.welcome(frames.Welcome(epoch="e1", offset=10, room=a_room(**room)))
    return view


def room_of(view: RoomView) -> Room:
    assert view.room is not None
    return view.room


def test_before_the_first_welcome_there_is_no_room_and_nothing_to_recover() -> None:
    assert RoomView().room is None
    assert RoomView().since is None


def test_what_is_not_newer_than_the_last_event_is_ignored() -> None:
    view = a_view()
    assert not view.fold(frames.Joined(offset=10, player=CY))
    assert view.fold(frames.Joined(offset=13, player=CY))
    assert not view.fold(frames.Joined(offset=12, player=Player(id="p_d", name="D")))
    assert room_of(view).player_count == 3
    assert view.since == {"epoch": "e1", "offset": 13}


def test_a_recovered_welcome_keeps_the_room_and_goes_on_from_the_old_offset() -> None:
    view = a_view()
    view.welcome(frames.Welcome(epoch="e1", offset=20, recovered=True))
    assert view.since == {"epoch": "e1", "offset": 10}
    assert view.fold(frames.Joined(offset=11, player=CY))


def test_a_fresh_welcome_replaces_everything() -> None:
    view = a_view()
    view.fold(frames.StandingsChanged(offset=11, entries=[a_standing(BO, placed=9, actions=99)]))
    view.welcome(frames.Welcome(epoch="e2", offset=2, room=a_room(standings=[a_standing(BO)])))
    assert [s.placed for s in room_of(view).standings] == [0]
    assert view.since == {"epoch": "e2", "offset": 2}


def test_the_events_of_a_whole_race_leave_what_a_snapshot_would_show() -> None:
    view = a_view(state="open", standings=[a_standing(ANA, state="joined")], player_count=1)
    over = [a_standing(BO, state="won", placed=52, rank=1), a_standing(ANA, rank=2)]
    for offset, event in enumerate(
        [
            frames.Joined(offset=11, player=BO),
            frames.Joined(offset=12, player=CY),
            frames.Kicked(offset=13, player=CY),
            frames.ReadyChanged(offset=14, player=BO),
            frames.Renamed(offset=15, player=Player(id=ANA.id, name="Anna")),
            frames.CountdownStarted(offset=16, starts_at=NOON),
            frames.Started(offset=17, started_at=NOON, ends_at=NOON, code="CF1-D3-AAAAACL"),
            frames.StandingsChanged(offset=18, entries=[a_standing(BO, placed=2, actions=3)]),
            frames.Finished(offset=19, finished_at=NOON, standings=over),
            frames.RematchOffered(offset=20, room="next1234"),
        ],
        start=11,
    ):
        assert event.offset == offset
        assert view.fold(event)
    room = room_of(view)
    assert (room.state, room.rematch, room.player_count) == ("finished", "next1234", 2)
    assert [s.player.id for s in room.standings] == [BO.id, ANA.id]
    assert room.host is not None
    assert room.host.name == "Anna"


def test_when_the_race_starts_everybody_who_waited_races() -> None:
    waiting = [a_standing(ANA, state="ready"), a_standing(BO, state="joined")]
    view = a_view(state="open", standings=waiting)
    view.fold(frames.Started(offset=11, started_at=NOON))
    assert {s.state for s in room_of(view).standings} == {"racing"}


def test_when_the_host_leaves_the_event_names_the_next() -> None:
    view = a_view(state="open")
    view.fold(frames.Left(offset=11, player=ANA, host=BO))
    assert room_of(view).host == BO
    assert [s.player for s in room_of(view).standings] == [BO]


def test_a_cancelled_room_says_so() -> None:
    view = a_view(state="open")
    assert view.fold(frames.Cancelled(offset=11, reason="host"))
    assert view.is_over
    assert room_of(view).state == "cancelled"


def a_crowd(count: int, *, placed: int) -> list[Standing]:
    players = [Player(id=f"p_{number}", name=f"P{number}") for number in range(count)]
    return [a_standing(player, placed=placed, actions=placed) for player in players]


def test_who_appears_in_standings_unannounced_is_a_newcomer() -> None:
    view = a_view(kind="daily", standings=[a_standing(ANA)], player_count=1)
    view.fold(frames.StandingsChanged(offset=11, entries=[a_standing(BO, placed=1)]))
    room = room_of(view)
    assert [s.player for s in room.standings] == [BO, ANA]
    assert room.player_count == 2


def test_who_comes_among_the_first_hundred_is_shown_and_who_drops_out_is_not() -> None:
    view = a_view(kind="daily", standings=a_crowd(100, placed=2), player_count=150)
    view.fold(frames.StandingsChanged(offset=11, entries=[a_standing(ANA, placed=9, actions=9)]))
    room = room_of(view)
    assert (len(room.standings), room.standings[0].player, room.player_count) == (100, ANA, 150)


def test_my_standing_has_its_rank_from_here_or_beyond_the_hundred_from_the_server() -> None:
    view = a_view(kind="daily", standings=a_crowd(100, placed=5), player_count=5000)
    told = a_standing(ANA, placed=3, actions=8, rank=4711)
    assert view.standing_of(ANA, told=told) == told
    view.standings.fold(told)
    view.standings.fold(a_standing(ANA, placed=4, actions=9))
    mine = view.standing_of(ANA, told=told)
    assert mine is not None
    assert (mine.placed, mine.rank) == (4, 4711)
    view.standings.fold(a_standing(ANA, placed=6, actions=11))
    mine = view.standing_of(ANA, told=told)
    assert mine is not None
    assert (mine.placed, mine.rank) == (6, 1)
