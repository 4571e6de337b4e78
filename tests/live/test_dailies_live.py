"""Sockets of dailies with more players than are shown: what they are told, and what not."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from server.clock import ManualClock
from server.live import ticker
from server.live.buses.bus import MemoryBus
from server.live.offsets import place_of
from server.live.outbox import REPLACED
from server.race.daily import LATECOMERS, SHOWN, Daily
from server.race.player import Player
from server.race.standings import Entry, rank, rank_key
from server.store.attempts import Attempts
from server.store.database import Database
from server.store.players import Players
from server.store.rooms import Rooms
from tests.live.builders import Frame, Node, Socket, a_node, brief, until
from tests.live.days import go_to, plan
from tests.race.builders import ANA, BO, COMPANY, CY, NONCE, OPEN_CODE, TODAY, a_daily, an_entry
from tests.store.builders import register, take_in

NOON = a_daily().opens_at + timedelta(hours=12)
CROWD = 120
PLACING = ("12", "rf")
"""Moves from the deal on, of which the second places a card."""

Pair = tuple[Node, Node]

ON_BOTH_BUSES = pytest.mark.parametrize("hints", [True, False], ids=["hints", "comparison"])


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have standings told at once, so that nobody needs to wait for them."""
    monkeypatch.setattr(ticker, "TICK_S", 0)


def a_crowd(count: int = CROWD, *, first: int = 0, **how: Any) -> list[Entry]:
    """Entries of so many: each is better than who has just joined, and no two are equal."""
    return [
        an_entry(
            Player(id=f"c_{number:03}", name=f"Crowd{number}", kind="human"),
            **{"placed": 2, "at_ms": 1_000_000 + number, "actions": 9} | how,
        )
        for number in range(first, first + count)
    ]


async def a_day(database: Database, entries: Iterable[Entry] = ()) -> Daily:
    """A day under way whose deal is known to the tests, with the company registered."""
    (daily,) = await plan(database, TODAY)
    assert await Rooms(database).save(daily, daily.advance(at=daily.opens_at))
    await register(database, *COMPANY)
    if entries := list(entries):
        await take_in(database, daily, entries)
    return daily


@asynccontextmanager
async def a_pair(database: Database, *, hints: bool) -> AsyncIterator[Pair]:
    """Two nodes, which hear each other or not."""
    clock, medium = ManualClock(NOON), set[MemoryBus]() if hints else None
    async with (
        a_node(database, clock=clock, medium=medium) as here,
        a_node(database, clock=clock, medium=medium) as there,
    ):
        yield here, there


def the_clock(node: Node) -> ManualClock:
    assert isinstance(node.clock, ManualClock)
    return node.clock


async def second(*nodes: Node) -> None:
    """What every node does each second, until all is told."""
    for node in nodes:
        await node.reconciler.compare()
        await node.pulse.beat()
    await until(lambda: not any(node.tasks._running for node in nodes))


async def plays(node: Node, daily: Daily, player: Player, *moves: str, ply: int = 0) -> None:
    """Have a player make moves over REST."""
    room = await node.referee.present(daily.id, asking=player)
    session = node.session_of(room, player)
    for number, move in enumerate(moves, start=ply):
        await session.play(number, move, received_ms=node.clock.now_ms())
    await session.settled()


def kinds(frames: list[Frame]) -> list[str]:
    return [frame["type"] for frame in frames]


def of_kind(frames: list[Frame], kind: str) -> list[Frame]:
    return [frame for frame in frames if frame["type"] == kind]


def told_of(frames: list[Frame]) -> list[str]:
    """The players whose entries are told, in order."""
    return [
        entry["player"]["id"] for one in of_kind(frames, "standings") for entry in one["entries"]
    ]


def entry_of(standing: Frame) -> Entry:
    return msgspec.convert({name: standing[name] for name in Entry.__struct_fields__}, Entry)


class Client:
    """What a client makes of a daily: all it was told, sorted and cut to a hundred."""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}
        self.taken: dict[Socket, int] = {}
        self.offset = -1
        self.state = ""

    def hear(self, socket: Socket) -> None:
        """Take everything that a socket has heard and that has not been taken yet."""
        socket.listen()
        self.take(socket.heard[self.taken.get(socket, 0) :])
        self.taken[socket] = len(socket.heard)

    def take(self, frames: list[Frame]) -> None:
        for frame in frames:
            if "offset" not in frame:
                continue
            if frame["type"] != "welcome":
                assert frame["offset"] > self.offset, "offsets rise"
            self.offset = frame["offset"]
            match frame["type"]:
                case "welcome" if frame["room"] is not None:
                    self._replace(frame["room"]["standings"])
                    self.state = frame["room"]["state"]
                case "standings":
                    assert len(frame["entries"]) <= SHOWN
                    for entry in frame["entries"]:
                        self.entries[entry["player"]["id"]] = entry_of(entry)
                case "renamed":
                    known = self.entries.get(frame["player"]["id"])
                    if known is not None:
                        new = msgspec.convert(frame["player"], Player)
                        self.entries[new.id] = msgspec.structs.replace(known, player=new)
                case "finished":
                    self._replace(frame["standings"])
                    self.state = "finished"

    def _replace(self, standings: list[Frame]) -> None:
        self.entries = {one["player"]["id"]: entry_of(one) for one in standings}

    @property
    def hundred(self) -> list[Entry]:
        entries = self.entries.values()
        return sorted(entries, key=lambda entry: (rank_key(entry), entry.player.id))[:SHOWN]


async def fresh(node: Node, daily: Daily) -> list[Entry]:
    """The hundred as the database has them."""
    seats = (await node.rooms.load_shown(daily.id)).seats
    return [seat.entry for seat in seats]


# Coming in


async def test_a_watcher_is_shown_the_first_hundred_of_all(lite: Database) -> None:
    entries = a_crowd()
    daily = await a_day(lite, entries)
    async with a_node(lite, clock=ManualClock(NOON)) as node:
        with node.socket(daily.id) as socket:
            await socket.hello(ANA)

            (welcome,) = socket.listen()

            room = welcome["room"]
            assert (room["kind"], room["state"], room["player_count"]) == ("daily", "racing", CROWD)
            assert (room["code"], room["nonce"], room["spectators"]) == (None, None, 1)
            assert room["standings"] == msgspec.to_builtins(rank(entries)[:SHOWN])
            assert place_of(welcome["offset"]).version == room["version"] == 2


async def test_a_player_beyond_the_hundred_is_told_who_and_how_far_he_is(lite: Database) -> None:
    daily = await a_day(lite, a_crowd())
    async with a_node(lite, clock=ManualClock(NOON)) as node:
        await node.join(daily.id, ANA)
        with node.socket(daily.id) as socket:
            await socket.hello(ANA)

            welcome, you, game = socket.listen()

            assert (welcome["type"], game["type"]) == ("welcome", "game")
            assert "p_ana" not in {one["player"]["id"] for one in welcome["room"]["standings"]}
            assert (you["state"], you["host"]) == ("racing", False)
            assert (you["entry"]["rank"], you["entry"]["placed"]) == (CROWD + 1, 1)
            assert (you["started_at"], you["ends_at"]) == (
                *("2026-11-29T12:00:00.000Z", "2026-11-29T12:30:00.000Z"),
            )
            assert (game["started_at"], game["ends_at"]) == (you["started_at"], you["ends_at"])
            await socket.play(*PLACING)
            answers = await socket.answers(2)
            assert [one["type"] for one in answers] == ["ack", "ack"]
            assert answers[1]["placed"] == 2


@pytest.mark.parametrize("frame", ["ready", "start"])
async def test_what_is_not_in_a_daily_is_an_error_and_the_socket_stays(
    lite: Database, frame: str
) -> None:
    daily = await a_day(lite)
    fields: dict[str, Any] = {"ready": True} if frame == "ready" else {}
    async with a_node(lite, clock=ManualClock(NOON)) as node:
        await node.join(daily.id, ANA)
        with node.socket(daily.id) as socket, node.socket(daily.id) as watcher:
            await socket.hello(ANA)
            await watcher.hello(BO)
            version = (await node.rooms.load(daily.id)).version

            await socket.say(frame, **fields)
            await watcher.say(frame, **fields)

            assert (await socket.expect("error"))["code"] == "not_in_a_daily"
            assert (await watcher.expect("error"))["code"] == "not_a_player"
            for one in (socket, watcher):
                await one.say("ping", t=1)
                assert (await one.expect("pong"))["t"] == 1
            assert (await node.rooms.load(daily.id)).version == version


@ON_BOTH_BUSES
async def test_a_watching_socket_plays_once_its_player_joins_anywhere(
    lite: Database, hints: bool
) -> None:
    daily = await a_day(lite, a_crowd())
    async with a_pair(lite, hints=hints) as (here, there):
        with here.socket(daily.id) as socket, here.socket(daily.id) as other:
            await socket.hello(ANA)
            await other.hello()
            await second(here, there)
            assert kinds(socket.listen()) == ["welcome"]

            await there.join(daily.id, ANA)
            if not hints:
                await second(here, there)

            you = await socket.expect("you")
            assert (you["state"], you["entry"]["rank"]) == ("racing", CROWD + 1)
            assert (await socket.expect("game"))["ply"] == 0
            await socket.play("d")
            assert brief((await socket.answers(1))[0]) == ("ack", 0, "d")
            await second(here, there)
            assert not {"joined", "standings", "you", "game"} & set(kinds(other.listen()))


@ON_BOTH_BUSES
async def test_of_two_sockets_on_two_nodes_the_newest_plays(lite: Database, hints: bool) -> None:
    daily = await a_day(lite, a_crowd())
    async with a_pair(lite, hints=hints) as (here, there):
        await there.join(daily.id, ANA)
        with here.socket(daily.id) as older, there.socket(daily.id) as newer:
            await older.hello(ANA)
            the_clock(here).advance(ms=5)
            await newer.hello(ANA)
            for _ in range(0 if hints else 3):
                await second(here, there)

            assert await older.closed() == REPLACED
            assert newer.outbox.close_code is None
            await newer.play("d")
            assert brief((await newer.answers(1))[0]) == ("ack", 0, "d")


async def test_of_two_watching_sockets_the_newest_plays_once_their_player_joins(
    lite: Database,
) -> None:
    daily = await a_day(lite, a_crowd())
    async with a_pair(lite, hints=True) as (here, there):
        with (
            here.socket(daily.id) as oldest,
            here.socket(daily.id) as older,
            there.socket(daily.id) as newest,
        ):
            for socket in (oldest, older, newest):
                await socket.hello(ANA)
                the_clock(here).advance(ms=5)

            await here.join(daily.id, ANA)
            for _ in range(3):  # if the newest was let in first, the database tells of it
                await second(here, there)

            assert await oldest.closed() == REPLACED
            assert await older.closed() == REPLACED
            assert (await newest.expect("you"))["state"] == "racing"
            assert newest.outbox.close_code is None


# While it runs


async def test_you_comes_every_second_with_the_present_rank_while_racing(lite: Database) -> None:
    daily = await a_day(lite, a_crowd())
    async with a_node(lite, clock=ManualClock(NOON)) as node:
        await node.join(daily.id, ANA)
        with node.socket(daily.id) as socket:
            await socket.hello(ANA)
            socket.listen()
            await take_in(lite, daily, a_crowd(7, first=CROWD))

            await second(node)
            await second(node)

            yous = of_kind(socket.listen(), "you")
            assert [you["entry"]["rank"] for you in yous] == [CROWD + 8] * 2
            await plays(node, daily, ANA, *PLACING)
            await second(node)
            assert of_kind(socket.listen(), "you")[-1]["entry"]["rank"] == 1
            await node.referee.resign(daily.id, player=ANA)
            await second(node)
            assert [you["state"] for you in of_kind(socket.listen(), "you")] == ["resigned"]
            await second(node)
            assert of_kind(socket.listen(), "you") == []


@ON_BOTH_BUSES
@pytest.mark.parametrize("heard_of_before", [True, False])
async def test_who_comes_into_the_hundred_is_told_to_everyone(
    lite: Database, hints: bool, heard_of_before: bool
) -> None:
    entries = a_crowd()
    daily = await a_day(lite, entries)
    async with a_pair(lite, hints=hints) as (here, there):
        await there.join(daily.id, ANA)
        with here.socket(daily.id) as socket:
            await socket.hello()
            client = Client()
            client.hear(socket)

            await plays(there, daily, ANA, *PLACING)
            if heard_of_before:  # and taken for someone beyond: the hundred are still the old ones
                await until(lambda: here.hub.ticker.is_at_rest and there.hub.ticker.is_at_rest)
            await second(here, there)

            client.hear(socket)
            assert told_of(socket.heard) == [ANA.id]
            assert client.hundred == await fresh(here, daily)
            assert client.hundred[0].player == ANA
            await second(here, there)
            assert socket.listen() == [], "it is told once"


@ON_BOTH_BUSES
async def test_who_leaves_the_hundred_by_taking_back_is_told_with_that(
    lite: Database, hints: bool
) -> None:
    daily = await a_day(lite, a_crowd())
    async with a_pair(lite, hints=hints) as (here, there):
        await there.join(daily.id, ANA)
        await plays(there, daily, ANA, *PLACING)
        with here.socket(daily.id) as socket:
            await socket.hello()
            client = Client()
            client.hear(socket)
            assert client.hundred[0].player == ANA

            await plays(there, daily, ANA, "u", ply=len(PLACING))
            await second(here, there)

            client.hear(socket)
            assert client.entries[ANA.id].placed == 1
            assert client.hundred == await fresh(here, daily)
            await second(here, there)
            assert ANA.id not in told_of(socket.listen()), "it is told once"


@ON_BOTH_BUSES
async def test_nothing_is_told_of_those_beyond_the_hundred(lite: Database, hints: bool) -> None:
    daily = await a_day(lite, a_crowd())
    async with a_pair(lite, hints=hints) as (here, there):
        with here.socket(daily.id) as watcher, here.socket(daily.id) as player:
            await watcher.hello()
            await here.join(daily.id, BO)
            await player.hello(BO)
            watcher.listen()
            player.listen()

            for node, who in ((here, ANA), (there, CY)):
                await node.join(daily.id, who)
                await plays(node, daily, who, "d", "d")
                await node.referee.resign(daily.id, player=who)
                await second(here, there)

            assert watcher.listen() == []
            frames = player.listen()
            assert set(kinds(frames)) == {"you"}
            assert {frame["player"]["id"] for frame in frames} == {BO.id}


async def test_newcomers_are_told_while_there_is_room_among_the_hundred(lite: Database) -> None:
    daily = await a_day(lite, a_crowd(SHOWN - 1))
    async with a_node(lite, clock=ManualClock(NOON)) as node:
        with node.socket(daily.id) as socket:
            await socket.hello()
            socket.listen()

            await node.join(daily.id, ANA)
            await node.join(daily.id, BO)
            await second(node)

            frames = socket.listen()
            assert set(kinds(frames)) == {"standings"}, "joining is no event of the room"
            assert told_of(frames) == [ANA.id]
            assert (await node.referee.present(daily.id)).player_count == SHOWN + 1


@ON_BOTH_BUSES
async def test_a_snapshot_and_what_followed_is_a_fresh_snapshot(
    lite: Database, hints: bool
) -> None:
    entries = a_crowd(SHOWN - 3) + a_crowd(20, first=CROWD, at_ms=2_000_000)
    daily = await a_day(lite, entries)
    async with a_pair(lite, hints=hints) as (here, there):
        clients = []
        with here.socket(daily.id) as one, there.socket(daily.id) as other:
            for socket in (one, other):
                await socket.hello()
                clients.append((socket, Client()))

            async def check() -> None:
                await second(here, there)
                await second(here, there)
                for socket, client in clients:
                    client.hear(socket)
                    assert client.hundred == await fresh(here, daily)

            await check()
            for number, player in enumerate(COMPANY):
                node = (here, there)[number % 2]
                await node.join(daily.id, player)
                await check()
                await plays(node, daily, player, *PLACING)
                the_clock(here).advance(seconds=2)
                if number % 2:
                    await check()
                await plays(node, daily, player, "24x2", "12", ply=2)
                await check()
            await here.referee.resign(daily.id, player=BO)
            await there.referee.resign(daily.id, player=CY)
            await check()


# Coming back


async def test_who_comes_back_is_told_the_hundred_and_goes_on(lite: Database) -> None:
    daily = await a_day(lite, a_crowd())
    async with a_pair(lite, hints=True) as (here, there):
        await here.join(daily.id, ANA)
        client = Client()
        with here.socket(daily.id) as socket:
            await socket.hello(ANA)
            client.hear(socket)
        await plays(there, daily, ANA, *PLACING)
        await second(here, there)
        the_clock(here).advance(seconds=3)

        with there.socket(daily.id) as socket:
            since = {"epoch": there.hub.epoch, "offset": client.offset}
            await socket.say("hello", token=f"cr_{ANA.id}", since=since)

            client.hear(socket)
            frames = socket.heard.copy()
            assert client.hundred == await fresh(there, daily)
            (game,) = of_kind(frames, "game")
            assert (game["ply"], game["placed"]) == (2, 2)
            assert of_kind(frames, "you")[-1]["entry"]["rank"] == 1
            await plays(here, daily, ANA, "24x2", ply=2)
            assert brief((await socket.answers(1))[0]) == ("ack", 2, "24x2")
            await second(here, there)
            client.hear(socket)
            assert client.hundred == await fresh(there, daily)


async def test_who_comes_back_is_told_who_has_fallen_out_of_the_hundred(lite: Database) -> None:
    daily = await a_day(lite, a_crowd())
    async with a_node(lite, clock=ManualClock(NOON)) as node:
        await node.join(daily.id, ANA)
        await plays(node, daily, ANA, *PLACING)
        client = Client()
        with node.socket(daily.id) as other:
            await other.hello()
            with node.socket(daily.id) as socket:
                await socket.hello()
                client.hear(socket)
            await plays(node, daily, ANA, "u", ply=2)
            await second(node)

            with node.socket(daily.id) as socket:
                since = {"epoch": node.hub.epoch, "offset": client.offset}
                await socket.say("hello", since=since)

                client.hear(socket)
                assert client.hundred == await fresh(node, daily)


async def test_in_another_history_a_player_beyond_the_hundred_goes_on_playing(
    lite: Database,
) -> None:
    daily = await a_day(lite, a_crowd())
    async with a_node(lite, clock=ManualClock(NOON)) as node:
        await node.join(daily.id, ANA)
        with node.socket(daily.id) as socket:
            await socket.hello(ANA)
            socket.listen()

            await node.hub.begin("another")
            await node.at_rest()

            frames = socket.listen()
            assert kinds(frames)[:2] == ["welcome", "you"]
            await socket.play("d")
            assert brief((await socket.answers(1))[0]) == ("ack", 0, "d")


# Names


async def renames(node: Node, daily: Daily, player: Player, name: str) -> Player:
    """Take another name as the call does it."""
    renamed = await Players(node.database).rename(player, name)
    await node.change(daily.id, "rename", renamed)
    return renamed


@ON_BOTH_BUSES
async def test_a_new_name_of_someone_shown_is_told(lite: Database, hints: bool) -> None:
    entries = a_crowd()
    daily = await a_day(lite, entries)
    async with a_pair(lite, hints=hints) as (here, there):
        with here.socket(daily.id) as socket:
            await socket.hello()
            client = Client()
            client.hear(socket)

            new = await renames(there, daily, entries[5].player, "Renamed")
            await second(here, there)
            await second(here, there)

            client.hear(socket)
            assert of_kind(socket.heard, "renamed")[0]["player"] == msgspec.to_builtins(new)
            assert client.hundred == await fresh(here, daily)


async def test_a_new_name_of_someone_beyond_is_told_to_nobody_else(lite: Database) -> None:
    daily = await a_day(lite, a_crowd())
    async with a_node(lite, clock=ManualClock(NOON)) as node:
        await node.join(daily.id, ANA)
        with node.socket(daily.id) as socket, node.socket(daily.id) as watcher:
            await socket.hello(ANA)
            await watcher.hello()
            socket.listen()
            watcher.listen()
            version = (await node.rooms.load(daily.id)).version

            new = await renames(node, daily, ANA, "Renamed")
            await second(node)

            assert watcher.listen() == []
            yous = of_kind(socket.listen(), "you")
            assert yous[-1]["player"] == msgspec.to_builtins(new)
            assert (await node.rooms.load(daily.id)).version == version


async def test_who_comes_into_the_hundred_as_someone_is_renamed_is_told(lite: Database) -> None:
    entries = a_crowd()
    daily = await a_day(lite, entries)
    async with a_pair(lite, hints=False) as (here, there):
        with here.socket(daily.id) as socket:
            await socket.hello()
            client = Client()
            await there.join(daily.id, ANA)
            await plays(there, daily, ANA, *PLACING)
            await renames(there, daily, entries[5].player, "Renamed")
            await second(here, there)
            await second(here, there)
            await second(here, there)

            client.hear(socket)
            assert client.hundred == await fresh(here, daily)


# The end


@pytest.mark.parametrize("beats", [True, False])
async def test_when_the_day_finishes_everyone_is_told(lite: Database, beats: bool) -> None:
    entries = a_crowd(state="resigned")
    daily = await a_day(lite, entries)
    clock = ManualClock(daily.closes_at - timedelta(minutes=10))
    async with a_node(lite, clock=clock) as node:
        await node.join(daily.id, ANA)
        with node.socket(daily.id) as socket:
            await socket.hello(ANA)
            client = Client()
            client.hear(socket)
            go_to(clock, daily.closes_at + timedelta(minutes=20) + LATECOMERS)
            await node.attempts.end_run_out()
            if beats:
                await second(node)
            await node.deadlines.sweep_once()
            await node.at_rest()

            client.hear(socket)
            frames = socket.heard
            (finished,) = of_kind(frames, "finished")
            assert (finished["code"], finished["nonce"]) == (OPEN_CODE, NONCE)
            assert finished["finished_at"] == "2026-11-30T00:20:00.000Z"
            assert finished["standings"] == msgspec.to_builtins(rank(entries)[:SHOWN])
            you = of_kind(frames, "you")[-1]
            assert (you["state"], you["entry"]["rank"]) == ("out_of_time", CROWD + 1)
            assert client.state == "finished"
            assert client.hundred == await fresh(node, daily)


async def test_after_the_end_a_player_beyond_is_shown_the_place(lite: Database) -> None:
    daily = await a_day(lite, a_crowd(state="resigned"))
    clock = ManualClock(NOON)
    async with a_node(lite, clock=clock) as node:
        await node.join(daily.id, ANA)
        await plays(node, daily, ANA, "d")
        go_to(clock, daily.closes_at + timedelta(hours=3))
        with node.socket(daily.id) as socket:
            await socket.hello(ANA)

            frames = socket.listen()

            (welcome,) = of_kind(frames, "welcome")
            assert (welcome["room"]["state"], welcome["room"]["code"]) == ("finished", OPEN_CODE)
            you = of_kind(frames, "you")[-1]
            assert (you["state"], you["entry"]["rank"]) == ("out_of_time", CROWD + 1)
            (game,) = of_kind(frames, "game")
            assert (game["state"], game["ply"]) == ("out_of_time", 1)
            await socket.play("d")
            assert brief((await socket.answers(1))[0]) == ("ack", 0, "d")


# What nobody may know


async def test_before_the_end_nobody_is_told_the_deal_or_what_others_play(lite: Database) -> None:
    daily = await a_day(lite, a_crowd(5))
    async with a_pair(lite, hints=True) as (here, there):
        await here.join(daily.id, ANA)
        await there.join(daily.id, BO)
        with (
            here.socket(daily.id) as watcher,
            there.socket(daily.id) as player,
            here.socket(daily.id) as other,
        ):
            await watcher.hello()
            await player.hello(BO)
            await other.hello(CY)
            await plays(here, daily, ANA, *PLACING, "24x2")
            await second(here, there)
            await here.join(daily.id, CY)
            await here.referee.resign(daily.id, player=ANA)
            await second(here, there)
            heard: dict[str, list[Frame]] = {}
            for name, socket in (("watcher", watcher), ("bo", player), ("cy", other)):
                socket.listen()
                heard[name] = socket.heard

    everything = msgspec.json.encode(heard).decode()
    assert OPEN_CODE not in everything
    assert OPEN_CODE.rpartition("-")[2] not in everything
    assert NONCE not in everything
    assert set(kinds(heard["watcher"])) == {"welcome", "standings"}
    for name in ("bo", "cy"):
        assert set(kinds(heard[name])) == {"welcome", "standings", "you", "game"}
        assert {frame["ply"] for frame in of_kind(heard[name], "game")} == {0}


async def test_an_attempt_is_put_away_as_it_ends(lite: Database) -> None:
    daily = await a_day(lite)
    async with a_node(lite, clock=ManualClock(NOON)) as node:
        await node.join(daily.id, ANA)
        with node.socket(daily.id) as socket:
            await socket.hello(ANA)
            await socket.play(*PLACING)
            await socket.answers(2)
            await socket.say("resign")
            await node.at_rest()

        log = await node.games.log(node.seat(await present(node, daily, ANA), ANA).game_id)
        assert [action.move for action in log.actions] == list(PLACING)
        seat = await Attempts(lite).seat(daily.id, ANA.id)
        assert seat is not None
        assert (seat.state, seat.ended_at) == ("resigned", NOON)


async def present(node: Node, daily: Daily, player: Player) -> Any:
    return await node.referee.present(daily.id, asking=player)
