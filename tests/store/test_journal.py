import asyncio

import pytest

from server.race.plays import Outcome, Play
from server.race.room import Room
from server.store import journal as journal_module
from server.store.batches import batches_for
from server.store.database import Database
from server.store.games import Games
from server.store.journal import Journal, last_plays
from server.store.rooms import Rooms
from tests.counting import counted
from tests.race.builders import after
from tests.store.builders import Witness, a_kept_room, a_play, plies_of

WRITTEN, REFUSED, UNKNOWN = Outcome.WRITTEN, Outcome.REFUSED, Outcome.UNKNOWN


class Watched:
    """A real writer that keeps count of its batches, can be held back, and can lose a batch.

    `before` a lost batch nothing of it has been written; `after` it has, and nobody learns so.
    """

    def __init__(self, database: Database) -> None:
        self._writer = batches_for(database)
        self.batches: list[list[Play]] = []
        self.began = asyncio.Event()
        self.may_write = asyncio.Event()
        self.may_write.set()
        self.lose: list[str] = []

    async def write(self, plays: list[Play]) -> set[str]:
        self.batches.append(plays)
        self.began.set()
        await self.may_write.wait()
        how = self.lose.pop(0) if self.lose else None
        if how == "before":
            raise OSError("the database is away")
        written = await self._writer.write(plays)
        if how == "after":
            raise OSError("the answer got lost")
        return written

    async def close(self) -> None:
        await self._writer.close()


def opened(database: Database) -> tuple[Journal, Watched]:
    writer = Watched(database)
    journal = Journal(writer)
    journal.open()
    return journal, writer


async def a_race(database: Database, *, players: int = 2) -> Room:
    return await a_kept_room(database, players=players, racing=True)


async def test_a_play_is_on_disk_when_its_sender_learns_so(database: Database) -> None:
    journal, _ = opened(database)
    [ana] = (await a_race(database, players=1)).seats
    witness = Witness()

    for ply in range(3):
        journal.submit(a_play(ana, ply), witness)
        assert await witness.outcomes(ply + 1) == [WRITTEN] * (ply + 1)
        assert await plies_of(database, ana) == list(range(ply + 1))
    await journal.close()


async def test_nobody_is_told_before_the_commit(database: Database) -> None:
    journal, writer = opened(database)
    [ana] = (await a_race(database, players=1)).seats
    witness = Witness()

    async with database.write() as connection:
        await connection.exec_driver_sql("UPDATE games SET seat = 1 WHERE id = 'g_ana'")
        journal.submit(a_play(ana, 0), witness)
        await writer.began.wait()
        assert witness.seen == []

    assert await witness.outcomes(1) == [WRITTEN]
    await journal.close()


async def test_nobody_is_told_before_submit_returns(database: Database) -> None:
    journal, _ = opened(database)
    [ana] = (await a_race(database, players=1)).seats
    witness = Witness()

    journal.submit(a_play(ana, 0), witness)

    assert witness.seen == []
    await journal.close()
    assert await witness.outcomes(1) == [WRITTEN]


async def test_what_collects_while_a_batch_is_written_shares_the_next_one(
    database: Database,
) -> None:
    journal, writer = opened(database)
    ana, bo = (await a_race(database)).seats
    witness = Witness()
    writer.may_write.clear()
    journal.submit(a_play(ana, 0), witness)
    await writer.began.wait()
    plays = [a_play(ana, 1), a_play(bo, 0), a_play(ana, 2), a_play(bo, 1)]

    for play in plays:
        journal.submit(play, witness)
    writer.may_write.set()

    assert await witness.outcomes(5) == [WRITTEN] * 5
    assert [len(batch) for batch in writer.batches] == [1, 4]
    assert [play for play, _ in witness.seen] == [a_play(ana, 0), *plays]
    assert (await plies_of(database, ana), await plies_of(database, bo)) == ([0, 1, 2], [0, 1])
    await journal.close()


async def test_a_batch_is_only_so_big(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "MOST_IN_BATCH", 10)
    journal, writer = opened(database)
    [ana] = (await a_race(database, players=1)).seats
    witness = Witness()

    for ply in range(25):
        journal.submit(a_play(ana, ply), witness)

    assert await witness.outcomes(25) == [WRITTEN] * 25
    assert [len(batch) for batch in writer.batches] == [10, 10, 5]
    await journal.close()


async def test_a_game_at_a_wrong_ply_is_refused_alone(database: Database) -> None:
    journal, _ = opened(database)
    ana, bo = (await a_race(database)).seats
    anas, bos = Witness(), Witness()

    journal.submit(a_play(ana, 7), anas)
    journal.submit(a_play(bo, 0), bos)

    assert await anas.outcomes(1) == [REFUSED]
    assert await bos.outcomes(1) == [WRITTEN]
    await journal.close()


COUNTED = {
    "acknowledged": ("canfield_moves_total", {"outcome": "ack"}),
    "timed": ("canfield_move_ack_seconds_count", {}),
    "refused": ("canfield_journal_unwritten_plays_total", {"outcome": "refused"}),
    "unknown": ("canfield_journal_unwritten_plays_total", {"outcome": "unknown"}),
    "turned away": ("canfield_journal_unwritten_plays_total", {"outcome": "turned_away"}),
    "batches": ("canfield_journal_batch_plays_count", {}),
    "of them of up to two plays": ("canfield_journal_batch_plays_bucket", {"le": "2.0"}),
    "plays in batches": ("canfield_journal_batch_plays_sum", {}),
    "commits": ("canfield_journal_commit_seconds_count", {}),
}


async def test_every_play_is_counted_by_what_became_of_it(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "MOST_WAITING", 6)
    journal, writer = opened(database)
    ana, bo = (await a_race(database)).seats
    witness = Witness()
    writer.may_write.clear()
    before = {what: counted(name, **labels) for what, (name, labels) in COUNTED.items()}

    journal.submit(a_play(ana, 0), witness)
    await writer.began.wait()
    for play in (a_play(ana, 1), a_play(ana, 2), a_play(ana, 3), a_play(bo, 5), a_play(bo, 6)):
        journal.submit(play, witness)
    journal.submit(a_play(ana, 4), witness)
    journal.submit(a_play(ana, 5), witness)
    writer.may_write.set()
    await witness.outcomes(8)
    writer.lose = ["before"]
    journal.submit(a_play(ana, 9), witness)
    await witness.outcomes(9)
    await journal.close()

    after = {what: counted(name, **labels) for what, (name, labels) in COUNTED.items()}
    assert {what: after[what] - before[what] for what in COUNTED} == {
        "acknowledged": 5,
        "timed": 5,
        "refused": 2,
        "unknown": 1,
        "turned away": 1,
        "batches": 3,
        "of them of up to two plays": 2,
        "plays in batches": 8,
        "commits": 3,
    }


async def test_it_says_whether_it_takes_plays_and_shows_how_many_wait(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "MOST_WAITING", 2)
    [ana] = (await a_race(database, players=1)).seats
    witness = Witness()
    unopened = Journal(batches_for(database))
    journal, writer = opened(database)
    states = [unopened.state, journal.state]

    writer.may_write.clear()
    journal.submit(a_play(ana, 0), witness)
    await writer.began.wait()
    journal.submit(a_play(ana, 1), witness)
    journal.sample()
    states.append(journal.state)
    waiting = [counted("canfield_journal_queue_plays")]
    journal.submit(a_play(ana, 2), witness)
    states.append(journal.state)
    writer.may_write.set()
    await witness.outcomes(3)
    states.append(journal.state)
    journal.sample()
    waiting.append(counted("canfield_journal_queue_plays"))
    await journal.close()

    assert [*states, journal.state] == ["stopped", "ready", "ready", "full", "ready", "stopped"]
    assert waiting == [1, 0]


async def test_a_game_that_has_ended_is_refused(database: Database) -> None:
    journal, _ = opened(database)
    [ana] = (await a_race(database, players=1)).seats
    witness = Witness()
    await Games(database).end("g_ana", state="resigned", at=after(20))

    journal.submit(a_play(ana, 0), witness)

    assert await witness.outcomes(1) == [REFUSED]
    assert await plies_of(database, ana) == []
    await journal.close()


async def test_a_win_is_kept_as_the_games_end(database: Database) -> None:
    journal, _ = opened(database)
    room = await a_race(database, players=1)
    witness = Witness()

    journal.submit(a_play(room.seats[0], 0, state="won", placed=52, elapsed_ms=5000), witness)

    assert await witness.outcomes(1) == [WRITTEN]
    seat = (await Rooms(database).load(room.id)).seats[0]
    assert (seat.state, seat.ended_at) == ("won", after(15))
    await journal.close()


async def test_two_journals_that_fight_for_a_ply_write_it_once(database: Database) -> None:
    (one, _), (other, _) = opened(database), opened(database)
    [ana] = (await a_race(database, players=1)).seats
    ones, others = Witness(), Witness()

    for ply in range(15):
        one.submit(a_play(ana, ply), ones)
        other.submit(a_play(ana, ply), others)
        await asyncio.gather(ones.outcomes(ply + 1), others.outcomes(ply + 1))

    pairs = [{mine, theirs} for (_, mine), (_, theirs) in zip(ones.seen, others.seen, strict=True)]
    assert pairs == [{WRITTEN, REFUSED}] * 15
    assert await plies_of(database, ana) == list(range(15))
    await one.close()
    await other.close()


@pytest.mark.parametrize(("lost", "there"), [("before", []), ("after", [0])])
async def test_a_lost_batch_is_unknown_and_the_next_one_works_again(
    database: Database, lost: str, there: list[int]
) -> None:
    journal, writer = opened(database)
    ana, bo = (await a_race(database)).seats
    witness = Witness()
    writer.lose = [lost]

    journal.submit(a_play(ana, 0), witness)

    assert await witness.outcomes(1) == [UNKNOWN]
    assert await plies_of(database, ana) == there
    journal.submit(a_play(ana, 0), witness)
    journal.submit(a_play(bo, 0), witness)
    assert await witness.outcomes(3) == [UNKNOWN, REFUSED if there else WRITTEN, WRITTEN]
    await journal.close()


async def test_a_sender_with_a_fault_does_not_stop_the_journal(database: Database) -> None:
    class Faulty:
        def settle(self, play: Play, outcome: Outcome) -> None:
            raise RuntimeError(play, outcome)

    journal, _ = opened(database)
    ana, bo = (await a_race(database)).seats
    witness = Witness()

    journal.submit(a_play(ana, 0), Faulty())
    journal.submit(a_play(bo, 0), witness)

    assert await witness.outcomes(1) == [WRITTEN]
    assert await plies_of(database, ana) == [0]
    await journal.close()


async def test_closing_writes_what_waits_and_takes_nothing_more(database: Database) -> None:
    journal, _ = opened(database)
    [ana] = (await a_race(database, players=1)).seats
    witness, late = Witness(), Witness()
    for ply in range(20):
        journal.submit(a_play(ana, ply), witness)

    closing = asyncio.create_task(journal.close())
    await witness.outcomes(20)
    await closing
    journal.submit(a_play(ana, 20), late)

    assert await late.outcomes(1) == [UNKNOWN]
    assert [outcome for _, outcome in witness.seen] == [WRITTEN] * 20
    assert await plies_of(database, ana) == list(range(20))


async def test_closing_does_not_wait_for_every_batch_to_fail(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "MOST_IN_BATCH", 1)
    journal, writer = opened(database)
    [ana] = (await a_race(database, players=1)).seats
    witness = Witness()
    writer.lose = ["before"] * 20
    for ply in range(20):
        journal.submit(a_play(ana, ply), witness)

    await journal.close()

    assert await witness.outcomes(20) == [UNKNOWN] * 20
    assert [play.ply for play, _ in witness.seen] == list(range(20))
    assert len(writer.batches) == 1


async def test_a_full_queue_answers_at_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "MOST_WAITING", 3)
    journal, writer = opened(database)
    [ana] = (await a_race(database, players=1)).seats
    witness, turned_away = Witness(), Witness()
    writer.may_write.clear()
    for ply in range(3):
        journal.submit(a_play(ana, ply), witness)

    journal.submit(a_play(ana, 3), turned_away)

    assert turned_away.seen == []
    assert await turned_away.outcomes(1) == [UNKNOWN]
    writer.may_write.set()
    assert await witness.outcomes(3) == [WRITTEN] * 3
    assert await plies_of(database, ana) == [0, 1, 2]
    await journal.close()


async def test_a_journal_that_was_never_opened_closes(database: Database) -> None:
    await Journal(batches_for(database)).close()


def test_the_first_ply_and_the_last_play_of_every_game_come_in_order_of_its_id() -> None:
    plays = [
        Play(game, ply, "d", 1, 1, 0, 0, "racing") for game, ply in (("b", 4), ("a", 0), ("b", 5))
    ]

    assert last_plays(plays) == {"a": (0, plays[1]), "b": (4, plays[2])}
    assert list(last_plays(plays)) == ["a", "b"]
