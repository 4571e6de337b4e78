from typing import Any

from server.live.channel import Channel, how_far
from server.live.outbox import REPLACED, Outbox
from server.race.player import Player
from server.race.room import Room
from tests.race.builders import ANA, BO, CY, STRANGER, a_room, a_room_in, after, an_entry


class Listening:
    """A socket that has said hello."""

    def __init__(self, player: Player | None = None) -> None:
        self.player = player
        self.token_id = None if player is None else f"t_{player.id}"
        self.outbox = Outbox(most_frames=10)

    async def enter_game(self) -> None:
        raise NotImplementedError


def a_channel(room: Room | None = None) -> Channel:
    channel = Channel()
    channel.renew(room or a_room(players=2))
    return channel


def closed(*sockets: Listening) -> list[int | None]:
    return [socket.outbox.close_code for socket in sockets]


def newest(channel: Channel) -> list[tuple[str, bool, str, int]]:
    """Who is told what about oneself."""
    return [(you.player.id, you.host, you.state, you.entry.rank) for _, you in channel.news()]


async def test_sockets_of_players_play_and_all_others_watch() -> None:
    channel = a_channel()
    ana, stranger, nobody = Listening(ANA), Listening(STRANGER), Listening()

    plays = [channel.add(socket) for socket in (ana, stranger, nobody)]

    assert plays == [True, False, False]
    assert channel.players == {ANA.id: ana}
    assert channel.spectators == 2


async def test_the_newest_socket_of_a_player_plays_and_the_older_one_is_closed() -> None:
    channel = a_channel()
    older, newer = Listening(ANA), Listening(ANA)
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
    room.join(CY, game_id="g_cy", at=after(5))

    channel.promote(CY.id)
    channel.promote(CY.id)

    assert channel.players == {CY.id: newer}
    assert closed(older, newer, other) == [REPLACED, None, None]
    assert channel.spectators == 1


async def test_who_joins_without_a_socket_here_is_no_matter() -> None:
    channel = a_channel()

    channel.promote(CY.id)

    assert channel.players == {}


async def test_who_has_left_watches() -> None:
    channel = a_channel()
    ana = Listening(ANA)
    channel.add(ana)

    channel.demote(ANA.id)
    channel.demote(BO.id)

    assert (channel.players, channel.spectators) == ({}, 1)
    assert closed(ana) == [None]


async def test_a_room_that_is_older_than_the_one_known_is_not_taken_over() -> None:
    older, newer = a_room(players=2), a_room(players=3)
    channel = a_channel(newer)

    channel.renew(older)

    assert channel.room is newer


async def test_everyone_gets_the_same_bytes() -> None:
    channel = a_channel()
    sockets = [Listening(ANA), Listening(), Listening(STRANGER)]
    for socket in sockets:
        channel.add(socket)

    channel.broadcast(b"frame")

    assert [await socket.outbox.next_frame() for socket in sockets] == [b"frame"] * 3


def standing(channel: Channel, player: Player = ANA) -> tuple[int, int, str]:
    assert channel.room is not None
    found = next(s for s in channel.standings(channel.room) if s.player.id == player.id)
    return (found.actions, found.placed, found.state)


def test_of_two_entries_the_one_with_more_actions_holds() -> None:
    channel = a_channel(a_room(players=2, racing=True))

    channel.fold([an_entry(actions=5, placed=3)])
    channel.fold([an_entry(actions=4, placed=9)])
    assert standing(channel) == (5, 3, "racing")

    channel.fold([an_entry(actions=6, placed=2)])
    assert standing(channel) == (6, 2, "racing")


def test_an_end_holds_against_the_race_it_ended() -> None:
    channel = a_channel(a_room(players=2, racing=True))

    channel.fold([an_entry(actions=5, state="resigned")])
    channel.fold([an_entry(actions=5)])

    assert standing(channel) == (5, 1, "resigned")


def test_what_is_stored_holds_once_it_is_further_on() -> None:
    room = a_room(players=2, racing=True)
    channel = a_channel(room)
    channel.fold([an_entry(actions=5, placed=3)])

    room.seats[0].ply, room.seats[0].placed = 7, 4

    assert standing(channel) == (7, 4, "racing")


def test_standings_show_the_present_name() -> None:
    room = a_room(players=2, racing=True)
    channel = a_channel(room)
    channel.fold([an_entry(actions=5)])

    room.rename(Player(ANA.id, "Anna", "human"), at=after(30))

    assert [s.player.name for s in channel.standings(room)] == ["Bo", "Anna"]


def test_an_entry_of_a_player_who_left_does_not_come_back_with_him() -> None:
    room = a_room(players=2)
    channel = a_channel(room)
    channel.fold([an_entry(BO, state="ready", placed=0)])
    room.leave(BO, at=after(3))
    channel.demote(BO.id)

    room.join(BO, game_id="g_bo2", at=after(4))

    assert standing(channel, BO) == (0, 0, "joined")


def test_progress_is_actions_then_the_race_then_its_end() -> None:
    stages: list[dict[str, Any]] = [
        {"actions": 0, "state": "joined"},
        {"actions": 0, "state": "racing"},
        {"actions": 0, "state": "resigned"},
        {"actions": 1, "state": "racing"},
        {"actions": 1, "state": "won"},
    ]

    order = [how_far(an_entry(**stage)) for stage in stages]

    assert order == sorted(set(order))


async def test_players_are_told_who_they_are_and_again_only_when_it_changes() -> None:
    room = a_room(players=2)
    channel = a_channel(room)
    channel.add(Listening(ANA))
    channel.add(Listening(BO))
    channel.add(Listening(STRANGER))

    assert newest(channel) == [(ANA.id, True, "joined", 1), (BO.id, False, "joined", 1)]
    assert newest(channel) == []

    room.set_ready(BO, ready=True, at=after(3))
    assert newest(channel) == [(BO.id, False, "ready", 1)]

    room.leave(ANA, at=after(4))
    channel.demote(ANA.id)
    assert newest(channel) == [(BO.id, True, "ready", 1)]


async def test_a_new_socket_is_told_anew() -> None:
    channel = a_channel()
    channel.add(Listening(ANA))
    assert len(newest(channel)) == 1

    channel.add(Listening(ANA))

    assert newest(channel) == [(ANA.id, True, "joined", 1)]


async def test_progress_alone_is_no_news_about_oneself() -> None:
    channel = a_channel(a_room_in("racing"))
    channel.add(Listening(ANA))
    newest(channel)

    channel.fold([an_entry(actions=5, placed=9)])
    assert newest(channel) == []

    channel.fold([an_entry(actions=6, placed=52, state="won")])
    assert newest(channel) == [(ANA.id, True, "won", 1)]


async def test_a_room_that_has_not_been_read_has_no_players_and_no_news() -> None:
    channel = Channel()

    assert not channel.add(Listening(ANA))
    assert [*channel.news()] == []
