"""Answers to moves, each kept back until everything before it is on disk."""

from collections import deque
from collections.abc import Callable

from msgspec import Struct

from server.live.outbox import Outbox
from server.race.plays import Play

Reply = Callable[[bytes], None]


class Answer(Struct):
    """An answer to a move.

    Attributes:
        ply: the `ply` of the frame it answers.
        play: what has to be written first; None for an answer that only keeps its turn.
        frame: the answer.
        reply: who else wants it, besides the player's socket.
        public: whether it goes to the player's socket.
    """

    ply: int
    play: Play | None
    frame: bytes
    reply: Reply | None
    public: bool


class Answers:
    """The answers of one game, in the order of the moves they answer.

    Attributes:
        outbox: of the player's socket, where there is one on this node.
    """

    def __init__(self) -> None:
        self.outbox: Outbox | None = None
        self._waiting: deque[Answer] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def awaits(self, play: Play) -> bool:
        """Whether an answer waits for this play, not counting those dropped."""
        return any(answer.play is play for answer in self._waiting)

    def give(self, answer: Answer) -> None:
        """Give an answer once its turn has come: at once, if nothing before it waits."""
        if self._waiting or answer.play is not None:
            self._waiting.append(answer)
        else:
            self._deliver(answer)

    def written(self, play: Play) -> None:
        """Give the answer to a play that is on disk, and what only kept its turn behind it."""
        if self._waiting and self._waiting[0].play is play:
            self._deliver(self._waiting.popleft())
            self._deliver_ripe()

    def drop(self) -> list[Answer]:
        """Give up all that wait; gives them."""
        dropped = list(self._waiting)
        self._waiting.clear()
        return dropped

    def tell(self, frame: bytes) -> None:
        """Send a frame to the player's socket, where there is one."""
        if self.outbox is not None:
            self.outbox.push(frame)

    def _deliver_ripe(self) -> None:
        while self._waiting and self._waiting[0].play is None:
            self._deliver(self._waiting.popleft())

    def _deliver(self, answer: Answer) -> None:
        if answer.public:
            self.tell(answer.frame)
        if answer.reply is not None:
            answer.reply(answer.frame)
