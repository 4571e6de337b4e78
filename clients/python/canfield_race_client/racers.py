"""Ways to race without a human: a bot that thinks, and a line of moves known beforehand."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from importlib.resources import files

from canfield_race_client.bot import Bot
from canfield_race_client.errors import MoveRejected, NotRacing
from canfield_race_client.live import Live
from canfield_race_client.shapes import Ack
from canfield_race_client.wire import Sleep

IN_FLIGHT = 16


async def race_bot(
    race: Live,
    bot: Bot,
    *,
    moves_per_s: float,
    sleep: Sleep,
    until: Callable[[], bool] = lambda: False,
) -> None:
    """Let a bot race from the start on until it wins, is stuck, or `until` holds; then resign."""
    await race.until(lambda: race.game is not None or race.is_over)
    while race.is_racing and not until():
        move = bot.choose(await race.sync())
        if move is None:
            break
        try:
            await race.move(move)
        except NotRacing:
            return
        except MoveRejected:
            continue  # played from elsewhere meanwhile: look again
        await sleep(1 / moves_per_s)
    if race.is_racing:
        await race.resign()


async def race_line(race: Live, line: Sequence[str], *, moves_per_s: float, sleep: Sleep) -> None:
    """Play known moves from the start on, without waiting for each ack.

    Raises:
        MoveRejected: if the line does not fit the deal.
    """
    await race.until(lambda: race.game is not None or race.is_over)
    answers: deque[asyncio.Future[Ack]] = deque()
    for move in line:
        if len(answers) >= IN_FLIGHT:
            await answers.popleft()
        answers.append(race.send_move(move))
        await sleep(1 / moves_per_s)
    for answer in answers:
        await answer


def example_win() -> list[str]:
    """A line that wins `CF1-D3-AAAAACL` with 255 points."""
    return files(__package__).joinpath("example_win.txt").read_text(encoding="ascii").split()
