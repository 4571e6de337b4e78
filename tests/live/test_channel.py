from copy import deepcopy
from typing import Any

import pytest

from server.live.channel import MOST_AHEAD_MS, Channel
from server.live.offsets import Place
from server.live.outbox import REPLACED
from server.race.instants import to_epoch_ms
from server.race.player import Player
from server.race.room import Change, Room
from tests.live.builders import Frame, Listening
from tests.race.builders import (
    ANA,
    BO,
    CY,
    STRANGER,
    a_room,
    a_room_in,
    after,
    an_entry,
    end_game,
)

NOW_MS = to_epoch_ms(after(20))
"""Ten seconds into the race of a room that races."""


def a_channel(room: Room | None = None) -> Channel:
    """A channel that has begun with a room as somebody else has read it."""
    channel = Channel()
    channel.open(deepcopy(room or a_room(players=2)))
    return channel


def a_change(room: Room, verb: str, *who: Player, **how: Any) -> Change:
    """What a command does to a room, as it is told: with a room that nobody changes any more."""
    events = getattr(room, verb)(*who, **how)
    return Change(deepcopy(room), events)


def closed(*sockets: Listening) -> list[int | None]:
    return [socket.outbox.close_code for socket in sockets]


def yous(socket: Listening) -> list[tuple[str, bool, str, int]]:
    """What a player is told about oneself."""
    return [
        (you["player"]["id"], you["host"], you["state"], you["entry"]["rank"])
        for you in socket.heard()
        if you["type"] == "you"
    ]


def places(frames: list[Frame]) -> list[tuple[str, int]]:
    """The events of some frames, each with its offset."""
    return [(frame["type"], frame["offset"]) for frame in frames]


# Sockets


async def test_sockets_of_players_play_and_all_others_watch() -> None:
    channel = a_channel()
    ana, stranger, nobody = Listening(ANA), Listening(STRANGER), Listening()

    plays = [channel.add(socket) for socket in (ana, stranger, nobody)]

    assert plays == [True, False, False]
    assert channel.players == {ANA.id: ana}
    assert channel.spectators == 2


async def test_the_newest_socket_of_a_player_plays_and_the_older_one_is_closed() -> None:
    channel = a_channel()
    older, newer = Listening(ANA, claim="1"), Listening(ANA, claim="2")
    channel.add(older)

    channel.add(newer)
    channel.remove(older)

    assert channel.players == {ANA.id: newer}
    assert [*channel.listeners] == [newer]
    assert closed(older, newer) == [REPLACED, None]


async def test_a_spectator_plays_once_joined_with_the_newest_socket() -> None:
    room = a_room(players=2)
    channel = a_channel(room)
    older, newer, other = Listening(CY), Listening(CY), Listening(STRANGER)
    for socket in (older, newer, other):
        channel.add(socket)

    channel.follow(a_change(room, "join", CY, game_id="g_cy", at=after(5)))
    channel.promote(CY.id)

    assert channel.players == {CY.id: newer}
    assert closed(older, newer, other) == [REPLACED, None, None]
    assert channel.spectators == 1


async def test_who_joins_without_a_socket_here_is_no_matter() -> None:
    channel = a_channel()

    channel.promote(CY.id)

    assert channel.players == {}


@pytest.mark.parametrize("how", ["leave", "kick"])
async def test_who_has_left_or_was_kicked_watches(how: str) -> None:
    room = a_room(players=2)
    channel = a_channel(room)
    bo = Listening(BO)
    channel.add(bo)

    if how == "leave":
        channel.follow(a_change(room, "leave", BO, at=after(3)))
    else:
        channel.follow(a_change(room, "kick", ANA, target_id=BO.id, at=after(3)))

    assert (channel.players, channel.spectators) == ({}, 1)
    assert closed(bo) == [None]


async def test_a_socket_that_has_gone_plays_and_hears_no_more() -> None:
    channel = a_channel()
    ana = Listening(ANA)
    channel.sockets.add(ana)
    channel.add(ana)

    channel.remove(ana)
    channel.remove(ana)

    assert (channel.sockets, channel.listeners, channel.players) == (set(), {}, {})


async def test_a_player_yields_to_a_newer_socket_elsewhere_and_to_no_other() -> None:
    channel = a_channel()
    ana, bo = Listening(ANA, claim="5"), Listening(BO, claim="5")
    for socket in (ana, bo):
        channel.sockets.add(socket)
        channel.add(socket)

    for claim in ("4", "5"):
        channel.yield_to(ANA.id, claim)
    channel.yield_to(CY.id, "6")
    assert closed(ana, bo) == [None, None]

    channel.yield_to(ANA.id, "6")
    assert closed(ana, bo) == [REPLACED, None]
    assert (channel.players, [*channel.listeners]) == ({BO.id: bo}, [bo])


async def test_everyone_gets_the_same_bytes() -> None:
    channel = a_channel()
    sockets = [Listening(ANA), Listening(), Listening(STRANGER)]
    for socket in sockets:
        channel.add(socket)

    channel.broadcast(b"frame")

    assert [await socket.outbox.next_frame() for socket in sockets] == [b"frame"] * 3


# Changes


async def test_each_event_is_told_once_with_the_version_it_made() -> None:
    room = a_room(players=1)
    channel = a_channel(room)
    eye = Listening()
    channel.add(eye)
    first = a_change(room, "join", BO, game_id="g_bo", at=after(1))
    second = a_change(room, "start", ANA, at=after(2))

    assert channel.follow(first) == first.events
    assert channel.follow(second) == second.events
    for again in (first, second):
        assert channel.follow(again) == []

    assert places(eye.heard()) == [
        ("joined", Place(2, 0).offset),
        ("countdown", Place(3, 0).offset),
    ]
    assert channel.place == Place(3, 0)


async def test_of_a_change_that_is_known_in_part_the_rest_is_told() -> None:
    room = a_room(players=1)
    channel = a_channel(room)
    eye = Listening()
    channel.add(eye)
    events = room.join(BO, game_id="g_bo", at=after(1))
    channel.follow(Change(deepcopy(room), events))
    eye.heard()

    events = [*events, *room.join(CY, game_id="g_cy", at=after(2))]
    told = channel.follow(Change(deepcopy(room), events))

    assert told == events[1:]
    assert places(eye.heard()) == [("joined", Place(3, 0).offset)]


async def test_nothing_is_told_where_events_before_are_missing() -> None:
    room = a_room(players=1)
    channel = a_channel(room)
    eye = Listening()
    channel.add(eye)
    room.join(BO, game_id="g_bo", at=after(1))
    later = a_change(room, "join", CY, game_id="g_cy", at=after(2))

    assert channel.follow(later) is None

    assert (eye.heard(), channel.place) == ([], Place(1, 0))


async def test_a_room_that_has_not_been_read_begins_with_the_first_change() -> None:
    channel = Channel()
    room = a_room(players=1)
    change = a_change(room, "join", BO, game_id="g_bo", at=after(1))

    assert channel.follow(change) == []
    assert channel.room is change.room


async def test_what_is_older_than_what_is_known_is_not_taken_over() -> None:
    room = a_room(players=2)
    older = Change(deepcopy(room), [])
    channel = a_channel(room)
    newer = a_change(room, "join", CY, game_id="g_cy", at=after(2))
    channel.follow(newer)

    assert channel.follow(older) == []

    assert channel.room is newer.room


async def test_a_channel_is_behind_while_a_newer_version_was_heard_of() -> None:
    room = a_room(players=1)
    channel = Channel()
    channel.newest = 2
    seen = [channel.is_behind]  # there is nobody to be told

    channel.open(deepcopy(room))
    seen.append(channel.is_behind)
    channel.follow(a_change(room, "join", BO, game_id="g_bo", at=after(1)))
    seen.append(channel.is_behind)

    assert seen == [False, True, False]


async def test_a_room_opened_anew_makes_players_of_those_who_have_a_seat_in_it() -> None:
    channel = a_channel(a_room(players=2))
    ana, bo, cy = Listening(ANA), Listening(BO), Listening(CY)
    for socket in (ana, bo, cy):
        channel.add(socket)
    room = a_room(players=3)
    room.kick(ANA, target_id=BO.id, at=after(9))

    channel.open(room)

    assert channel.players == {ANA.id: ana, CY.id: cy}
    assert channel.spectators == 1


async def test_a_room_that_has_not_been_read_has_no_players() -> None:
    channel = Channel()

    assert not channel.add(Listening(ANA))
    assert channel.place == Place(0, 0)


# Standings


def entries(channel: Channel, *, now_ms: int = NOW_MS, everyone: bool = False) -> Any:
    """Who is told to have come how far, or None for no frame."""
    frame = channel.standings_frame(now_ms=now_ms, everyone=everyone)
    return frame and [(entry.player.id, entry.actions) for entry in frame.entries]


def test_what_has_not_been_told_is_told_once() -> None:
    channel = a_channel(a_room(players=3, racing=True))
    channel.scores.fold([an_entry(CY, actions=2), an_entry(ANA, actions=1)])

    assert entries(channel) == [(ANA.id, 1), (CY.id, 2)]
    assert entries(channel) is None


def test_everyones_standings_can_be_told_beside_that() -> None:
    channel = a_channel(a_room(players=2, racing=True))
    channel.scores.fold([an_entry(BO, actions=2)])

    assert entries(channel, everyone=True) == [(ANA.id, 0), (BO.id, 2)]
    assert entries(channel) == [(BO.id, 2)]


@pytest.mark.parametrize("state", ["open", "countdown", "finished", "cancelled"])
def test_there_are_no_standings_before_and_after_the_race(state: Any) -> None:
    channel = a_channel(a_room_in(state))
    channel.scores.fold([an_entry(ANA, actions=3)])

    assert entries(channel, everyone=True) is None
    assert entries(channel) is None


def test_there_are_no_standings_of_a_room_that_has_not_been_read() -> None:
    assert entries(Channel(), everyone=True) is None


def test_offsets_of_standings_rise_with_the_race_and_within_a_millisecond() -> None:
    room = a_room(players=2, racing=True)
    channel = a_channel(room)
    started_ms = NOW_MS - 10_000

    offsets = []
    for now_ms in (started_ms - 5, started_ms, NOW_MS, NOW_MS, NOW_MS - 1, NOW_MS + 1):
        frame = channel.standings_frame(now_ms=now_ms, everyone=True)
        assert frame is not None
        offsets.append(frame.offset)

    version = room.version
    ticks = (1, 2, 10_000, 10_001, 10_002, 10_003)
    assert offsets == [Place(version, tick).offset for tick in ticks]
    assert channel.place == Place(version, 10_003)


async def test_a_start_has_everyone_told_and_nothing_older_follows_the_end() -> None:
    room = a_room(players=2, countdown_s=0)
    channel = a_channel(room)
    channel.follow(a_change(room, "start", ANA, at=after(10)))
    assert entries(channel) == [(ANA.id, 0), (BO.id, 0)]
    channel.scores.fold([an_entry(ANA, actions=3)])
    for player in (ANA, BO):
        end_game(room, player, ply=4)

    channel.follow(a_change(room, "finish"))

    assert entries(channel) is None
    assert channel.scores.take_untold(room) == []


async def test_a_version_begins_its_ticks_anew() -> None:
    room = a_room(players=2, racing=True)
    channel = a_channel(room)
    entries(channel, everyone=True)

    channel.follow(a_change(room, "rename", Player(BO.id, "Bob", "human"), at=after(20)))

    assert channel.place == Place(room.version, 0)


def test_the_seats_of_a_change_are_progress_too_while_racing() -> None:
    room = a_room(players=2, racing=True)
    channel = a_channel(room)
    room.seats[1].ply = 8

    assert channel.follow(Change(deepcopy(room), [])) == []

    assert entries(channel) == [(BO.id, 8)]


def test_an_entry_that_waits_takes_the_new_name_along() -> None:
    room = a_room(players=2, racing=True)
    channel = a_channel(room)
    channel.scores.fold([an_entry(ANA, actions=2)])

    channel.follow(a_change(room, "rename", Player(ANA.id, "Anna", "human"), at=after(30)))

    for actions in (2, 3):
        channel.scores.fold([an_entry(ANA, actions=actions)])
        frame = channel.standings_frame(now_ms=NOW_MS)
        assert frame is not None
        assert [(e.player.name, e.actions) for e in frame.entries] == [("Anna", actions)]


# Going on


def test_what_is_told_comes_after_the_place_a_client_goes_on_from() -> None:
    room = a_room(players=2, racing=True)
    channel = a_channel(room)
    known = Place(room.version, 10_000 + MOST_AHEAD_MS)

    assert channel.go_on_from(known, now_ms=NOW_MS)

    frame = channel.standings_frame(now_ms=NOW_MS, everyone=True)
    assert frame is not None
    assert frame.offset == known.offset + 1


def test_a_place_that_lies_behind_holds_nothing_back() -> None:
    room = a_room(players=2, racing=True)
    channel = a_channel(room)
    entries(channel, everyone=True)

    assert channel.go_on_from(Place(room.version, 3), now_ms=NOW_MS)

    assert channel.place == Place(room.version, 10_000)


def test_nobody_goes_on_from_where_no_node_can_have_come_to() -> None:
    room = a_room(players=2, racing=True)
    channel = a_channel(room)
    too_far = 10_000 + MOST_AHEAD_MS + 1

    for place in (Place(room.version, too_far), Place(room.version - 1, 0)):
        assert not channel.go_on_from(place, now_ms=NOW_MS)

    assert channel.place == Place(room.version, 0)


# Who one is


async def test_players_are_told_who_they_are_and_again_only_when_it_changes() -> None:
    room = a_room(players=2)
    channel = a_channel(room)
    ana, bo, stranger = Listening(ANA), Listening(BO), Listening(STRANGER)
    for socket in (ana, bo, stranger):
        channel.add(socket)

    channel.tell_news()
    assert (yous(ana), yous(bo)) == ([(ANA.id, True, "joined", 1)], [(BO.id, False, "joined", 1)])
    channel.tell_news()
    assert (yous(ana), yous(bo)) == ([], [])

    channel.follow(a_change(room, "set_ready", BO, ready=True, at=after(3)))
    channel.tell_news()
    assert (yous(ana), yous(bo)) == ([], [(BO.id, False, "ready", 1)])

    channel.follow(a_change(room, "leave", ANA, at=after(4)))
    channel.tell_news()
    assert (yous(ana), yous(bo)) == ([], [(BO.id, True, "ready", 1)])

    channel.follow(a_change(room, "rename", Player(BO.id, "Bob", "human"), at=after(5)))
    channel.tell_news()
    assert (yous(bo), yous(stranger)) == ([(BO.id, True, "ready", 1)], [])


async def test_who_comes_back_to_a_seat_is_told_anew() -> None:
    room = a_room(players=2)
    channel = a_channel(room)
    bo = Listening(BO)
    channel.add(bo)
    channel.tell_news()
    channel.follow(a_change(room, "leave", BO, at=after(3)))
    channel.tell_news()

    channel.follow(a_change(room, "join", BO, game_id="g_bo2", at=after(4)))
    channel.tell_news()

    assert yous(bo) == [(BO.id, False, "joined", 1)] * 2


async def test_a_new_socket_is_told_anew() -> None:
    channel = a_channel()
    older, newer = Listening(ANA), Listening(ANA)
    channel.add(older)
    channel.tell_news()

    channel.add(newer)
    channel.tell_news()

    assert yous(newer) == [(ANA.id, True, "joined", 1)]


async def test_progress_alone_is_no_news_about_oneself() -> None:
    channel = a_channel(a_room_in("racing"))
    ana = Listening(ANA)
    channel.add(ana)
    channel.tell_news()
    yous(ana)

    channel.scores.fold([an_entry(actions=5, placed=9)])
    channel.tell_news()
    assert yous(ana) == []

    channel.scores.fold([an_entry(actions=6, placed=52, state="won")])
    channel.tell_news()
    assert yous(ana) == [(ANA.id, True, "won", 1)]


async def test_there_is_no_news_of_a_room_that_has_not_been_read() -> None:
    channel = Channel()
    ana = Listening(ANA)
    channel.add(ana)

    channel.tell_news()

    assert ana.heard() == []
