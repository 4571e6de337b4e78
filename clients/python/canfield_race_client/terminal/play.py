"""Playing a race by hand: lines of moves in, board and standings out."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from typing import TypeVar

from canfield_race_client.errors import CanfieldError, ConnectionClosed, MoveRejected, NotConnected
from canfield_race_client.live import Live
from canfield_race_client.rooms import RoomCalls
from canfield_race_client.shapes import Ack
from canfield_race_client.terminal.board import NOTATION
from canfield_race_client.terminal.screen import Screen
from canfield_race_client.terminal.watch import note_of

QUIT_QUESTION = "resign (r), leave the game running (l), or go on (Enter)?"
AWAY = "the server is away: moves wait until it is back, q leaves"

T = TypeVar("T")


class Play:
    """One player at one race. `lines` is what they type."""

    def __init__(
        self, race: Live, room: RoomCalls, screen: Screen, lines: AsyncIterator[str]
    ) -> None:
        self._race = race
        self._room = room
        self._screen = screen
        self._lines = lines

    async def run(self) -> None:
        """Play until the race is over, or the player leaves it."""
        self._screen.draw(self._race, "? lists the legal moves, h explains the notation")
        jobs = [asyncio.create_task(self._follow()), asyncio.create_task(self._obey())]
        try:
            done, _ = await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
            for job in done:
                job.result()
        finally:
            for job in jobs:
                job.cancel()
            await asyncio.wait(jobs)
        self._screen.finish(self._race)
        self._screen.say(self._farewell())

    async def _follow(self) -> None:
        """Show what others do, until there is nothing left to play for."""
        had_game = self._race.game is not None
        if self._ended():
            return
        async for event in self._race:
            if note := note_of(event):
                self._screen.draw(self._race, note)
            elif self._race.game is not None and not had_game:
                had_game = True
                self._screen.draw(self._race, "go!")
            else:
                self._screen.refresh(self._race)
            if self._ended():
                return

    def _ended(self) -> bool:
        """Whether the race is over, or in a daily, which has many, my attempt."""
        race = self._race
        mine = race.room.kind == "daily" and race.game is not None and not race.is_racing
        return race.is_over or mine

    async def _obey(self) -> None:
        """Do what is typed, up to the end of the input or until the player leaves."""
        async for line in self._lines:
            try:
                if await self._do(line):
                    return
            except ConnectionClosed:
                raise
            except CanfieldError as error:
                self._screen.draw(self._race, str(error))

    async def _do(self, line: str) -> bool:
        """Do one line; True to leave."""
        match line.split():
            case []:
                self._screen.draw(self._race)
            case ["q"]:
                return await self._leaves()
            case ["?"]:
                game = await self._unless_away(self._race.sync())
                self._screen.draw(self._race, f"legal: {' '.join(game.legal_moves or ['nothing'])}")
            case ["h" | "help"]:
                self._screen.draw(self._race, NOTATION)
            case ["ready"]:
                await self._room.ready()
            case ["start"]:
                await self._room.start()
            case moves:
                self._screen.draw(self._race, await self._play(moves))
        return False

    async def _play(self, moves: list[str]) -> str:
        """Play moves one upon the other; what there is to say."""
        if not self._screen.is_interactive:
            await self._race.until(lambda: self._race.game is not None or self._race.is_over)
        try:
            answers = [self._race.send_move(move) for move in moves]
            acks = await self._unless_away(_all(answers))
        except MoveRejected as error:
            return str(error)
        if acks[-1].state == "won":
            return "you have won! q leaves, or wait for the others"
        return f"played: {' '.join(ack.move for ack in acks)}"

    async def _leaves(self) -> bool:
        """Ask what leaving means; True to leave."""
        if not self._race.is_racing:
            await self._give_seat_back()
            return True
        if not self._race.is_connected:
            return True
        self._screen.draw(self._race, QUIT_QUESTION)
        answer = await anext(self._lines, "l")
        if answer == "r":
            with contextlib.suppress(NotConnected):
                await self._unless_away(self._race.resign())
        elif answer != "l":
            self._screen.draw(self._race)
            return False
        return True

    async def _give_seat_back(self) -> None:
        if self._race.room.state in {"open", "countdown"}:
            try:
                await self._room.leave()
            except CanfieldError as error:
                self._screen.say(str(error))

    async def _unless_away(self, job: Coroutine[object, object, T]) -> T:
        """What a job with the server gives; who sits at a terminal need not wait for a lost one.

        Raises:
            NotConnected: if the connection is down or breaks; moves that were sent stay sent.
        """
        if not self._screen.is_interactive:
            return await job
        doing = asyncio.create_task(job)
        away = asyncio.create_task(self._race.until(lambda: not self._race.is_connected))
        try:
            await asyncio.wait([doing, away], return_when=asyncio.FIRST_COMPLETED)
            if doing.done():
                return doing.result()
            raise NotConnected(AWAY)
        finally:
            doing.cancel()
            away.cancel()
            await asyncio.gather(doing, away, return_exceptions=True)

    def _farewell(self) -> str:
        """What there is to know for who leaves a game that goes on."""
        if not self._race.is_racing:
            return ""
        again = f"`canfield play {self._room.id}` takes it up again"
        if self._race.is_connected:
            return f"the game goes on: {again}"
        return f"the server is away; your game goes on: {again}"


async def _all(answers: list[asyncio.Future[Ack]]) -> list[Ack]:
    """The acks of moves that were sent one upon the other."""
    return [await answer for answer in answers]
