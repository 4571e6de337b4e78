from datetime import date, timedelta

import pytest

from server.clock import ManualClock
from server.daily_desk import WARNING, Desk
from server.live.ports import Prover
from server.race.daily import DAY, day_of, start_of
from server.race.deals import Chance
from server.race.errors import WrongState
from server.settings import CannotRun
from server.store.dailies import Dailies, PlannedDay
from server.store.database import Database
from server.store.rooms import Rooms
from tests.live.provers import Solving
from tests.race.builders import OPENED
from tests.store.builders import ON_SQLITE

TODAY = day_of(OPENED)
TOMORROW = TODAY + DAY


class Heard:
    """A desk, and what it has said.

    Attributes:
        lines: everything, in order.
        clock: the desk's.
    """

    def __init__(self, database: Database, prover: Prover | None = None) -> None:
        self.lines: list[str] = []
        self.clock = ManualClock(OPENED)
        self._dailies = Dailies(database)
        self.desk = Desk(
            database,
            prover or Solving(),
            clock=self.clock,
            chance=Chance(),
            say=self.lines.append,
        )

    async def planned(self, day: date = TOMORROW) -> PlannedDay:
        """A day as it is kept."""
        [planned] = await self._dailies.planned(since=day, limit=1)
        return planned

    def begin(self, day: date) -> None:
        """Have a day begin."""
        self.clock.advance(ms=(start_of(day) - OPENED) // timedelta(milliseconds=1))

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def secrets_of(planned: PlannedDay) -> list[str]:
    """What nobody may be told of a day that is not over."""
    assert planned.proof is not None
    return [str(planned.deal.code), planned.deal.nonce, " ".join(planned.proof.line)]


async def test_so_many_days_are_planned_and_each_is_told(database: Database) -> None:
    heard = Heard(database)

    await heard.desk.plan(days=3)

    for ahead, line in enumerate(heard.lines):
        planned = await heard.planned(TODAY + ahead * DAY)
        assert line.startswith(f"{planned.day}  open  room {planned.room_id}  0 players")
        assert f"candidate {planned.number}" in line
    assert len(heard.lines) == 3


async def test_days_that_are_planned_stay_as_they_are_and_that_is_told(
    database: Database,
) -> None:
    first, second = Heard(database), Heard(database)
    await first.desk.plan(days=2)

    await second.desk.plan(days=3)

    assert second.lines[:2] == [f"{line}, planned before" for line in first.lines]
    assert "planned before" not in second.lines[2]


async def test_showing_lists_today_and_later_days_without_their_secrets(
    database: Database,
) -> None:
    heard = Heard(database)
    await heard.desk.plan(days=3)
    days = [await heard.planned(TODAY + ahead * DAY) for ahead in range(3)]
    heard.begin(TOMORROW)
    heard.lines.clear()

    await heard.desk.show(None, reveal=False)

    assert len(heard.lines) == 4
    assert days[0].room_id not in heard.text
    for one in days[1:]:
        assert one.room_id in heard.text
        assert one.deal.commitment in heard.text
        assert [secret for secret in secrets_of(one) if secret in heard.text] == []


@ON_SQLITE
async def test_one_day_can_be_shown_a_past_one_too(database: Database) -> None:
    heard = Heard(database)
    await heard.desk.plan(days=2)
    heard.begin(TOMORROW)
    heard.lines.clear()

    await heard.desk.show(TODAY, reveal=False)

    assert [line.split()[0] for line in heard.lines] == [str(TODAY), "commitment"]


@ON_SQLITE
async def test_what_is_to_be_revealed_is_told_with_a_warning(database: Database) -> None:
    heard = Heard(database)
    await heard.desk.plan(days=2)
    heard.lines.clear()

    await heard.desk.show(TOMORROW, reveal=True)

    assert heard.lines[0] == WARNING
    planned = await heard.planned()
    assert [secret for secret in secrets_of(planned) if secret not in heard.text] == []


@ON_SQLITE
async def test_a_day_that_is_over_is_told_whole_and_without_a_warning(database: Database) -> None:
    heard = Heard(database)
    await heard.desk.plan(days=1)
    room = await Rooms(database).load((await heard.planned(TODAY)).room_id)
    begun = room.advance(at=start_of(TODAY))
    assert await Rooms(database).save(room, begun)
    assert await Rooms(database).save(room, room.finish())
    heard.lines.clear()

    await heard.desk.show(TODAY, reveal=True)

    assert WARNING not in heard.lines
    planned = await heard.planned(TODAY)
    assert planned.state == "finished"
    assert [secret for secret in secrets_of(planned) if secret not in heard.text] == []


@ON_SQLITE
async def test_where_nothing_is_planned_it_is_said_how_to_plan(database: Database) -> None:
    heard = Heard(database)

    await heard.desk.show(None, reveal=True)

    [line] = heard.lines
    assert "canfield-race daily plan" in line


@ON_SQLITE
@pytest.mark.parametrize("verb", ["show", "replace"])
async def test_a_day_that_is_not_planned_is_refused_with_how_to_mend_it(
    database: Database, verb: str
) -> None:
    heard = Heard(database)
    await heard.desk.plan(days=2)
    missing = TODAY - DAY

    with pytest.raises(CannotRun, match=rf"{missing} is not planned; .*daily plan"):
        await (
            heard.desk.replace(missing)
            if verb == "replace"
            else heard.desk.show(missing, reveal=False)
        )


async def test_replacing_tells_what_is_withdrawn_and_what_is_there_now(
    database: Database,
) -> None:
    heard = Heard(database)
    await heard.desk.plan(days=2)
    old = await heard.planned()
    heard.lines.clear()

    await heard.desk.replace(TOMORROW)

    new = await heard.planned()
    assert new.room_id != old.room_id
    assert new.number > old.number
    assert old.room_id in heard.lines[0]
    assert new.room_id in heard.lines[1]
    assert new.deal.commitment in heard.lines[2]
    assert [secret for secret in secrets_of(new) if secret in heard.text] == []


@ON_SQLITE
async def test_a_day_that_has_begun_is_not_replaced(database: Database) -> None:
    heard = Heard(database)
    await heard.desk.plan(days=2)
    old = await heard.planned()
    heard.begin(TOMORROW)

    with pytest.raises(WrongState, match="has begun"):
        await heard.desk.replace(TOMORROW)

    assert await heard.planned() == old
