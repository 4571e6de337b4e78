import asyncio

from server.clock import ManualClock
from server.live.buses.bus import EVERYONE, AnyMessage, MemoryBus, Progressed
from server.live.channel import Channel
from server.live.tasks import Tasks
from server.live.ticker import TICK_S, Ticker
from tests.live.builders import until
from tests.race.builders import ANA, BO, after, an_entry


class Medium:
    """A ticker on a bus, and what another node hears of it."""

    def __init__(self) -> None:
        nodes = set[MemoryBus]()
        self.bus, self.other = MemoryBus(nodes), MemoryBus(nodes)
        self.heard: list[tuple[float, str, AnyMessage]] = []
        self.other.listen(self._hear)
        self.other.watch("r_1")
        channels: dict[str, Channel] = {}
        self.ticker = Ticker(channels, self.bus, clock=ManualClock(after(0)), tasks=Tasks())

    async def open(self) -> None:
        await self.bus.open()
        await self.other.open()

    def _hear(self, topic: str, message: AnyMessage) -> None:
        self.heard.append((asyncio.get_running_loop().time(), topic, message))


async def test_progress_in_a_room_that_nobody_watches_here_is_told_to_other_nodes() -> None:
    medium = Medium()
    await medium.open()

    medium.ticker.progress("r_1", an_entry(ANA, actions=1))
    medium.ticker.progress("r_1", an_entry(ANA, actions=2))
    medium.ticker.progress("r_1", an_entry(BO, actions=1))
    await until(lambda: medium.ticker.is_at_rest)

    entries = [an_entry(ANA, actions=2), an_entry(BO, actions=1)]
    assert [what for _, *what in medium.heard] == [["r_1", Progressed(entries=entries)]]


async def test_other_nodes_are_told_at_most_ten_times_a_second() -> None:
    medium = Medium()
    await medium.open()

    medium.ticker.progress("r_1", an_entry(ANA, actions=1))
    await until(lambda: medium.heard)
    medium.ticker.progress("r_1", an_entry(ANA, actions=2))
    await until(lambda: medium.ticker.is_at_rest)

    [(first, *_), (second, *_)] = medium.heard
    assert second - first >= TICK_S * 0.95


async def test_nothing_is_told_where_nothing_has_changed() -> None:
    medium = Medium()
    await medium.open()
    medium.other.watch(EVERYONE)

    medium.ticker.tick_soon("r_1")
    await until(lambda: medium.ticker.is_at_rest)

    assert medium.heard == []
