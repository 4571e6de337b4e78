"""Bots that race through faults by the SDK, and keep account of what they sent and heard."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from random import Random

from canfield_race_client import CanfieldError, Live, frames
from canfield_race_client.errors import NotRacing
from canfield_race_client.facts import Fact, Facts
from canfield_race_client.racers import example_win
from canfield_race_client.shapes import Ack

from server.game import Board, GameCode
from tests.faults.ledger import Account

CODE = "CF1-D3-AAAAACL"
IN_FLIGHT = 12
HURRIED = 50  # moves: within what the SDK may send at once
PATIENCE_S = 45.0  # an SDK that has failed to connect for a while waits 10 s between attempts
UNDO_SHARE = 0.05

Plan = Callable[[Board], str | None]
"""Gives the next move on a board; None when there is none."""


def now_ms() -> int:
    """Give the time by this machine's clock, as milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def the_winning_line() -> Plan:
    """Give the plan that wins."""
    line: Iterator[str] = iter(example_win())
    return lambda _: next(line, None)


def a_random_walk(chance: Random) -> Plan:
    """Give a plan that makes any legal move, and takes one back now and then."""

    def choose(board: Board) -> str | None:
        if board.undo_left and chance.random() < UNDO_SHARE:
            return "u"
        moves = board.legal_moves.texts()
        return chance.choice(moves) if moves else None

    return choose


class Racer:
    """One player on one SDK socket, who sends moves without waiting for the acks.

    Attributes:
        account: what was sent and heard.
        failures: what should not have happened to a player, in words.
    """

    def __init__(self, live: Live, plan: Plan, *, chance: Random, moves_per_s: float) -> None:
        if live.me is None:
            raise ValueError("a racer plays; this socket only watches")
        self.live = live
        self.account = Account(live.me.id)
        self.failures: list[str] = []
        self._board = Board.deal(GameCode.parse(CODE))
        self._ply = 0
        self._plan = plan
        self._chance = chance
        self._pause_s = 1 / moves_per_s
        self._answers: dict[int, asyncio.Future[Ack]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._stopping = False
        self._hurried = 0
        self._facts = Facts()

    @property
    def name(self) -> str:
        """Who this is, in words."""
        return self.live.me.name if self.live.me else "nobody"

    @property
    def plays(self) -> bool:
        """Whether moves still go out."""
        return bool(self._tasks) and not self._tasks[0].done()

    def go(self) -> None:
        """Start to race and to listen."""
        self._tasks = [asyncio.create_task(self._play()), asyncio.create_task(self._listen())]
        self._tasks[0].add_done_callback(lambda _: self._facts.look())

    def hurry(self) -> None:
        """Send the next moves without a pause, so that some are on their way whatever happens."""
        self._hurried = HURRIED

    async def went_on(self, since_ms: int) -> None:
        """Wait until a move is acknowledged after this time, or none goes out any more."""
        went_on = await self._comes_true(lambda: not self.plays or self._heard_after(since_ms))
        if not went_on:
            self.failures.append(f"{self.name}: play did not go on")

    async def stop(self) -> None:
        """Send no more, and wait until the fate of everything sent is known and heard."""
        self._stopping = True
        if self._tasks:
            await self._tasks[0]
        if self._answers:
            _, unknown = await asyncio.wait(self._answers.values(), timeout=PATIENCE_S)
            if unknown:
                self.failures.append(f"{self.name}: {len(unknown)} moves were never answered")
        played = {ply for ply, answer in self._answers.items() if is_ack(answer)}
        if not await self._comes_true(lambda: played <= {ack.ply for ack, _ in self.account.acks}):
            self.failures.append(f"{self.name}: an answer is no event")

    async def leave(self) -> None:
        """Stop racing for good, and listening."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _heard_after(self, since_ms: int) -> bool:
        return bool(self.account.acks) and self.account.acks[-1][1] > since_ms

    async def _comes_true(self, fact: Fact) -> bool:
        """Wait for a fact, within bounds; gives whether it came true."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._facts.wait(fact)
        except TimeoutError:
            return False
        return True

    async def _play(self) -> None:
        while not self._stopping and (move := self._plan(self._board)) is not None:
            if not await self._may_send():
                return
            self._send(move)
            if self._hurried:
                self._hurried -= 1
            else:
                await asyncio.sleep(self._pause_s * self._chance.uniform(0, 2))

    async def _may_send(self) -> bool:
        """Wait for an ack if too many are due; gives whether the race is still on."""
        while not self._stopping:
            waiting = [answer for answer in self._answers.values() if not answer.done()]
            if len(waiting) < IN_FLIGHT:
                return not self.failures and self.live.is_racing
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        return False

    def _send(self, move: str) -> None:
        ply = self._ply
        try:
            answer = self.live.send_move(move)
        except CanfieldError as error:
            self.failures.append(f"{self.name}: {move} at ply {ply} cannot be sent: {error}")
            self._stopping = True
            return
        self.account.send(ply, move, at_ms=now_ms())
        self._board.play(Board.parse_move(move))
        self._ply += 1
        self._answers[ply] = answer
        answer.add_done_callback(lambda answer: self._look_at(ply, answer))

    def _look_at(self, ply: int, answer: asyncio.Future[Ack]) -> None:
        """A legal move of a race that is on is never refused for good."""
        if answer.cancelled() or is_ack(answer):
            return
        error = answer.exception()
        if not self.failures and (not isinstance(error, NotRacing) or self.live.is_racing):
            self.failures.append(f"{self.name}: ply {ply} was refused: {error!r}")

    async def _listen(self) -> None:
        try:
            async for event in self.live:
                if isinstance(event, frames.Ack):
                    self.account.hear(event, at_ms=now_ms())
                    self._facts.look()
        except CanfieldError as error:
            self.failures.append(f"{self.name}: {error}")


def is_ack(answer: asyncio.Future[Ack]) -> bool:
    """Whether a move has been acknowledged."""
    return answer.done() and not answer.cancelled() and answer.exception() is None
