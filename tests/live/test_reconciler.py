import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from server import metrics
from server.clock import ManualClock
from server.live import reconciler as reconciler_module
from server.live.outbox import BAD_TOKEN, REPLACED
from server.live.reconciler import Reconciler
from server.race.errors import Unavailable
from server.race.marks import Claim, Look
from server.race.room import Change
from server.store.database import Database
from server.store.players import Players
from server.store.truth import Truth
from tests.counting import counted
from tests.live.builders import OPENING, Frame, Node, a_node, brief, until
from tests.live.conftest import Logs
from tests.race.builders import ANA, BO, CY, after, an_entry
from tests.store.builders import a_kept_room, another_room, register, rows


class Watched:
    """The truth, and what it was asked for.

    Attributes:
        away: whether it does not answer.
        meanwhile: happens after it has looked and before it answers.
    """

    def __init__(self, truth: Truth) -> None:
        self._truth = truth
        self.looks: list[tuple[list[str], list[str]]] = []
        self.claims: list[Claim] = []
        self.away = False
        self.meanwhile: Any = None

    async def look(
        self,
        room_ids: Collection[str],
        token_ids: Collection[str],
        *,
        entrants: Collection[str] = (),
    ) -> Look:
        if self.away:
            raise Unavailable("the database is away")
        self.looks.append((sorted(room_ids), sorted(token_ids)))
        look = await self._truth.look(room_ids, token_ids, entrants=entrants)
        if self.meanwhile is not None:
            await self.meanwhile()
        return look

    async def claim(self, claims: Sequence[Claim]) -> None:
        if self.away:
            raise Unavailable("the database is away")
        self.claims += claims
        await self._truth.claim(claims)


class Pair:
    """A node whose reconciler is asked to compare, and another that it hears nothing of."""

    def __init__(self, node: Node, other: Node) -> None:
        self.node = node
        self.other = other
        self.truth = Watched(node.truth)
        self.reconciler = Reconciler(node.hub, self.truth)

    async def compare(self, rounds: int = 2) -> None:
        """Compare; what is missing in two rounds on end is made up in the second."""
        for _ in range(rounds):
            await self.reconciler.compare()
        await self.node.at_rest()


@asynccontextmanager
async def a_pair(database: Database) -> AsyncIterator[Pair]:
    clock = ManualClock(after(20))
    async with a_node(database, clock=clock) as node, a_node(database, clock=clock) as other:
        yield Pair(node, other)


def made_up() -> Counter[str]:
    """What has been found by comparing only, so far."""
    return Counter(
        {what: int(counted("canfield_made_up_total", what=what)) for what in metrics.MADE_UP}
    )


def more(now: Counter[str], before: Counter[str]) -> dict[str, int]:
    return dict(now - before)


def kinds(frames: list[Frame]) -> list[str]:
    return [frame["type"] for frame in frames]


async def play_elsewhere(pair: Pair, room_id: str, *moves: str, ply: int = 0) -> None:
    """Have Ana's moves played through the other node."""
    session = pair.other.session_of(await pair.other.referee.present(room_id), ANA)
    for number, move in enumerate(moves, start=ply):
        await session.play(number, move, received_ms=pair.other.clock.now_ms())
    await session.settled()


# Nothing to do


async def test_where_nothing_is_missing_nothing_is_told_and_little_is_asked(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_pair(database) as pair:
        room = await a_kept_room(database, players=2, racing=True)
        with pair.node.socket(room.id) as ana, pair.node.socket(room.id) as eye:
            await ana.hello(ANA)
            await eye.hello()
            await ana.play(*OPENING)
            await ana.answers(len(OPENING))
            await until(lambda: pair.node.hub.ticker.is_at_rest)
            await pair.compare()
            ana.listen()
            eye.listen()

            async def asked(*_: object) -> Any:
                raise AssertionError("a room was read")

            for call in ("load", "change_since"):
                monkeypatch.setattr(pair.node.rooms, call, asked)
            monkeypatch.setattr(pair.node.games, "log", asked)
            await pair.compare(rounds=3)

            assert (ana.listen(), eye.listen()) == ([], [])
            assert pair.truth.looks[2:] == [([room.id], [f"t_{ANA.id}"])] * 3
            assert len(pair.truth.claims) == 1


async def test_without_sockets_only_the_epoch_is_asked_for(lite: Database) -> None:
    async with a_pair(lite) as pair:
        room = await a_kept_room(lite, players=2)
        with pair.node.socket(room.id):  # has not said hello
            await pair.compare(rounds=1)

        assert (pair.truth.looks, pair.truth.claims) == ([([], [])], [])


# What it makes up


async def test_events_that_were_not_told_here_are_made_up(database: Database) -> None:
    async with a_pair(database) as pair:
        room = await a_kept_room(database, players=1)
        await register(database, BO, CY)
        with pair.node.socket(room.id) as eye:
            await eye.hello()
            before = made_up()
            for player in (BO, CY):
                await pair.other.join(room.id, player)

            await pair.compare(rounds=1)
            assert kinds(eye.listen()) == ["welcome"], "a hint may be under way"
            await pair.compare(rounds=1)

            joined = [frame["player"]["id"] for frame in eye.listen()]
            assert joined == [BO.id, CY.id]
            assert more(made_up(), before) == {"room": 1}
            await pair.compare()
            assert eye.listen() == []


async def test_progress_that_was_not_told_here_is_made_up(database: Database) -> None:
    async with a_pair(database) as pair:
        room = await a_kept_room(database, players=2, racing=True)
        with pair.node.socket(room.id) as eye:
            await eye.hello()
            before = made_up()
            await play_elsewhere(pair, room.id, *OPENING[:2])

            await pair.compare()

            entries = (await eye.expect("standings"))["entries"]
            assert [(e["player"]["id"], e["actions"]) for e in entries] == [(ANA.id, 2)]
            assert more(made_up(), before) == {"standings": 1}


async def test_an_end_that_was_not_told_here_is_made_up(database: Database) -> None:
    async with a_pair(database) as pair:
        room = await a_kept_room(database, players=2, racing=True)
        with pair.node.socket(room.id) as ana:
            await ana.hello(ANA)
            await pair.other.games.end("g_ana", state="resigned", at=after(20))

            await pair.compare()

            entry = (await ana.expect("standings"))["entries"][0]
            assert (entry["state"], (await ana.expect("you"))["state"]) == ("resigned", "resigned")
            await ana.play("12")
            assert [brief(answer) for answer in await ana.answers(1)] == [("not_racing", 0, 0)]


async def test_acks_of_moves_played_elsewhere_are_made_up(database: Database) -> None:
    async with a_pair(database) as pair:
        room = await a_kept_room(database, players=1, racing=True)
        with pair.node.socket(room.id) as ana:
            await ana.hello(ANA)
            await play_elsewhere(pair, room.id, *OPENING[:2])

            await pair.compare(rounds=4)

            assert [brief(answer) for answer in await ana.answers(2)] == [
                ("ack", 0, OPENING[0]),
                ("ack", 1, OPENING[1]),
            ]
            assert "ack" not in kinds(ana.listen())


async def test_acks_are_made_up_even_if_the_progress_is_known_already(lite: Database) -> None:
    async with a_pair(lite) as pair:
        room = await a_kept_room(lite, players=1, racing=True)
        with pair.node.socket(room.id) as ana:
            await ana.hello(ANA)
            await play_elsewhere(pair, room.id, OPENING[0])
            ana.channel.scores.fold([an_entry(actions=1)])

            await pair.compare()

            assert [brief(answer) for answer in await ana.answers(1)] == [("ack", 0, OPENING[0])]


async def test_a_token_revoked_elsewhere_closes_its_sockets(database: Database) -> None:
    async with a_pair(database) as pair:
        room = await a_kept_room(database, players=2)
        with pair.node.socket(room.id) as ana, pair.node.socket(room.id) as bo:
            await ana.hello(ANA)
            await bo.hello(BO)
            await Players(database).revoke_token(ANA, f"t_{ANA.id}")

            before = made_up()
            await pair.compare(rounds=1)

            assert (ana.outbox.close_code, bo.outbox.close_code) == (BAD_TOKEN, None)
            assert more(made_up(), before) == {"token": 1}


async def test_a_token_that_is_newer_than_the_look_is_not_taken_for_revoked(
    lite: Database,
) -> None:
    async with a_pair(lite) as pair:
        room = await a_kept_room(lite, players=1)
        await register(lite, BO)
        with pair.node.socket(room.id) as eye, pair.node.socket(room.id) as cy:
            await eye.hello()

            async def come() -> None:
                await register(lite, CY)
                await cy.hello(CY)

            pair.truth.meanwhile = come
            await pair.compare(rounds=1)

            assert cy.outbox.close_code is None
            assert pair.truth.looks == [([room.id], [])]


async def test_the_newest_socket_of_a_player_plays_wherever_it_is(database: Database) -> None:
    async with a_pair(database) as pair:
        node, other = pair.node, pair.other
        room = await a_kept_room(database, players=1)
        with other.socket(room.id) as old, node.socket(room.id) as new:
            await old.hello(ANA)
            await new.hello(ANA)

            await pair.compare(rounds=1)
            before = made_up()
            await other.reconciler.compare()

            assert (old.outbox.close_code, new.outbox.close_code) == (REPLACED, None)
            assert more(made_up(), before) == {"takeover": 1}
            await pair.compare()
            assert new.outbox.close_code is None


async def test_of_two_who_became_players_at_once_on_two_nodes_one_stays(
    database: Database,
) -> None:
    async with a_pair(database) as pair:
        node, other = pair.node, pair.other
        room = await a_kept_room(database, players=1)
        await register(database, BO)
        with other.socket(room.id) as here, node.socket(room.id) as there:
            await here.hello(BO)
            await there.hello(BO)
            await other.join(room.id, BO)
            for _ in range(3):
                await pair.compare(rounds=1)
                await other.reconciler.compare()

            codes = {here.outbox.close_code, there.outbox.close_code}
            assert codes == {None, REPLACED}
            assert there.outbox.close_code is None, "it said hello later"


async def test_a_claim_is_written_once_and_again_for_a_newer_socket(lite: Database) -> None:
    async with a_pair(lite) as pair:
        room = await a_kept_room(lite, players=2)
        query = "SELECT claim FROM games ORDER BY id"
        with pair.node.socket(room.id) as old:
            await old.hello(ANA)
            await pair.compare()
            assert await rows(lite, query) == [(old.conversation.claim,), (None,)]
        with pair.node.socket(room.id) as new:
            await new.hello(ANA)
            await pair.compare()

            assert await rows(lite, query) == [(new.conversation.claim,), (None,)]
            assert [claim.text for claim in pair.truth.claims] == [
                old.conversation.claim,
                new.conversation.claim,
            ]


async def test_another_epoch_welcomes_every_socket_anew(database: Database) -> None:
    async with a_pair(database) as pair:
        room = await a_kept_room(database, players=2, racing=True)
        other = await pair.node.rooms.create(another_room())
        with pair.node.socket(room.id) as ana, pair.node.socket(other.id) as eye:
            await ana.hello(ANA)
            await eye.hello()
            await pair.node.truth.begin_epoch("e_2", at=after(30))

            await pair.compare()

            assert kinds(ana.listen()) == ["welcome", "you", "game", "welcome", "you", "game"]
            epochs = [frame["epoch"] for frame in eye.listen()]
            assert epochs == [pair.other.hub.epoch, "e_2"]


# When it goes wrong


async def test_one_room_that_cannot_be_caught_up_does_not_keep_others_from_it(
    lite: Database, logs: Logs
) -> None:
    async with a_pair(lite) as pair:
        bad = await a_kept_room(lite, players=1)
        good = await pair.node.rooms.create(another_room())
        await register(lite, BO)
        with pair.node.socket(bad.id) as blind, pair.node.socket(good.id) as eye:
            await blind.hello()
            await eye.hello()
            for room in (bad, good):
                await pair.other.join(room.id, BO)
            async with lite.write() as connection:
                await connection.exec_driver_sql(
                    """UPDATE room_events SET event = '{"type": "new"}' WHERE room_id = 'r_1'"""
                )

            await pair.compare()

            assert kinds(eye.listen()) == ["welcome", "joined"]
            failed = [entry for entry in logs if entry["event"] == "room.not_caught_up"]
            assert [entry["room"] for entry in failed] == [bad.id]


async def test_storage_that_does_not_answer_ends_the_round(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_pair(lite) as pair:
        room = await a_kept_room(lite, players=1)
        await register(lite, BO)
        with pair.node.socket(room.id) as eye:
            await eye.hello()
            await pair.other.join(room.id, BO)
            await pair.compare(rounds=1)

            async def away(*_: object, **__: object) -> Change:
                raise Unavailable("the database is away")

            with monkeypatch.context() as patch:
                patch.setattr(pair.node.rooms, "change_since", away)
                with pytest.raises(Unavailable):
                    await pair.compare(rounds=1)
            await pair.compare(rounds=1)

            assert kinds(eye.listen()) == ["welcome", "joined"]


async def test_claims_that_could_not_be_written_are_written_later(lite: Database) -> None:
    async with a_pair(lite) as pair:
        room = await a_kept_room(lite, players=1)
        with pair.node.socket(room.id) as ana:
            await ana.hello(ANA)
            pair.truth.away = True
            with pytest.raises(Unavailable):
                await pair.compare()
            pair.truth.away = False

            await pair.compare(rounds=1)

            assert await rows(lite, "SELECT claim FROM games") == [(ana.conversation.claim,)]


async def test_it_goes_on_after_an_outage_and_after_a_fault(
    lite: Database, monkeypatch: pytest.MonkeyPatch, logs: Logs
) -> None:
    monkeypatch.setattr(reconciler_module, "COMPARE_S", 0)
    async with a_pair(lite) as pair:
        room = await a_kept_room(lite, players=1)
        await register(lite, BO)

        def logged(event: str) -> bool:
            return event in [entry["event"] for entry in logs]

        with pair.node.socket(room.id) as eye:
            await eye.hello()
            pair.truth.away = True
            running = asyncio.create_task(pair.reconciler.run())
            await until(lambda: logged("comparison.skipped"))

            async def fail() -> None:
                raise RuntimeError("a fault")

            pair.truth.away, pair.truth.meanwhile = False, fail
            await until(lambda: logged("comparison.failed"))
            pair.truth.meanwhile = None
            await pair.other.join(room.id, BO)

            assert (await eye.expect("joined"))["player"]["id"] == BO.id
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


async def test_nothing_is_kept_of_rooms_that_nobody_watches_any_more(lite: Database) -> None:
    async with a_pair(lite) as pair:
        room = await a_kept_room(lite, players=1)
        with pair.node.socket(room.id) as ana:
            await ana.hello(ANA)
            await pair.compare()

        await pair.compare(rounds=1)

        assert (pair.reconciler._written, pair.reconciler._seen) == (set(), {})
