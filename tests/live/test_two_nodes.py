"""One room on two nodes of one database, which hear each other at once or compare only."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from server.clock import ManualClock
from server.live.buses.bus import MemoryBus
from server.race.standings import Entry
from server.store.database import Database
from server.store.players import Players
from tests.live.builders import WIN, Frame, Node, Socket, a_node, brief, until
from tests.live.folding import Folded, snapshot
from tests.race.builders import ANA, BO, CY, after
from tests.store.builders import a_kept_room, register

Pair = tuple[Node, Node]

pytestmark = pytest.mark.parametrize(
    ("nodes", "database_url"),
    [("hints", "sqlite"), ("comparison", "postgresql")],
    indirect=True,
)
"""What must do alone what each test shows: hints, without a comparison, or the other way round."""


@pytest.fixture
async def nodes(request: pytest.FixtureRequest, database: Database) -> AsyncIterator[Pair]:
    """Two nodes; those without a bus between them learn of each other from the database only."""
    clock = ManualClock(after(20))
    medium = set[MemoryBus]() if request.param == "hints" else None
    async with (
        a_node(database, clock=clock, medium=medium) as here,
        a_node(database, clock=clock, medium=medium) as there,
    ):
        yield here, there


async def come_together(nodes: Pair) -> None:
    """Let everything be told: by hints, or where there are none by comparing."""
    here, there = nodes
    rounds = (
        0 if here.bus._medium is there.bus._medium else 3
    )  # written in one, seen in the next, then told
    await all_at_rest(nodes)
    for _ in range(rounds):
        for node in nodes:
            await node.reconciler.compare()
        await all_at_rest(nodes)


async def all_at_rest(nodes: Pair) -> None:
    await until(lambda: not any(node.tasks._running for node in nodes))


def kinds(frames: list[Frame]) -> list[str]:
    return [frame["type"] for frame in frames]


async def state(node: Node, room_id: str) -> tuple[dict[str, Any], dict[str, Any]]:
    room = await node.referee.present(room_id)
    return snapshot(msgspec.to_builtins(await node.hub.view(room)))


async def test_what_happens_on_one_node_is_told_on_the_other(nodes: Pair) -> None:
    here, there = nodes
    room = await a_kept_room(here.database, players=2, countdown_s=0)
    await register(here.database, CY)
    with there.socket(room.id) as eye:
        await eye.hello()
        folded = Folded()

        await here.join(room.id, CY)
        await here.referee.change(room.id, lambda room, at: room.leave(BO, at=at))
        await come_together(nodes)
        await here.referee.change(room.id, lambda room, at: room.start(ANA, at=at))
        await here.referee.resign(room.id, player=ANA)
        await come_together(nodes)
        await here.referee.resign(room.id, player=CY)
        await come_together(nodes)

        for frame in eye.listen():
            folded.take(frame)
        told = [kind for kind in kinds(eye.heard) if kind != "standings"]
        assert told == ["welcome", "joined", "left", "countdown", "started", "finished"]
        assert folded.state == await state(here, room.id) == await state(there, room.id)


async def test_progress_made_on_one_node_is_told_on_the_other(nodes: Pair) -> None:
    here, there = nodes
    room = await a_kept_room(here.database, players=2, racing=True)
    with here.socket(room.id) as ana, there.socket(room.id) as eye:
        await ana.hello(ANA)
        folded = Folded()
        await eye.hello()

        await ana.play(*WIN[:20])
        await ana.answers(20)
        await come_together(nodes)

        for frame in eye.listen():
            folded.take(frame)
        assert folded.entries[ANA.id]["actions"] == 20
        assert folded.state == await state(there, room.id)


async def test_a_game_that_starts_is_shown_to_players_of_every_node(nodes: Pair) -> None:
    here, there = nodes
    room = await a_kept_room(here.database, players=2, countdown_s=0)
    with here.socket(room.id) as ana, there.socket(room.id) as bo:
        await ana.hello(ANA)
        await bo.hello(BO)

        await ana.say("start")
        await come_together(nodes)
        await bo.expect("game")
        await bo.play("12")
        await bo.answers(1)
        await come_together(nodes)

        assert [f["state"] for f in bo.heard if f["type"] == "you"] == ["joined", "racing"]
        told = [f for f in ana.listen() if f["type"] == "standings"]
        assert {e["player"]["id"]: e["actions"] for e in told[-1]["entries"]}[BO.id] == 1


async def test_a_move_played_through_another_node_is_acknowledged_on_the_players_socket(
    nodes: Pair,
) -> None:
    here, there = nodes
    room = await a_kept_room(here.database, players=2, racing=True)
    with here.socket(room.id) as ana:
        await ana.hello(ANA)
        await ana.play("12")
        await ana.answers(1)

        session = there.session_of(await there.referee.present(room.id), ANA)
        now_ms = there.clock.now_ms()
        await session.play(1, "rf", received_ms=now_ms)
        await session.play(2, "24x2", received_ms=now_ms)
        await session.settled()
        await come_together(nodes)

        acks = [brief(frame) for frame in ana.listen() if frame["type"] == "ack"]
        assert acks == [("ack", 1, "rf"), ("ack", 2, "24x2")]
        await ana.play("12", ply=3)
        assert [brief(answer) for answer in await ana.answers(1)] == [("ack", 3, "12")]


async def test_a_player_may_play_on_from_any_node(nodes: Pair) -> None:
    here, there = nodes
    room = await a_kept_room(here.database, players=2, racing=True)
    ply = 0
    for node in (here, there, here, there):
        with node.socket(room.id) as socket:
            await socket.hello(ANA)
            assert (await socket.expect("game"))["ply"] == ply
            await socket.play(*WIN[ply : ply + 3], ply=ply)
            answers = await socket.answers(3)
            assert [a["type"] for a in answers] == ["ack"] * 3
            ply += 3


async def test_the_newest_socket_plays_wherever_it_is(nodes: Pair) -> None:
    here, there = nodes
    room = await a_kept_room(here.database, players=2, racing=True)
    with here.socket(room.id) as old, there.socket(room.id) as new:
        await old.hello(ANA)
        await come_together(nodes)
        clock = here.clock
        assert isinstance(clock, ManualClock)
        clock.advance(ms=1)
        await new.hello(ANA)
        await come_together(nodes)

        assert (old.outbox.close_code, new.outbox.close_code) == (4409, None)
        await new.expect("game")
        await new.play("12")
        assert [brief(answer) for answer in await new.answers(1)] == [("ack", 0, "12")]


async def test_both_nodes_may_believe_they_hold_the_game_and_no_move_counts_twice(
    nodes: Pair,
) -> None:
    here, there = nodes
    room = await a_kept_room(here.database, players=1, racing=True)
    line = WIN[:40]
    with here.socket(room.id) as one, there.socket(room.id) as other:
        await one.hello(ANA)
        await other.hello(ANA)

        await asyncio.gather(insist(one, line), insist(other, line))

    log = await here.games.log(room.seats[0].game_id)
    assert [action.move for action in log.actions] == line


async def insist(socket: Socket, line: list[str]) -> None:
    """Play a line to its end, sending again whatever is not acknowledged, until closed."""
    ply = 0
    while ply < len(line) and socket.outbox.close_code is None:
        await socket.play(*line[ply : ply + 3], ply=ply)
        frame: Frame | None = await socket.next() if socket.outbox.close_code is None else None
        while frame is not None:
            if frame["type"] == "ack":
                ply = max(ply, frame["ply"] + 1)
            elif frame["type"] == "reject":
                assert frame["code"] in ("unavailable", "ply_gap")
            waiting = socket.listen()
            frame = waiting.pop(0) if waiting else None


async def test_a_token_revoked_on_one_node_closes_its_sockets_on_the_other(nodes: Pair) -> None:
    here, there = nodes
    room = await a_kept_room(here.database, players=2)
    with there.socket(room.id) as ana, there.socket(room.id) as bo:
        await ana.hello(ANA)
        await bo.hello(BO)

        await Players(here.database).revoke_token(ANA, f"t_{ANA.id}")
        here.hub.revoke(f"t_{ANA.id}")
        await come_together(nodes)

        assert (ana.outbox.close_code, bo.outbox.close_code) == (4401, None)


async def test_who_was_kicked_on_one_node_only_watches_on_the_other(nodes: Pair) -> None:
    here, there = nodes
    room = await a_kept_room(here.database, players=2)
    with there.socket(room.id) as bo:
        await bo.hello(BO)

        await here.referee.change(room.id, lambda room, at: room.kick(ANA, target_id=BO.id, at=at))
        await come_together(nodes)

        assert kinds(bo.listen()) == ["welcome", "you", "kicked"]
        await bo.say("ready", ready=True)
        assert bo.listen()[-1]["code"] == "not_a_player"


async def test_a_game_that_ended_on_one_node_takes_no_move_on_the_other(nodes: Pair) -> None:
    here, there = nodes
    room = await a_kept_room(here.database, players=2, racing=True)
    with here.socket(room.id) as ana:
        await ana.hello(ANA)
        await ana.play("12")
        await ana.answers(1)

        await there.referee.resign(room.id, player=ANA)
        await come_together(nodes)
        await ana.play("rf", ply=1)

        [reject] = await ana.answers(1)
        assert reject["code"] == "not_racing"
        assert [f["state"] for f in ana.heard if f["type"] == "you"][-1] == "resigned"


async def test_a_client_resumes_on_another_node_where_it_broke_off(nodes: Pair) -> None:
    here, there = nodes
    room = await a_kept_room(here.database, players=2, countdown_s=0)
    await register(here.database, CY)
    folded = Folded()
    with here.socket(room.id) as eye:
        await eye.hello()
        await here.join(room.id, CY)
        for frame in eye.listen():
            folded.take(frame)
    await here.referee.change(room.id, lambda room, at: room.start(ANA, at=at))
    session = here.session_of(await here.referee.present(room.id), BO)
    await session.play(0, WIN[0], received_ms=here.clock.now_ms())
    await session.settled()
    await come_together(nodes)

    with there.socket(room.id) as eye:
        await eye.say("hello", since={"epoch": there.hub.epoch, "offset": folded.offset})

        frames = eye.listen()
        assert kinds(frames) == ["welcome", "countdown", "started", "standings"]
        assert (frames[0]["recovered"], frames[0]["room"]) == (True, None)
        assert frames[0]["offset"] == folded.offset
        for frame in frames[1:]:
            folded.take(frame)
        assert folded.state == await state(there, room.id)


async def test_both_nodes_sweep_and_a_race_finishes_once(nodes: Pair) -> None:
    here, there = nodes
    room = await a_kept_room(here.database, players=2, racing=True, time_limit_s=60)
    clock = here.clock
    assert isinstance(clock, ManualClock)
    with here.socket(room.id) as one, there.socket(room.id) as other:
        await one.hello(ANA)
        await other.hello(BO)
        clock.advance(seconds=120)

        await asyncio.gather(here.deadlines.sweep_once(), there.deadlines.sweep_once())
        await come_together(nodes)

        for socket in (one, other):
            assert kinds(socket.listen()).count("finished") == 1


async def test_entries_that_are_known_already_are_not_told_again(nodes: Pair) -> None:
    here, there = nodes
    room = await a_kept_room(here.database, players=2, racing=True)
    with there.socket(room.id) as eye:
        await eye.hello()
        entry = msgspec.structs.replace(room.seats[0].entry, actions=7)
        here.hub.ticker.progress(room.id, entry)
        await come_together(nodes)
        eye.listen()

        there.channel_of(room.id).scores.fold([older(entry)])
        await come_together(nodes)

        assert eye.listen() == []


def older(entry: Entry) -> Entry:
    return msgspec.structs.replace(entry, actions=entry.actions - 1)
