"""Reading dailies again every second: who is among the first hundred, and how everyone stands."""

from server.live.hub import Hub
from server.live.rounds import go_on
from server.race.daily import Daily

EVERY_S = 1.0


class Pulse:
    """Keeps the dailies that this node has sockets for fresh, at any number of players."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def run(self) -> None:
        """Beat every second, for as long as it runs."""
        await go_on(self.beat, name="pulse", every_s=EVERY_S)

    async def beat(self) -> None:
        """Read each daily once, and tell players who race how they stand.

        Raises:
            Unavailable: storage did not answer.
        """
        for room_id, channel in list(self._hub.channels.items()):
            if isinstance(channel.room, Daily) and channel.room.state == "racing":
                await self._hub.refresh(room_id, channel)
                channel.tell_news(racing_too=True)
