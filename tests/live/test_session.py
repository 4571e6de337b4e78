import asyncio
from collections.abc import Awaitable, Callable
from random import Random

import msgspec
import pytest

from server.live import session as session_module
from server.live.outbox import Outbox
from server.live.session import Session
from server.race.errors import Unavailable
from server.race.instants import to_epoch_ms
from server.race.plays import Log, Outcome, Play
from server.race.room import Room
from server.race.standings import Entry
from server.store import journal as journal_module
from server.store.database import Database
from tests.live.builders import OPENING, WIN, Ear, Frame, Node, a_node, brief, until
from tests.live.conftest import Logs
from tests.race.builders import ANA, BO, a_room, after
from tests.store.builders import a_kept_room, rows

ENDED = "SELECT state, ply, placed, score, at_ms FROM games WHERE id = 'g_ana'"
LOG = "SELECT ply, move, elapsed_ms FROM actions WHERE game_id = 'g_ana' ORDER BY ply"


class Table:
    """Ana's game of a kept room, loaded, and the ear of her socket."""

    def __init__(self, node: Node, room: Room) -> None:
        assert room.started_at is not None
        assert room.ends_at is not None
        self.node = node
        self.room = room
        self.started_ms, self.ends_ms = to_epoch_ms(room.started_at), to_epoch_ms(room.ends_at)
        self.session = node.session_of(room, ANA)
        self.session.outbox = Outbox(most_frames=10_000)
        self.ear = Ear(self.session.outbox)

    async def send(self, ply: int, text: str, *, elapsed_ms: int = 1000) -> None:
        await self.session.play(ply, text, received_ms=self.started_ms + elapsed_ms)

    async def play(self, *moves: str, ply: int = 0) -> list[Frame]:
        """Play moves, and give their answers."""
        for number, move in enumerate(moves, start=ply):
            await self.send(number, move, elapsed_ms=1000 * (number + 1))
        return await self.ear.answers(len(moves))

    def view(self) -> Frame:
        shown = self.session.view(now_ms=self.started_ms + 500_000)
        return dict(msgspec.to_builtins(shown))

    async def stored(self) -> list[tuple[object, ...]]:
        return await rows(self.node.database, ENDED) + await rows(self.node.database, LOG)


async def a_table(node: Node, **wish: object) -> Table:
    room = await a_kept_room(node.database, players=2, racing=True, **wish)
    table = Table(node, room)
    await table.session.load()
    return table


async def test_an_ack_comes_only_once_the_move_is_on_disk(database: Database) -> None:
    async with a_node(database) as node:
        table = await a_table(node)
        node.gate.hold()

        await table.send(0, "12")
        await node.gate.began.wait()

        assert table.ear.listen() == []
        assert await rows(database, LOG) == []
        node.gate.release()
        [ack] = await table.ear.answers(1)
        assert brief(ack) == ("ack", 0, "12")
        assert await rows(database, LOG) == [(0, "12", 1000)]


async def test_an_ack_says_what_the_move_did(lite: Database) -> None:
    async with a_node(lite) as node:
        table = await a_table(node)

        acks = await table.play("1", "r", "24x2")

        assert [ack["move"] for ack in acks] == ["12", "rf", "24x2"]
        assert [ack["revealed"] for ack in acks] == [["8H"], ["QS"], ["JS"]]
        assert [ack["at_ms"] for ack in acks] == [0, 2000, 2000]
        assert [ack["elapsed_ms"] for ack in acks] == [1000, 2000, 3000]
        assert acks[-1]["hash"] == table.view()["hash"] == "3c27b9d4"
        assert not any("game" in ack for ack in acks)


async def test_an_undos_ack_carries_the_whole_view(lite: Database) -> None:
    async with a_node(lite) as node:
        table = await a_table(node)

        *_, ack = await table.play("12", "rf", "u")

        view = table.view() | {"elapsed_ms": ack["elapsed_ms"]}
        assert (ack["revealed"], ack["game"]) == ([], view)
        assert (ack["placed"], ack["at_ms"]) == (1, 3000)


async def test_answers_keep_the_order_of_their_frames(lite: Database) -> None:
    async with a_node(lite) as node:
        table = await a_table(node)
        node.gate.hold()

        async def frames() -> None:
            for ply, text in [(0, "12"), (1, "what"), (1, "rf"), (7, "d"), (0, "12"), (2, "24x2")]:
                await table.send(ply, text)

        reading = asyncio.create_task(frames())
        await node.gate.began.wait()
        assert table.ear.listen() == []
        node.gate.release()
        await reading

        assert [brief(answer) for answer in await table.ear.answers(6)] == [
            ("ack", 0, "12"),
            ("bad_move", 1, 1),
            ("ack", 1, "rf"),
            ("ply_gap", 7, 2),
            ("ack", 0, "12"),
            ("ack", 2, "24x2"),
        ]


REFUSALS = [
    ((), 0, "what", "bad_move"),
    ((), 0, "", "bad_move"),
    ((), 0, "wf", "illegal_move"),
    ((), 0, "w", "illegal_move"),
    ((), 0, "u", "nothing_to_undo"),
    ((), 1, "d", "ply_gap"),
    (("12",), 3, "d", "ply_gap"),
    (("12", "rf"), 0, "d", "ply_conflict"),
    (("12", "rf"), 1, "12", "ply_conflict"),
    (("12", "rf"), 1, "u", "ply_conflict"),
    (("12", "rf"), 0, "w", "ply_conflict"),
    (("12", "rf"), 0, "what", "bad_move"),
]


@pytest.mark.parametrize(("before", "ply", "text", "code"), REFUSALS)
async def test_a_refused_move_changes_nothing(
    lite: Database, before: tuple[str, ...], ply: int, text: str, code: str
) -> None:
    async with a_node(lite) as node:
        table = await a_table(node)
        await table.play(*before)
        view, stored = table.view(), await table.stored()

        [reject] = await table.play(text, ply=ply)

        assert brief(reject) == (code, ply, len(before))
        assert reject["detail"]
        assert (table.view(), await table.stored()) == (view, stored)


async def test_undo_can_be_switched_off(lite: Database) -> None:
    async with a_node(lite) as node:
        table = await a_table(node, undo=False)
        await table.play("12")
        view, stored = table.view(), await table.stored()

        [reject] = await table.play("u", ply=1)

        assert brief(reject) == ("undo_off", 1, 1)
        assert (table.view(), await table.stored()) == (view, stored)


async def test_a_move_counts_by_its_arrival(lite: Database) -> None:
    async with a_node(lite) as node:
        table = await a_table(node)
        limit_ms = table.ends_ms - table.started_ms

        await table.send(0, "12", elapsed_ms=-1)
        await table.send(0, "12", elapsed_ms=0)
        await table.send(1, "rf", elapsed_ms=limit_ms - 1)
        await table.send(2, "d", elapsed_ms=limit_ms)

        assert [brief(answer) for answer in await table.ear.answers(4)] == [
            ("not_racing", 0, 0),
            ("ack", 0, "12"),
            ("ack", 1, "rf"),
            ("not_racing", 2, 2),
        ]


async def test_the_race_clock_never_goes_back(lite: Database) -> None:
    async with a_node(lite) as node:
        table = await a_table(node)

        await table.send(0, "12", elapsed_ms=5000)
        await table.send(1, "rf", elapsed_ms=4000)
        await table.send(2, "24x2", elapsed_ms=6000)

        acks = await table.ear.answers(3)
        assert [(ack["elapsed_ms"], ack["at_ms"]) for ack in acks] == [
            (5000, 0),
            (5000, 5000),
            (6000, 5000),
        ]
        assert [elapsed for _, _, elapsed in await rows(lite, LOG)] == [5000, 5000, 6000]


async def test_a_won_game_takes_no_further_move(lite: Database) -> None:
    async with a_node(lite) as node:
        table = await a_table(node)

        *_, last = await table.play(*WIN)
        [reject] = await table.play("d", ply=len(WIN))

        assert (last["state"], last["placed"]) == ("won", 52)
        assert brief(reject) == ("not_racing", len(WIN), len(WIN))
        assert table.view()["state"] == "won"
        assert table.view()["elapsed_ms"] == last["elapsed_ms"]


# Repeats


async def raw_answers(table: Table, moves: tuple[str, ...]) -> list[bytes]:
    """Play moves, and give the very bytes of their answers."""
    answers: list[bytes] = []
    for ply, text in enumerate(moves):
        await table.session.play(
            ply, text, received_ms=table.started_ms + 1000 * ply, reply=answers.append
        )
    await table.session.settled()
    return answers


async def again(session: Session, ply: int, text: str) -> bytes:
    answers: list[bytes] = []
    await session.play(ply, text, received_ms=10**15, reply=answers.append)
    [answer] = answers
    return answer


AS_SENT = ("1", "rf", "24x2", "u", "d", "u")
AS_PLAYED = ("12", "rf", "24x2", "u", "d", "u")


async def test_a_repeat_gets_its_ack_again_tap_or_spelled_out(database: Database) -> None:
    async with a_node(database) as node:
        table = await a_table(node)
        acks = await raw_answers(table, AS_SENT)

        for ply, ack in enumerate(acks):
            for text in {AS_SENT[ply], AS_PLAYED[ply]}:
                assert await again(table.session, ply, text) == ack
        assert [ply for ply, ack in enumerate(acks) if "game" in msgspec.json.decode(ack)] == [3, 5]


async def test_the_newest_repeat_comes_from_memory_older_ones_from_the_log(lite: Database) -> None:
    async with a_node(lite) as node:
        table = await a_table(node)
        await raw_answers(table, ("1", "r"))
        node.games.logs_read = 0

        for text in ("r", "rf"):
            await again(table.session, 1, text)
        assert node.games.logs_read == 0

        await again(table.session, 0, "12")
        assert node.games.logs_read == 1


async def test_a_repeat_changes_nothing(lite: Database) -> None:
    async with a_node(lite) as node:
        table = await a_table(node)
        await table.play("12", "rf")
        view, stored = table.view(), await table.stored()

        await table.play("12", "rf")

        assert (table.view(), await table.stored()) == (view, stored)


@pytest.mark.parametrize("how", ["won", "resigned", "finished"])
async def test_repeats_are_answered_after_the_end(database: Database, how: str) -> None:
    async with a_node(database) as node:
        table = await a_table(node)
        moves = tuple(WIN) if how == "won" else OPENING
        acks = await raw_answers(table, moves)
        if how == "resigned":
            await node.referee.resign(table.room.id, player=ANA)
        if how == "finished":
            for player in (ANA, BO):
                await node.referee.resign(table.room.id, player=player)
        room = await node.rooms.load(table.room.id)
        assert (room.state == "finished") == (how == "finished")

        for session in (table.session, node.session_of(room, ANA)):
            for ply in (0, 3, len(moves) - 1):
                assert await again(session, ply, moves[ply]) == acks[ply]
            late = msgspec.json.decode(await again(session, len(moves), "d"))
            assert brief(late) == ("not_racing", len(moves), len(moves))
            other = msgspec.json.decode(await again(session, 1, "d"))
            assert brief(other) == ("ply_conflict", 1, len(moves))


async def test_a_repeat_of_a_move_that_is_being_written_waits_for_it(lite: Database) -> None:
    async with a_node(lite) as node:
        table = await a_table(node)
        node.gate.hold()
        await table.send(0, "12")
        await node.gate.began.wait()

        repeating = asyncio.create_task(table.send(0, "12"))
        await asyncio.sleep(0)
        assert table.ear.listen() == []
        node.gate.release()
        await repeating

        assert [brief(answer) for answer in await table.ear.answers(2)] == [("ack", 0, "12")] * 2
        assert len(await rows(lite, LOG)) == 1


async def test_a_repeat_of_a_move_that_could_not_be_written_is_taken_as_new(
    lite: Database,
) -> None:
    async with a_node(lite) as node:
        table = await a_table(node)
        node.gate.lose = ["before"]
        node.gate.hold()
        await table.send(0, "12")
        repeating = asyncio.create_task(table.send(0, "12"))
        await node.gate.began.wait()
        node.gate.release()
        await repeating

        answers = [brief(answer) for answer in await table.ear.answers(2)]
        assert answers == [("unavailable", 0, 0), ("ack", 0, "12")]
        assert len(await rows(lite, LOG)) == 1


# Storage that fails


async def persist(table: Table, moves: tuple[str, ...]) -> list[Frame]:
    """Send moves as a client does: what is answered `unavailable` again, with its ply."""
    acks = []
    for ply, move in enumerate(moves):
        while True:
            await table.send(ply, move)
            [answer] = await table.ear.answers(1)
            if answer["type"] == "ack":
                acks.append(answer)
                break
            assert answer["code"] == "unavailable"
    return acks


@pytest.mark.parametrize("lost", ["before", "after"])
async def test_what_was_pending_when_a_commit_failed_is_unavailable_and_may_be_sent_again(
    database: Database, lost: str
) -> None:
    async with a_node(database) as node:
        table = await a_table(node)
        node.gate.lose = [lost]
        node.gate.hold()
        for ply, move in enumerate(OPENING[:3]):
            await table.send(ply, move)
        await table.send(3, "what")
        await node.gate.began.wait()
        node.gate.release()

        answers = [brief(answer) for answer in await table.ear.answers(4)]
        assert answers == [("unavailable", ply, 0) for ply in range(4)]
        assert [ack["ply"] for ack in await persist(table, OPENING)] == [*range(6)]
        log = await rows(database, LOG)
        assert [(ply, move) for ply, move, _ in log] == list(enumerate(OPENING))


@pytest.mark.parametrize(("lost", "ply"), [("before", 0), ("after", 1)])
async def test_the_board_is_read_from_the_log_again_after_a_failed_commit(
    database: Database, lost: str, ply: int
) -> None:
    async with a_node(database) as node:
        table = await a_table(node)
        node.gate.lose = [lost]

        [reject] = await table.play("12")
        await table.session.load()

        assert brief(reject) == ("unavailable", 0, 0)
        assert table.view()["ply"] == ply
        assert [(row[0], row[1]) for row in await rows(database, LOG)] == [(0, "12")][:ply]


async def test_a_win_whose_commit_was_in_doubt_is_told_once_it_is_known(lite: Database) -> None:
    async with a_node(lite) as node:
        table = await a_table(node)
        with node.socket(table.room.id) as watcher:
            await watcher.hello()
            await table.play(*WIN[:-1])
            node.gate.lose = ["after"]
            [reject] = await table.play(WIN[-1], ply=len(WIN) - 1)
            [ack] = await table.play(WIN[-1], ply=len(WIN) - 1)

            assert (reject["code"], ack["state"]) == ("unavailable", "won")
            won = False
            while not won:
                frame = await watcher.expect("standings")
                won = any(entry["state"] == "won" for entry in frame["entries"])


class Away:
    """Games whose storage does not answer until it is told to."""

    def __init__(self, log: Callable[[str], Awaitable[Log]]) -> None:
        self._log = log
        self.away = True

    async def __call__(self, game_id: str) -> Log:
        if self.away:
            raise Unavailable("the database is away")
        return await self._log(game_id)


async def test_a_game_that_cannot_be_loaded_is_unavailable_until_it_can(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_node(lite) as node:
        table = Table(node, await a_kept_room(lite, players=1, racing=True))
        away = Away(node.games.log)
        monkeypatch.setattr(node.games, "log", away)

        [first] = await table.play("12")
        away.away = False
        [second] = await table.play("12")

        assert (brief(first), brief(second)) == (("unavailable", 0, 0), ("ack", 0, "12"))


async def test_more_moves_than_may_wait_are_unavailable(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_module, "MOST_PENDING", 2)
    async with a_node(lite) as node:
        table = await a_table(node)
        node.gate.hold()

        for ply, move in enumerate(OPENING[:3]):
            await table.send(ply, move)
        node.gate.release()

        assert [brief(answer) for answer in await table.ear.answers(3)] == [
            ("ack", 0, "12"),
            ("ack", 1, "rf"),
            ("unavailable", 2, 2),
        ]


async def test_a_fault_of_who_is_told_of_progress_keeps_nobody_waiting(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1, racing=True)

        def fail(_session: object, _entry: object) -> None:
            raise RuntimeError("a fault")

        session = Session(
            room, room.seats[0], journal=node.journal, games=node.games, on_progress=fail
        )
        answers: list[bytes] = []
        started_ms = to_epoch_ms(room.started_at) if room.started_at else 0
        await session.play(0, "12", received_ms=started_ms, reply=answers.append)
        async with asyncio.timeout(10):
            await session.settled()

        assert [brief(msgspec.json.decode(answer)) for answer in answers] == [("ack", 0, "12")]


# More than one writer


async def test_a_game_that_ends_while_its_log_is_read_is_read_again(lite: Database) -> None:
    async with a_node(lite) as node:
        table = Table(node, await a_kept_room(lite, players=2, racing=True))
        may_go_on = asyncio.Event()
        node.games.slowly = may_go_on.wait
        loading = asyncio.create_task(table.session.load())
        await until(lambda: node.games.logs_read)

        await node.referee.resign(table.room.id, player=ANA)
        may_go_on.set()
        await loading

        assert table.view()["state"] == "resigned"


async def test_two_nodes_that_fight_for_a_game_count_each_ply_once(database: Database) -> None:
    async with a_node(database) as one, a_node(database) as other:
        room = await a_kept_room(database, players=2, racing=True)
        tables = [Table(one, room), Table(other, room)]
        acknowledged: list[tuple[int, str]] = []

        async def insist(table: Table, chance: Random) -> None:
            """Play whatever is legal, as if there was nobody else."""
            await table.session.at_rest()
            while (view := table.view())["ply"] < 40:
                await table.send(view["ply"], chance.choice(view["legal_moves"]))
                [answer] = await table.ear.answers(1)
                if answer["type"] == "ack":
                    acknowledged.append((answer["ply"], answer["move"]))
                await table.session.at_rest()

        async with asyncio.timeout(30):
            await asyncio.gather(
                *(insist(table, Random(seed)) for seed, table in enumerate(tables))
            )

        log = [(ply, move) for ply, move, _ in await rows(database, LOG)]
        assert sorted(acknowledged) == log
        assert [ply for ply, _ in log] == [*range(len(log))]
        assert len(log) >= 40


async def play_elsewhere(other: Node, room: Room, *moves: str, ply: int = 0) -> Entry:
    """Play Ana's moves on another node; gives her entry as it is stored then."""
    assert room.started_at is not None
    session = other.session_of(await other.rooms.load(room.id), ANA)
    await session.at_rest()
    for number, move in enumerate(moves, start=ply):
        await session.play(number, move, received_ms=to_epoch_ms(room.started_at) + 1000 * number)
    await session.settled()
    return other.seat(await other.rooms.load(room.id), ANA).entry


async def test_what_another_node_has_written_is_acknowledged_here_once(
    database: Database,
) -> None:
    async with a_node(database) as node, a_node(database) as other:
        table = await a_table(node)
        await table.play("12")
        entry = await play_elsewhere(other, table.room, "rf", "24x2", ply=1)

        node.games.logs_read = 0

        await asyncio.gather(*(table.session.catch_up(entry) for _ in range(3)))
        await table.session.catch_up(entry)

        assert node.games.logs_read == 1

        acks = [brief(frame) for frame in table.ear.listen()]
        assert acks == [("ack", 1, "rf"), ("ack", 2, "24x2")]
        assert table.view()["ply"] == 3
        [ack] = await table.play("12", ply=3)
        assert brief(ack) == ("ack", 3, "12")


async def test_acks_made_up_are_those_that_the_other_node_gave(lite: Database) -> None:
    async with a_node(lite) as node, a_node(lite) as other:
        table = await a_table(node)
        elsewhere = other.session_of(table.room, ANA)
        given: list[bytes] = []
        for ply, move in enumerate(("1", "r", "u")):
            await elsewhere.play(
                ply, move, received_ms=table.started_ms + 700 * ply, reply=given.append
            )
        await elsewhere.settled()

        await table.session.catch_up(elsewhere.entry)

        assert table.ear.listen() == [msgspec.json.decode(ack) for ack in given]


async def test_where_nothing_is_missing_nobody_is_asked(lite: Database) -> None:
    async with a_node(lite) as node:
        table = await a_table(node)
        await table.play("12", "rf")
        node.games.logs_read = 0

        for actions in (2, 1, 0):
            await table.session.catch_up(
                msgspec.structs.replace(table.session.entry, actions=actions)
            )

        assert (node.games.logs_read, table.session.stale, table.ear.listen()) == (0, False, [])


async def test_while_something_is_being_written_nothing_is_taken_over(lite: Database) -> None:
    async with a_node(lite) as node, a_node(lite) as other:
        table = await a_table(node)
        node.gate.hold()
        await table.send(0, "d")
        await node.gate.began.wait()
        entry = await play_elsewhere(other, table.room, "12", "rf")

        await table.session.catch_up(entry)
        assert (table.ear.listen(), table.session.stale) == ([], False)

        node.gate.release()  # and it is refused: another move stands there
        assert [brief(frame) for frame in await table.ear.answers(1)] == [("unavailable", 0, 0)]
        [conflict] = await table.play("d")
        assert brief(conflict) == ("ply_conflict", 0, 2)


async def test_an_end_elsewhere_has_the_game_read_before_it_is_used_and_no_sooner(
    lite: Database,
) -> None:
    async with a_node(lite) as node:
        table = await a_table(node)
        await table.play("12")
        await node.games.end("g_ana", state="resigned", at=after(20))
        entry = node.seat(await node.rooms.load(table.room.id), ANA).entry
        node.games.logs_read = 0

        for _ in range(3):
            await table.session.catch_up(entry)
        assert (node.games.logs_read, table.session.stale) == (0, True)
        assert not table.session.is_behind(actions=1, ended=True), "it is stale: that is enough"

        [reject] = await table.play("rf", ply=1)
        assert (brief(reject), table.view()["state"]) == (("not_racing", 1, 1), "resigned")


async def test_a_game_that_nobody_plays_here_catches_up_in_silence(lite: Database) -> None:
    async with a_node(lite) as node, a_node(lite) as other:
        table = await a_table(node)
        table.session.outbox = None
        entry = await play_elsewhere(other, table.room, "12")

        await table.session.catch_up(entry)

        assert (table.view()["ply"], table.ear.listen()) == (1, [])


async def test_catching_up_that_failed_can_be_done_again(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_node(lite) as node, a_node(lite) as other:
        table = await a_table(node)
        entry = await play_elsewhere(other, table.room, "12")
        with monkeypatch.context() as patch:
            patch.setattr(node.games, "log", Away(node.games.log))
            with pytest.raises(Unavailable):
                await table.session.catch_up(entry)
        assert table.session.is_behind(actions=1, ended=False)

        await table.session.catch_up(entry)

        assert [brief(frame) for frame in table.ear.listen()] == [("ack", 0, "12")]


async def test_whatever_has_the_game_read_again_acknowledges_what_others_wrote(
    lite: Database,
) -> None:
    async with a_node(lite) as node, a_node(lite) as other:
        table = await a_table(node)
        await play_elsewhere(other, table.room, "12", "rf")

        node.session_of(await node.rooms.load(table.room.id), ANA)  # asked for over REST
        [first, second, conflict] = await table.play("d") + await table.ear.answers(2)

        assert [brief(one) for one in (first, second, conflict)] == [
            ("ack", 0, "12"),
            ("ack", 1, "rf"),
            ("ply_conflict", 0, 2),
        ]


async def test_a_game_that_is_shown_is_not_acknowledged_as_well(lite: Database) -> None:
    async with a_node(lite) as node, a_node(lite) as other:
        room = await a_kept_room(lite, players=2, racing=True)
        entry = await play_elsewhere(other, room, "12", "rf")
        with node.socket(room.id) as ana:
            await ana.hello(ANA)
            await node.session_of(room, ANA).catch_up(entry)

            kinds = [frame["type"] for frame in ana.listen()]
            assert (kinds, ana.heard[-1]["ply"]) == (["welcome", "you", "game"], 2)


async def test_an_end_elsewhere_while_it_catches_up_acknowledges_nothing_twice(
    lite: Database,
) -> None:
    async with a_node(lite) as node, a_node(lite) as other:
        table = await a_table(node)
        entry = await play_elsewhere(other, table.room, "12")
        may_go_on = asyncio.Event()
        node.games.slowly = may_go_on.wait
        catching_up = asyncio.create_task(table.session.catch_up(entry))
        await until(lambda: node.games.logs_read == 1)

        table.session.expire()
        may_go_on.set()
        await catching_up

        assert node.games.logs_read == 2
        assert [brief(frame) for frame in table.ear.listen()] == [("ack", 0, "12")]


@pytest.mark.parametrize("seed", range(8))
async def test_whatever_fails_the_log_is_what_was_acknowledged(lite: Database, seed: int) -> None:
    """A client that pipelines, repeats and is wrong at times, on storage that fails at times."""
    chance = Random(seed)
    async with a_node(lite) as node:
        table = await a_table(node)
        node.gate.lose = [chance.choice([None, None, "before", "after"]) for _ in range(40)]
        acknowledged: dict[int, str] = {}
        while len(acknowledged) < 60:
            first = next(ply for ply in range(60) if ply not in acknowledged)
            sent = 0
            for ply in range(first, min(first + chance.randint(1, 5), 60)):
                repeat = chance.randrange(ply + 1)
                for number, text in [
                    (ply, WIN[ply]),
                    (ply + 9, "d"),
                    (ply, "what"),
                    (repeat, WIN[repeat]),
                ][: chance.randint(1, 4)]:
                    await table.send(number, text)
                    sent += 1
            for answer in await table.ear.answers(sent):
                if answer["type"] == "ack":
                    assert WIN[answer["ply"]] == answer["move"]
                    acknowledged[answer["ply"]] = answer["move"]
                else:
                    assert answer["code"] in ("unavailable", "ply_gap", "bad_move", "illegal_move")

        log = {ply: move for ply, move, _ in await rows(lite, LOG)}
        assert log == acknowledged


async def test_a_play_dropped_before_is_not_acknowledged_when_its_fate_is_known(
    lite: Database, logs: Logs
) -> None:
    async with a_node(lite) as node:
        table = await a_table(node)
        node.gate.lose = ["after"]
        node.gate.hold()
        await table.send(0, "12")
        await node.gate.began.wait()
        await table.send(1, "rf")  # in the next batch, which will be written

        node.gate.release()
        answers = await table.ear.answers(2)
        await until(lambda: node.gate.ended == 2)

        assert [brief(answer) for answer in answers] == [("unavailable", ply, 0) for ply in (0, 1)]
        assert table.ear.listen() == []
        assert "journal.settler_failed" not in [entry["event"] for entry in logs]
        [ack] = await table.play("rf", ply=1)
        assert brief(ack) == ("ack", 1, "rf")


@pytest.mark.parametrize("outcome", Outcome)
async def test_the_fate_of_a_play_dropped_before_answers_nothing_that_waits(
    lite: Database, outcome: Outcome
) -> None:
    async with a_node(lite) as node:
        table = await a_table(node)
        node.gate.hold()
        await table.send(0, "12")

        table.session.settle(Play("g_ana", 0, "d", 1, 1, 0, 0, "racing"), outcome)

        assert (table.session.stale, table.ear.listen()) == (False, [])
        node.gate.release()
        assert [brief(answer) for answer in await table.ear.answers(1)] == [("ack", 0, "12")]


async def test_a_move_that_the_journal_has_no_room_for_is_unavailable_and_may_be_sent_again(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_node(lite) as node:
        table = await a_table(node)
        node.gate.hold()
        await table.send(0, "12")
        await node.gate.began.wait()
        with monkeypatch.context() as full:
            full.setattr(journal_module, "MOST_WAITING", 0)
            await table.send(1, "rf")
            dropped = await table.ear.answers(2)

        assert [brief(one) for one in dropped] == [("unavailable", 0, 0), ("unavailable", 1, 0)]
        node.gate.release()
        await until(lambda: node.gate.ended == 1)  # the first move was being written
        acks = await table.play("12", "rf")
        assert [brief(ack) for ack in acks] == [("ack", 0, "12"), ("ack", 1, "rf")]
        assert len(await rows(lite, LOG)) == 2


# REST beside the socket


async def test_a_move_over_rest_is_acknowledged_on_the_socket_and_its_refusal_is_not(
    lite: Database,
) -> None:
    async with a_node(lite) as node:
        table = await a_table(node)
        answers: list[bytes] = []
        for ply, text in [(0, "12"), (1, "what"), (0, "12"), (0, "d")]:
            await table.session.play(ply, text, received_ms=table.started_ms, reply=answers.append)
        node.gate.lose = ["before"]
        await table.session.play(1, "rf", received_ms=table.started_ms, reply=answers.append)
        await table.session.settled()

        told = [brief(msgspec.json.decode(answer)) for answer in answers]
        assert told == [
            ("ack", 0, "12"),
            ("bad_move", 1, 1),
            ("ack", 0, "12"),
            ("ply_conflict", 0, 1),
            ("unavailable", 1, 1),
        ]
        assert [brief(frame) for frame in table.ear.listen()] == [("ack", 0, "12")] * 2


async def test_at_rest_the_board_is_as_on_disk(lite: Database) -> None:
    async with a_node(lite) as node:
        table = await a_table(node)
        node.gate.lose = ["before"]
        node.gate.hold()
        await table.send(0, "12")
        assert table.view()["ply"] == 1

        resting = asyncio.create_task(table.session.at_rest())
        await node.gate.began.wait()
        node.gate.release()
        await resting

        assert table.view()["ply"] == 0


async def test_a_room_that_has_not_started_has_no_games(lite: Database) -> None:
    async with a_node(lite) as node:
        room = a_room()

        with pytest.raises(ValueError, match="not started"):
            Session(
                room,
                room.seats[0],
                journal=node.journal,
                games=node.games,
                on_progress=lambda _session, _entry: None,
            )
