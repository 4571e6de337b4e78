"""An old snapshot and the events after it are a fresh snapshot, whatever happens in a room.

The room is on two nodes; who watches it may lose the connection and go on at either.
"""

import asyncio
from collections import Counter
from contextlib import ExitStack
from itertools import chain, count, pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, event, example, given, settings
from hypothesis import strategies as st

from server.clock import ManualClock
from server.game import GameCode
from server.live import ticker
from server.live.buses.bus import MemoryBus
from server.live.conversation import Limits
from server.race.deals import Deal
from server.race.errors import RaceError
from server.race.player import Player
from server.race.room import Room, open_room
from server.race.views import view_room
from server.store.database import Database
from server.store.players import Players
from tests.live.builders import WIN, Node, Socket, a_node, until
from tests.live.folding import Folded, State, snapshot
from tests.race.builders import ANA, COMPANY, NONCE, OPEN_CODE, OPENED, after, settings_for
from tests.store.builders import CHANCE, register, rows

UNLIMITED = Limits(frames_per_s=10**5, frames_burst=10**5, outbox_frames=10**5)
NUMBERS = count()

Command = tuple[Any, ...]
"""A method of `Scene`, who does it, and what else it takes."""

WHO = st.sampled_from(range(4))
COMMANDS = st.one_of(
    st.tuples(st.sampled_from(["join", "join", "leave", "start", "cancel", "resign"]), WHO),
    st.tuples(st.just("ready"), WHO, st.booleans()),
    st.tuples(st.just("kick"), WHO, WHO),
    st.tuples(st.just("move"), st.sampled_from(range(3)), st.sampled_from([1, 7, 90])),
    st.tuples(st.just("move"), st.sampled_from(range(3)), st.just(1)),
    st.tuples(st.sampled_from(["watch", "watch", "rematch"]), WHO),
    st.tuples(st.sampled_from(["drop", "resume", "forget"]), WHO),
)
STEPS = st.one_of(
    st.lists(COMMANDS, min_size=2, max_size=5),
    st.lists(COMMANDS, min_size=2, max_size=5),
    st.tuples(st.tuples(st.just("rename"), WHO)),
    st.tuples(st.tuples(st.just("wait"), st.sampled_from([1, 5, 31, 70]))),
)
"""What is asked for at once."""

AWAY = st.builds(
    lambda who, steps, back: [[("drop", who)], *steps, [("resume", who)] * back],
    WHO,
    st.lists(STEPS, max_size=2),
    st.sampled_from([1, 2]),  # back on either node: they take turns
)
"""Steps while someone is away, who comes back."""

EPISODES = st.one_of(STEPS.map(lambda step: [step]), AWAY, AWAY)

RACE: list[list[Command]] = [
    *([("join", who)] for who in (1, 2)),
    [("ready", 1, True), ("watch", 1)],
    [("start", 0)],
    [("wait", 5)],
]
"""Steps after which the race is on."""


class Scene:
    """A room on a node, and everyone who watches it."""

    def __init__(self, nodes: list[Node], clock: ManualClock, room: Room) -> None:
        self.nodes = nodes
        self.clock = clock
        self.room_id = room.id
        self.players = COMPANY[:4]
        self.watchers: list[Watcher] = []
        self.commands = 0

    async def do(self, verb: str, who: int, *arguments: int) -> None:
        """Do one command on a node, they take turns; a refusal is fine."""
        self.commands += 1
        node = self.nodes[self.commands % len(self.nodes)]
        try:
            await getattr(self, verb)(node, who, *arguments)
        except RaceError as refusal:
            event(f"{verb}: {refusal.code}")
        else:
            event(f"{verb}: done")

    async def join(self, node: Node, who: int) -> None:
        await node.join(self.room_id, self.players[who])

    async def leave(self, node: Node, who: int) -> None:
        await node.change(self.room_id, "leave", self.players[who])

    async def start(self, node: Node, who: int) -> None:
        await node.change(self.room_id, "start", self.players[who])

    async def cancel(self, node: Node, who: int) -> None:
        if who == 0:  # else few rooms would live long
            await node.change(self.room_id, "cancel", self.players[who])

    async def ready(self, node: Node, who: int, ready: bool) -> None:
        await node.change(self.room_id, "set_ready", self.players[who], ready=ready)

    async def kick(self, node: Node, who: int, target: int) -> None:
        unwanted = self.players[target]
        await node.change(self.room_id, "kick", self.players[who], target_id=unwanted.id)

    async def resign(self, node: Node, who: int) -> None:
        await node.referee.resign(self.room_id, player=self.players[who])

    async def rematch(self, node: Node, who: int) -> None:
        await node.rematch(self.room_id, self.players[who])

    async def move(self, node: Node, who: int, times: int) -> None:
        """Play on along a game that is won in the end."""
        room = await node.referee.present(self.room_id)
        session = node.session_of(room, self.players[who])
        await session.at_rest()
        ply = session.view(now_ms=self.clock.now_ms()).ply
        for number, move in enumerate(WIN[ply : ply + times], start=ply):
            await session.play(number, move, received_ms=self.clock.now_ms())
        await session.settled()

    async def watch(self, node: Node, who: int) -> None:
        watcher = Watcher(self.room_id, self.players[who] if who else None)
        self.watchers.append(watcher)
        await watcher.connect(node)

    async def drop(self, _node: Node, number: int) -> None:
        """Cut a connection, once it has been answered."""
        watcher = self.watchers[number % len(self.watchers)]
        if watcher.socket is not None and watcher.socket.conversation.greeted:
            watcher.drop()

    async def resume(self, node: Node, _who: int) -> None:
        """Go on wherever a connection was cut."""
        for watcher in self.watchers:
            if watcher.socket is None:
                await watcher.connect(node)

    async def rename(self, node: Node, who: int) -> None:
        new = f"Name{next(NUMBERS)}"
        renamed = await Players(node.database).rename(self.players[who], new)
        self.players[who] = renamed
        await node.change(self.room_id, "rename", renamed)

    async def forget(self, node: Node, _who: int) -> None:
        """Have nobody go on from before any more: everyone is told the room whole."""
        await node.rooms.forget_events(before=after(10**6))

    async def wait(self, node: Node, seconds: int) -> None:
        self.clock.advance(seconds=seconds)
        await node.referee.present(self.room_id)

    async def check(self) -> None:
        """Hold what everyone has heard against the room as it is."""
        for node in self.nodes * 2:  # what was missing twice is made up
            await node.reconciler.compare()
        await until(lambda: not any(node.tasks._running for node in self.nodes))
        room = await self.nodes[0].referee.present(self.room_id)
        fresh = snapshot(msgspec.to_builtins(view_room(await self.nodes[0].rooms.load(room.id))))
        for node in self.nodes:
            assert snapshot(msgspec.to_builtins(await node.hub.view(room))) == fresh
        for watcher in self.watchers:
            if (socket := watcher.take_in()) is not None:
                state = watcher.folded.state
                assert state == fresh, "\n".join(differences(state, fresh))
                self.check_you(socket, room)

    @staticmethod
    def check_you(socket: Socket, room: Room) -> None:
        """Who plays was last told who one is, and told again only when that had changed."""
        yous = [frame for frame in socket.heard if frame["type"] == "you"]
        gists = [(you["player"], you["host"], you["state"]) for you in yous]
        kinds = Counter(frame["type"] for frame in socket.heard)
        if not kinds["left"] + kinds["kicked"] and kinds["welcome"] == 1:
            assert all(one != other for one, other in pairwise(gists))
        player = socket.conversation.player
        if player is not None and socket.channel.players.get(player.id) is socket.conversation:
            seat = socket.node.seat(room, player)
            assert gists[-1] == (
                msgspec.to_builtins(seat.player),
                room.host_id == player.id,
                seat.state,
            )


class Watcher:
    """Someone who watches the room, over one connection after another."""

    def __init__(self, room_id: str, player: Player | None) -> None:
        self.room_id = room_id
        self.player = player
        self.folded = Folded()
        self.socket: Socket | None = None
        self._stack = ExitStack()

    async def connect(self, node: Node) -> None:
        """Say hello, with what is known from before."""
        socket = self._stack.enter_context(node.socket(self.room_id, limits=UNLIMITED))
        self.socket = socket
        since = None
        if self.folded.offset >= 0:
            since = {"epoch": node.hub.epoch, "offset": self.folded.offset}
        token = None if self.player is None else f"cr_{self.player.id}"
        await socket.say("hello", token=token, since=since)
        if since is not None and (heard := socket.outbox._frames):
            event(f"resumed, recovered: {msgspec.json.decode(heard[0])['recovered']}")

    def take_in(self) -> Socket | None:
        """Fold what has come; gives the socket while there is one."""
        if self.socket is None:
            return None
        for frame in self.socket.listen():
            self.folded.take(frame)
        if self.socket.outbox.close_code is not None:
            self.drop()
        return self.socket

    def drop(self) -> None:
        """Lose the connection, and what was on its way."""
        self._stack.close()
        self.socket = None


def differences(told: State, fresh: State) -> list[str]:
    """Say where two states differ, part by part."""
    return [
        f"{name}: told {one.get(name)}, but is {other.get(name)}"
        for one, other in zip(told, fresh, strict=True)
        for name in one | other
        if one.get(name) != other.get(name)
    ]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have standings told at once, so that nobody needs to wait for them."""
    monkeypatch.setattr(ticker, "TICK_S", 0)


async def a_new_room(node: Node, **wish: object) -> Room:
    """A room of the deal whose winning game is known."""
    if not await rows(node.database, "SELECT 1 FROM players"):
        await register(node.database, *COMPANY)
    host = await Players(node.database).find(ANA.id)
    room = open_room(
        CHANCE.identifier(),
        settings_for(**wish),
        Deal(code=GameCode.parse(OPEN_CODE), nonce=NONCE),
        code_is_known=False,
        host=host,
        game_id=CHANCE.identifier(),
        at=OPENED,
    )
    return await node.rooms.create(room)


@pytest.mark.usefixtures("quick")
@settings(
    max_examples=40,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # shrinking takes minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    wish=st.fixed_dictionaries(
        {
            "sealed": st.booleans(),
            "start": st.sampled_from(["host", "ready"]),
            "countdown_s": st.sampled_from([0, 5]),
        }
    ),
    raced=st.sampled_from([True, True, False]),
    hear_each_other=st.booleans(),
    episodes=st.lists(EPISODES, min_size=2, max_size=7),
)
@example(
    wish={"sealed": True, "start": "host", "countdown_s": 5},
    raced=True,
    hear_each_other=False,
    episodes=[
        [
            [("move", 0, 500), ("move", 1, 9)],
            [("drop", 0), ("drop", 1)],
            [("rename", 1)],
            [("resume", 0)],
            [("wait", 70)],
            [("rematch", 0), ("rematch", 2), ("resume", 1)],
        ]
    ],
)
@example(
    wish={"sealed": False, "start": "ready", "countdown_s": 0},
    raced=False,
    hear_each_other=False,
    episodes=[
        [[("join", 1)], [("drop", 0)], [("join", 2)], [("ready", 1, True)]],
        [[("resume", 0)], [("kick", 0, 2), ("forget", 0)], [("leave", 0), ("watch", 1)]],
        [[("drop", 0)], [("ready", 0, True), ("ready", 1, True)], [("resume", 0)]],
    ],
)
async def test_a_snapshot_and_its_events_are_a_fresh_snapshot(
    lite: Database,
    wish: dict[str, Any],
    raced: bool,
    hear_each_other: bool,
    episodes: list[list[list[Command]]],
) -> None:
    clock = ManualClock(after(1))
    medium = set[MemoryBus]() if hear_each_other else None
    async with (
        a_node(lite, clock=clock, medium=medium) as one,
        a_node(lite, clock=clock, medium=medium) as other,
    ):
        room = await a_new_room(one, time_limit_s=60, **wish)
        scene = Scene([one, other], clock, room)
        scene.players = [await Players(lite).find(player.id) for player in COMPANY[:4]]
        await scene.watch(one, 0)
        for step in chain(RACE if raced else [], *episodes):
            await asyncio.gather(*(scene.do(*command) for command in step))
            await scene.check()
        for watcher in scene.watchers:
            watcher.drop()
